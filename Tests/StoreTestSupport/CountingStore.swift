import Dovetail
package import DovetailStore
import Synchronization

/// A database in memory that counts what it is asked to do.
package final class CountingStore: DataStore {
    /// What was asked so far.
    package struct Counts: Equatable, Sendable {
        package var queries = 0
        package var writers: [WriteVerb: Int] = [:]
        package var deletions = 0

        package init(queries: Int = 0, writers: [WriteVerb: Int] = [:], deletions: Int = 0) {
            self.queries = queries
            self.writers = writers
            self.deletions = deletions
        }
    }

    fileprivate let counts = Mutex(Counts())
    private let base: any DataStore

    fileprivate init(_ base: any DataStore) { self.base = base }

    package func withConnection<Result>(
        _ body: (any StoreConnection) throws -> Result
    ) throws -> Result {
        try base.withConnection { try body(CountingConnection($0, self)) }
    }

    /// The counts since the last call.
    package func takeCounts() -> Counts {
        counts.withLock { counts in
            defer { counts = Counts() }
            return counts
        }
    }

    /// Makes a container over such a store.
    package struct Configuration: DataStoreConfiguration {
        package init() {}

        package func makeStore(for schema: Schema) throws -> any DataStore {
            let memory = ModelConfiguration(isStoredInMemoryOnly: true)
            return CountingStore(try memory.makeStore(for: schema))
        }
    }
}

/// Passes everything on; the rows themselves do not come through here.
private final class CountingConnection: StoreConnection {
    private let base: any StoreConnection
    private let store: CountingStore

    init(_ base: any StoreConnection, _ store: CountingStore) {
        self.base = base
        self.store = store
    }

    func rows(of query: Query) throws -> any RowCursor {
        store.counts.withLock { $0.queries += 1 }
        return try base.rows(of: query)
    }

    func count(of query: Query) throws -> Int {
        store.counts.withLock { $0.queries += 1 }
        return try base.count(of: query)
    }

    func writer(_ verb: WriteVerb, into entity: EntityBinding) throws -> any RowWriter {
        store.counts.withLock { $0.writers[verb, default: 0] += 1 }
        return try base.writer(verb, into: entity)
    }

    func delete(_ query: Query) throws -> Int {
        store.counts.withLock { $0.deletions += 1 }
        return try base.delete(query)
    }

    func transaction<Result>(keeping: Bool, _ body: () throws -> Result) throws -> Result {
        try base.transaction(keeping: keeping, body)
    }
}
