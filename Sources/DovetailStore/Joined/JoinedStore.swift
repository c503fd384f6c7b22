import DovetailModel
import Foundation

/// Several stores as one, each with models of its own: what a container with several configurations
/// works on.
///
/// A call goes to the store of its entity. What is asked or written between two stores is refused
/// with the names of both tables: no transaction of two databases could be kept or undone as a whole.
public final class JoinedStore: DataStore {
    private let stores: [any DataStore]
    /// The position of each model's store.
    package let places: [ObjectIdentifier: Int]

    /// Opens the stores of configurations.
    ///
    /// - Throws: ``StoreError``: `invalidSchema` when a model has no configuration or two, or refers
    ///   to a model of another one, or two configurations name one file, and what opening a store throws.
    package init(
        _ configurations: [any DataStoreConfiguration],
        for schema: Schema
    ) throws {
        var files: Set<String> = []
        for file in configurations.compactMap(\.file) {
            let path = file.standardizedFileURL.resolvingSymlinksInPath().path
            guard files.insert(path).inserted else {
                throw StoreError(
                    .invalidSchema,
                    location: file.path,
                    explanation:
                        "two configurations name the file; give one of them another name or URL, "
                        + "or all models to one"
                )
            }
        }
        var places: [ObjectIdentifier: Int] = [:]
        for (place, configuration) in configurations.enumerated() {
            for model in configuration.models ?? [] where !(model is any JoinModel.Type) {
                // Classes that share a table are in one store.
                let known = places.updateValue(place, forKey: model.tableIdentifier)
                guard known == nil || known == place else {
                    throw Self.invalid(model, "two configurations name the model")
                }
            }
        }
        // A join table is where its objects are.
        for entity in schema.bindings {
            guard let table = entity.type as? any JoinModel.Type else { continue }
            places[ObjectIdentifier(table)] = places[table.owner.tableIdentifier]
        }
        let others = configurations.indices.filter { configurations[$0].models == nil }
        for entity in schema.bindings where places[entity.tableIdentifier] == nil {
            guard others.count == 1 else {
                throw Self.invalid(
                    entity.type,
                    others.isEmpty
                        ? "no configuration names the model"
                        : "two configurations are for all models; say `keeping(_:)`"
                )
            }
            places[entity.tableIdentifier] = others[0]
        }
        for entity in schema.bindings {
            for target in entity.attributes.compactMap(\.reference?.target)
            where places[target.tableIdentifier] != places[entity.tableIdentifier] {
                throw Self.invalid(
                    entity.type,
                    "the model refers to \(target.modelTable), which another store keeps"
                )
            }
        }
        self.places = places
        stores = try configurations.enumerated().map { place, configuration in
            let models = schema.models.filter { places[$0.tableIdentifier] == place }
            return try configuration.makeStore(for: Schema(models))
        }
    }

    /// Whether the store of a table keeps whole microseconds of dates.
    package func roundsDates(of table: ObjectIdentifier) -> Bool {
        guard let place = places[table] else { return false }
        return !stores[place].capabilities.contains(.exactDates)
    }

    private static func invalid(_ model: any Model.Type, _ explanation: String) -> StoreError {
        StoreError(.invalidSchema, table: model.modelTable, explanation: explanation)
    }

    /// A number that comes after those of all stores, each of which is told that can be written to: in others are
    /// no new keys.
    ///
    /// - Throws: what they throw; `readOnly` where none can be written to.
    public func takeOpeningNumber(after used: Int64) throws -> Int64 {
        var writable: [any DataStore] = []
        var largest = used + 1
        var refusal: StoreError?
        for store in stores {
            do {
                largest = max(largest, try store.takeOpeningNumber(after: used))
                writable.append(store)
            } catch let error as StoreError where error.kind == .readOnly {
                refusal = error
            }
        }
        if let refusal, writable.isEmpty { throw refusal }
        for store in writable { _ = try store.takeOpeningNumber(after: largest - 1) }
        return largest
    }

    /// A stage of the store that keeps the entity.
    ///
    /// - Throws: what that throws.
    public func makeStage(of entity: EntityBinding) throws -> (any StoreConnection)? {
        try places[entity.tableIdentifier].flatMap { try stores[$0].makeStage(of: entity) }
    }

    /// Runs `body` with a connection of each store. So it waits for all of them. A call inside of
    /// `body` on the same thread has the same connections, and the same transaction.
    ///
    /// - Throws: what `body` throws.
    public func withConnection<Result>(
        _ body: (any StoreConnection) throws -> Result
    ) throws -> Result {
        let thread = Thread.current.threadDictionary
        let key = ObjectIdentifier(self)
        if let connection = thread[key] as? JoinedConnection { return try body(connection) }
        return try withConnections([]) {
            let connection = JoinedConnection($0, places)
            thread[key] = connection
            defer { thread[key] = nil }
            return try body(connection)
        }
    }

    /// Runs `body` with a connection of each store that only reads.
    ///
    /// - Throws: what `body` throws.
    public func withReadConnection<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result {
        try withReaders(isSnapshot: false, []) { try body(JoinedReader($0, places)) }
    }

    /// Runs `body` over one state of each store. They are not of the same moment.
    ///
    /// - Throws: what `body` throws.
    public func withSnapshot<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result {
        try withReaders(isSnapshot: true, []) { try body(JoinedReader($0, places)) }
    }

    /// Takes the connections of the stores that are left, always in the same order, so that two
    /// callers do not wait for each other.
    private func withConnections<Result>(
        _ taken: [any StoreConnection],
        _ body: ([any StoreConnection]) throws -> Result
    ) throws -> Result {
        guard taken.count < stores.count else { return try body(taken) }
        return try stores[taken.count].withConnection {
            try withConnections(taken + [$0], body)
        }
    }

    /// The same for connections that read.
    private func withReaders<Result>(
        isSnapshot: Bool,
        _ taken: [any StoreQuerying],
        _ body: ([any StoreQuerying]) throws -> Result
    ) throws -> Result {
        guard taken.count < stores.count else { return try body(taken) }
        let store = stores[taken.count]
        if isSnapshot {
            return try store.withSnapshot {
                try withReaders(isSnapshot: isSnapshot, taken + [$0], body)
            }
        }
        return try store.withReadConnection {
            try withReaders(isSnapshot: isSnapshot, taken + [$0], body)
        }
    }

    /// As often as the one that is tried most.
    public var saveAttempts: Int { stores.map(\.saveAttempts).max() ?? 1 }

    /// What one of them cannot do, and what has no meaning over several.
    public var capabilities: StoreCapabilities {
        var reasons: [StoreCapability: String] = [:]
        for capability in StoreCapability.allCases {
            reasons[capability] =
                stores.lazy
                .compactMap { $0.capabilities.reason(against: capability) }.first
        }
        reasons[.sql] = "a statement does not say which of the stores it is for"
        reasons[.backup] = "each of the stores has its own backup"
        reasons[.history] = "each of the stores has its own history"
        return StoreCapabilities(without: reasons)
    }

    /// Empties the write-ahead logs of all.
    ///
    /// - Throws: ``StoreError``.
    public func checkpoint() throws {
        for store in stores { try store.checkpoint() }
    }

    /// Makes the files of all as small as they can be.
    ///
    /// - Throws: ``StoreError``.
    public func compact() throws {
        for store in stores { try store.compact() }
    }
}
