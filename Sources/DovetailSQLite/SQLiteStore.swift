import CSQLite
public import DovetailStore
public import Foundation

/// A SQLite database, in a file or in memory.
///
/// Files are in WAL mode with synchronous NORMAL (https://sqlite.org/wal.html): readers of other
/// processes are not blocked by a writer, and a crash of the machine may lose the last transactions
/// but never part of one.
public final class SQLiteStore: DataStore {
    /// Where the database lies; nil in memory.
    public let url: URL?
    /// Invariant: `connection` is only touched while `lock` is held. The lock is recursive, so that
    /// a model's own code may use the context that is writing it.
    private nonisolated(unsafe) let connection: SQLiteConnection
    private let lock = NSRecursiveLock()

    /// Opens a database and brings the tables of `schema` into being.
    ///
    /// - Parameters:
    ///   - url: a file, which is created if it does not exist; nil for a database in memory.
    ///   - isReadOnly: whether nothing is ever written.
    ///   - busyTimeout: how long to wait for another connection that holds the database.
    /// - Throws: ``StoreError``: `notADatabase`, `cannotOpen`, `readOnly`, `locked`, `corrupt`, and
    ///   `invalidSchema` when a table exists with other columns.
    public init(
        url: URL?,
        isReadOnly: Bool = false,
        busyTimeout: Duration = .seconds(5),
        schema: Schema
    ) throws {
        if let url, !url.isFileURL {
            throw StoreError(
                .cannotOpen,
                location: url.absoluteString,
                explanation: "the address names no file"
            )
        }
        self.url = url
        let connection = try SQLiteConnection(
            path: url?.path,
            isReadOnly: isReadOnly,
            busyTimeout: busyTimeout
        )
        self.connection = connection
        // Reading the schema first tells a file that is no database from one that is locked.
        try connection.execute("SELECT count(*) FROM sqlite_schema")
        // A file that does not fit stays as it is, so WAL mode, which is kept in it, comes second.
        let tables = SQLiteTables(connection)
        let missing = try tables.missing(of: schema)
        if url != nil, !connection.isReadOnly {
            try connection.execute("PRAGMA journal_mode = WAL")
        }
        try connection.execute("PRAGMA synchronous = NORMAL")
        try tables.create(missing)
    }

    /// Runs `body` with the one connection; other callers wait.
    ///
    /// - Throws: what `body` throws.
    public func withConnection<Result>(
        _ body: (any StoreConnection) throws -> Result
    ) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(connection)
    }
}
