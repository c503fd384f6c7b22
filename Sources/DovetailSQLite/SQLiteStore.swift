import CSQLite
public import DovetailStore
public import Foundation

/// A SQLite database: in a file over one connection that writes and others that read, in memory over
/// one connection.
///
/// A file that may be written is put into WAL mode with synchronous NORMAL
/// (https://sqlite.org/wal.html): a writer blocks no reader, and a crash of the machine may lose the
/// last transactions but never part of one. Inside of a process writers wait for each other; in
/// memory all callers do.
///
/// SQLite 3.37 or later is needed, for `sqlite3_changes64` (https://sqlite.org/c3ref/changes.html).
///
/// ```swift
/// let store = try SQLiteStore(url: url, schema: Schema([User.self]))
/// // PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL
/// // without a table User: BEGIN IMMEDIATE; CREATE TABLE "User" (…); COMMIT
/// ```
public final class SQLiteStore: DataStore {
    /// Where the database is; nil in memory.
    public let url: URL?
    /// Invariant: `connection` is only used in `init`, before anybody else has the store, and in
    /// `withConnection`, while `lock` is held. Its cursors and writers use it too, and
    /// `withConnection` asks its caller to keep them inside. The lock is recursive, so that a
    /// model's own code may use the context that is writing it.
    private nonisolated(unsafe) let connection: SQLiteConnection
    private let lock = NSRecursiveLock()
    /// Nil in memory, and where the file system has no WAL mode.
    private let readers: SQLiteReaders?

    /// Opens a database and creates the tables of `schema` that it lacks.
    ///
    /// A file that does not fit is left as it was. Tables that exist are compared by name: they may
    /// have further columns that are optional or have a default.
    ///
    /// - Parameters:
    ///   - url: A file, which is created if it does not exist, but not the folder around it; nil
    ///     for a database in memory.
    ///   - isReadOnly: Whether nothing is ever written. The file has to exist then.
    ///   - busyTimeout: How long to wait for another connection that holds the database.
    ///   - schema: The models.
    /// - Throws: ``StoreError``: `notADatabase`, `cannotOpen`, `readOnly`, `locked`, `corrupt`, and
    ///   `invalidSchema` when a table lacks a column of its model, requires one that the model does
    ///   not have, has another key, or requires a value where the model's may be nil.
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
        // The first statement that reads the file. It fails here when the file is no database or is
        // locked, before anything is written.
        try connection.execute("SELECT count(*) FROM sqlite_schema")
        try connection.execute("PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL")
        let isOurs = try SQLiteTables(connection).prepare(for: schema)
        // WAL mode is kept in the file, so it is set when the tables are known to fit, and not in
        // the files of others.
        if url != nil, isOurs, !connection.isReadOnly {
            try connection.execute("PRAGMA journal_mode = WAL")
        }
        let isWAL = try connection.text("PRAGMA journal_mode") == "wal"
        readers = url.flatMap {
            isWAL ? SQLiteReaders(path: $0.path, busyTimeout: busyTimeout) : nil
        }
    }

    deinit {
        readers?.close()
    }

    /// Runs `body` with a connection that only reads. In a file nobody waits for a writer: each
    /// query sees what was stored when it began.
    ///
    /// - Throws: what `body` throws, and ``StoreError``.
    public func withReadConnection<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result {
        guard let readers, let reader = readers.take() else { return try withConnection(body) }
        defer { readers.giveBack(reader) }
        return try body(reader.connection)
    }

    /// The same, over one state of the database for all that `body` reads. In memory nobody writes
    /// meanwhile.
    ///
    /// ```swift
    /// try store.withSnapshot { connection in … }
    /// // BEGIN; SELECT …; SELECT …; COMMIT
    /// ```
    ///
    /// - Throws: what `body` throws, and ``StoreError``.
    public func withSnapshot<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result {
        guard let readers, let reader = readers.take() else { return try withConnection(body) }
        defer { readers.giveBack(reader) }
        try reader.connection.execute("BEGIN")
        // What was only read has nothing to commit that could fail.
        defer { try? reader.connection.execute("COMMIT") }
        return try body(reader.connection)
    }

    /// Runs `body` with the one connection.
    ///
    /// Other threads block until `body` returns. A call inside of `body` on the same thread has the
    /// same connection, and the same transaction if one is open.
    ///
    /// ```swift
    /// let users = try store.withConnection { connection in
    ///     try connection.count(of: Query(EntityBinding(User.self)))
    /// }
    /// // SELECT count(*) FROM "User"
    /// ```
    ///
    /// - Parameter body: What uses the connection. Neither the connection nor its cursors and
    ///   writers may leave it.
    /// - Throws: what `body` throws.
    public func withConnection<Result>(
        _ body: (any StoreConnection) throws -> Result
    ) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(connection)
    }
}
