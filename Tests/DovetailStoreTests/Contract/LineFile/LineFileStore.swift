import Dovetail

/// Where a store of lines is. A store as a user of the package would write it: only public API.
struct LineFileConfiguration: DataStoreConfiguration {
    let url: URL

    func makeStore(for schema: Schema) throws -> any DataStore {
        try LineFileStore(url, schema)
    }
}

/// A store in one file of JSON lines, for some thousand rows: all of them are in memory, and each
/// commit writes the file anew. One program at a time may have the file open.
final class LineFileStore: DataStore {
    private let url: URL
    /// Invariant: it is used in `withConnection` only, while `lock` is held. The lock is recursive,
    /// so that a model's own code may use the context that is writing it.
    private nonisolated(unsafe) let connection: LineFileConnection
    private let lock = NSRecursiveLock()

    init(_ url: URL, _ schema: Schema) throws {
        self.url = url
        var state = try LineFileState(contentsOf: url)
        for entity in schema.bindings { try state.add(entity.description, url) }
        connection = LineFileConnection(state, url)
    }

    func withConnection<Result>(
        _ body: (any StoreConnection) throws -> Result
    ) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(connection)
    }

    var capabilities: StoreCapabilities {
        StoreCapabilities(without: [
            .concurrentReads: "one connection serves all callers",
            .history: "the file holds the rows as they are",
            .changeTokens: "the file holds rows alone",
            .localChanges: "the file holds the rows as they are",
        ])
    }

    func backup(to url: URL) throws {
        try withConnection { _ in
            do {
                try connection.state.lines().write(to: url, options: .withoutOverwriting)
            } catch let error as CocoaError {
                throw StoreError(
                    error.code == .fileWriteFileExists ? .cannotOpen : .storageFailure,
                    location: url.path,
                    explanation: "the backup cannot be written",
                    detail: "\(error)"
                )
            }
        }
    }
}

/// The connection of all callers. A transaction is a copy of the state.
final class LineFileConnection: StoreConnection {
    private(set) var state: LineFileState
    private let url: URL
    private var depth = 0

    init(_ state: LineFileState, _ url: URL) {
        self.state = state
        self.url = url
    }

    func rows(of query: Query) throws -> any RowCursor {
        let table = try state.table(query.entity.table)
        return try query.rows(among: table.rows.values.lazy.map { RowImage($0) })
    }

    func count(of query: Query) throws -> Int {
        var query = query
        query.order = []
        let cursor = try rows(of: query)
        var count = 0
        while try cursor.next() { count += 1 }
        return count
    }

    func writer(_ verb: WriteVerb, into entity: EntityBinding) throws -> any RowWriter {
        _ = try state.table(entity.table)
        return ValueWriter(entity) { values in
            try self.change { try $0.write(values, verb, entity.table) }
        }
    }

    func delete(_ query: Query) throws -> Int {
        let cursor = try rows(of: query)
        return try change { state in
            var count = 0
            while try cursor.next() {
                let isThere = try state.delete(query.entity.key(of: cursor), query.entity.table)
                if isThere { count += 1 }
            }
            return count
        }
    }

    func park(_ keys: [[QueryValue]], of entity: EntityBinding) throws {
        try change { try $0.park(keys, entity.table) }
    }

    /// Changes the state in the transaction that is open, or in one of its own.
    private func change<Result>(
        _ body: (inout LineFileState) throws -> Result
    ) throws -> Result {
        if depth > 0 { return try body(&state) }
        return try transaction(keeping: true) { try body(&state) }
    }

    func transaction<Result>(keeping: Bool, _ body: () throws -> Result) throws -> Result {
        let before = state
        depth += 1
        defer { depth -= 1 }
        do {
            let result = try body()
            if !keeping {
                state = before
            } else if depth == 1, state.changes != before.changes {
                try state.checkReferences()
                try state.write(to: url)
            }
            return result
        } catch {
            state = before
            throw error
        }
    }
}
