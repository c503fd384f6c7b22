import CSQLite
import DovetailSQL
import DovetailStore
import Foundation

/// One open database file, with its statements prepared once each.
///
/// Not thread-safe; ``SQLiteStore`` hands it to one caller at a time.
final class SQLiteConnection {
    let handle: OpaquePointer
    let renderer = SQLRenderer(SQLiteDialect())
    /// Where the database lies, for messages.
    let location: String
    private var statements: [String: SQLiteStatement] = [:]
    private var transactionDepth = 0

    /// Programs have few shapes of queries; one that makes endless new ones starts over here.
    private static let mostStatements = 256

    /// Opens a file, or a database in memory when `path` is nil.
    init(path: String?, isReadOnly: Bool, busyTimeout: Duration) throws {
        location = path ?? "in memory"
        var handle: OpaquePointer?
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path ?? ":memory:", &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw StoreError(sqlite: code, handle, location: location, table: nil)
        }
        self.handle = handle
        let (seconds, attoseconds) = busyTimeout.components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
        sqlite3_busy_timeout(
            handle,
            milliseconds.overflow
                ? .max
                : Int32(clamping: milliseconds.partialValue + attoseconds / 1_000_000_000_000_000)
        )
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Whether the file can only be read, whatever was asked for.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// Runs statements without parameters.
    func execute(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// The statement of a text, ready to be bound.
    func statement(_ sql: String) throws -> SQLiteStatement {
        if let known = statements[sql], !known.isInUse {
            return known
        }
        if statements.count >= Self.mostStatements { statements.removeAll() }
        let statement = try SQLiteStatement(sql, on: self)
        statements[sql] = statement
        return statement
    }

    /// The error of the last call.
    func error(_ code: Int32, table: String? = nil) -> StoreError {
        StoreError(sqlite: code, handle, location: location, table: table)
    }
}

extension SQLiteConnection: StoreQuerying {
    func rows(of query: Query) throws -> any RowCursor {
        let sql = try renderer.select(query)
        let statement = try statement(sql.text)
        statement.table = query.entity.table
        try statement.bind(sql.bindings)
        return SQLiteCursor(statement)
    }

    func count(of query: Query) throws -> Int {
        let sql = try renderer.count(query)
        let statement = try statement(sql.text)
        try statement.bind(sql.bindings)
        defer { statement.reset() }
        guard try statement.step() else { return 0 }
        return Int(sqlite3_column_int64(statement.handle, 0))
    }
}

extension SQLiteConnection: StoreWriting {
    func writer(_ verb: WriteVerb, into entity: EntitySchema) throws -> any RowWriter {
        let statement = try statement(renderer.write(verb, entity))
        statement.table = entity.table
        return SQLiteRowWriter(statement, verb: verb, entity: entity, on: self)
    }

    func delete(_ query: Query) throws -> Int {
        let sql = try renderer.delete(query)
        let statement = try statement(sql.text)
        statement.table = query.entity.table
        try statement.bind(sql.bindings)
        defer { statement.reset() }
        _ = try statement.step()
        return Int(sqlite3_changes64(handle))
    }
}

extension SQLiteConnection: StoreTransactions {
    /// The outermost transaction takes the write lock at once, so that it cannot fail half-way
    /// for want of it; inner ones are savepoints.
    func transaction<Result>(keeping: Bool, _ body: () throws -> Result) throws -> Result {
        let name = "dovetail_\(transactionDepth)"
        let isOuter = transactionDepth == 0
        try execute(isOuter ? "BEGIN IMMEDIATE" : "SAVEPOINT \(name)")
        transactionDepth += 1
        defer { transactionDepth -= 1 }
        do {
            let result = try body()
            if keeping {
                try execute(isOuter ? "COMMIT" : "RELEASE \(name)")
            } else {
                try undo(isOuter, name)
            }
            return result
        } catch {
            // A statement that failed may have ended the transaction already; the first error is
            // the one to report.
            try? undo(isOuter, name)
            throw error
        }
    }

    private func undo(_ isOuter: Bool, _ name: String) throws {
        if isOuter {
            if sqlite3_get_autocommit(handle) == 0 { try execute("ROLLBACK") }
        } else {
            try execute("ROLLBACK TO \(name); RELEASE \(name)")
        }
    }
}
