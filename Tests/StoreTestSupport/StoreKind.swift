package import Dovetail
import DovetailPostgres
package import DovetailTesting
import PostgresTestSupport

/// The stores that have to mean the same: tests that compare them run on each, or on both at once.
package enum StoreKind: CaseIterable, Sendable {
    case sqlite
    case memory
    case postgres

    /// Those that need no server.
    package static let embedded: [StoreKind] = [.sqlite, .memory]

    /// All of them, where there is a server to share.
    package static let allCases: [StoreKind] =
        SharedPostgres.connectionString == nil ? embedded : embedded + [.postgres]

    /// A container over a new store, which is in memory, or in a schema of its own.
    package func container(_ models: any Model.Type...) throws -> ModelContainer {
        try container(models)
    }

    /// The same for a list of models.
    package func container(_ models: [any Model.Type]) throws -> ModelContainer {
        switch self {
        case .sqlite:
            try ModelContainer(
                for: models,
                configuration: ModelConfiguration(isStoredInMemoryOnly: true)
            )
        case .memory: try ModelContainer(for: models, configuration: MemoryConfiguration())
        case .postgres: try ModelContainer(for: models, configuration: FreshPostgres())
        }
    }

    /// The same over a new store that knows what was changed: with a history, where it needs one.
    package func following(_ models: [any Model.Type]) throws -> ModelContainer {
        switch self {
        case .sqlite:
            var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
            configuration.history = StoreHistory()
            return try ModelContainer(for: models, configuration: configuration)
        case .memory: return try container(models)
        case .postgres:
            return try ModelContainer(
                for: models,
                configuration: FreshPostgres(history: StoreHistory())
            )
        }
    }

    /// A text as the store can keep it: PostgreSQL has none with U+0000.
    package func kept(_ text: String) -> String {
        self == .postgres ? text.replacing("\0", with: "\u{1}") : text
    }

    /// A date as the store keeps it: PostgreSQL's have whole microseconds.
    package func kept(_ date: Date) -> Date { self == .postgres ? date.inMicroseconds : date }

    /// Random values that the store can keep.
    package func random(_ seed: UInt64) -> SeededRandom {
        var random = SeededRandom(seed: seed)
        if self == .postgres { random.lacking = [.textWithNUL, .exactDates] }
        return random
    }

    /// A schema that is dropped when the container that keeps the configuration is gone.
    private struct FreshPostgres: DataStoreConfiguration {
        private let schema: FreshSchema
        private let history: StoreHistory?

        init(history: StoreHistory? = nil) throws {
            schema = try FreshSchema()
            self.history = history
        }

        func makeStore(for models: Schema) throws -> any DataStore {
            var configuration = PostgresConfiguration(schema.connectionString)
            configuration.pool.size = 3
            configuration.history = history
            return try configuration.makeStore(for: models)
        }
    }
}

extension StoreComparison {
    /// Compares new stores, with values that all of them can keep.
    package convenience init(seed: UInt64, _ kinds: [StoreKind]) throws {
        let random = (kinds.contains(.postgres) ? StoreKind.postgres : .memory).random(seed)
        try self.init(kinds.map { kind in ("\(kind)", { try kind.container($0) }) }, random)
    }
}
