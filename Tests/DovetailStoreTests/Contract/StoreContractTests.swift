import Dovetail
import DovetailTesting
import Testing

/// The contract on the stores of this package, through the door that users have.
@Suite struct StoreContractTests {
    @Test(arguments: StoreContract.cases)
    func `SQLite in a file keeps the contract`(_ part: StoreContract.Case) async throws {
        try await part.check { place in ModelConfiguration(url: place.url) }
    }

    @Test(arguments: StoreContract.cases)
    func `SQLite with a history keeps the contract`(_ part: StoreContract.Case) async throws {
        try await part.check { place in
            var configuration = ModelConfiguration(url: place.url)
            configuration.history = StoreHistory()
            return configuration
        }
    }

    @Test(arguments: StoreContract.cases)
    func `SQLite in memory keeps the contract`(_ part: StoreContract.Case) async throws {
        try await part.check { _ in ModelConfiguration(isStoredInMemoryOnly: true) }
    }

    @Test(arguments: StoreContract.cases)
    func `the memory store keeps the contract`(_ part: StoreContract.Case) async throws {
        try await part.check { _ in MemoryConfiguration() }
    }

    /// Two databases in memory as one store; the second one keeps nothing.
    private struct Joined: DataStoreConfiguration {
        func makeStore(for schema: Schema) throws -> any DataStore {
            let memory = ModelConfiguration(isStoredInMemoryOnly: true)
            return try ModelContainer(
                for: schema.entities.map(\.type),
                configurations: [memory, MemoryConfiguration().keeping()]
            ).store
        }
    }

    @Test(arguments: StoreContract.cases)
    func `several stores as one keep the contract`(_ part: StoreContract.Case) async throws {
        try await part.check { _ in Joined() }
    }

    @Test func `each case has a sentence of its own`() {
        #expect(Set(StoreContract.cases.map(\.name)).count == StoreContract.cases.count)
        #expect(StoreContract.cases.count > 50)
    }
}
