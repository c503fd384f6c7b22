import Dovetail
import DovetailPostgres
import DovetailTesting
import PostgresTestSupport
import Synchronization
import Testing

/// The contract of stores on a server, each place in a schema of its own.
@Suite(.needsPostgres) struct PostgresContractTests {
    @Test(arguments: StoreContract.cases)
    func `PostgreSQL keeps the contract`(_ part: StoreContract.Case) async throws {
        let schemas = try ContractSchemas()
        try await part.check { place in try schemas.configuration(place) }
    }

    @Test(arguments: StoreContract.cases)
    func `PostgreSQL with a history keeps the contract`(_ part: StoreContract.Case) async throws {
        let schemas = try ContractSchemas()
        try await part.check { place in try schemas.configuration(place, history: StoreHistory()) }
    }
}

/// The schemas of one case, which are dropped with it.
final class ContractSchemas: Sendable {
    private let names = Mutex<Set<String>>([])
    private let server: String

    init() throws {
        server = try #require(SharedPostgres.connectionString)
    }

    deinit {
        for name in names.withLock({ $0 }) {
            _ = try? RawPostgres(server).rows("DROP SCHEMA IF EXISTS \(name) CASCADE")
        }
    }

    /// - Parameter address: How the store gets to the server, if not directly.
    func configuration(
        _ place: StoreContract.Place,
        by address: String? = nil,
        history: StoreHistory? = nil
    ) throws -> PostgresConfiguration {
        if names.withLock({ $0.insert(place.name).inserted }) {
            try RawPostgres(server).rows("CREATE SCHEMA \(place.name)")
        }
        var configuration = PostgresConfiguration(address ?? server)
        configuration.searchPath = [place.name]
        configuration.history = history
        return configuration
    }
}
