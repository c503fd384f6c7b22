import CSQLite
import DovetailSQL
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
    private let keepsHistory: Bool
    private let longestSnapshot: Duration?
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
    ///   - options: How it is opened, and how it works.
    ///   - schema: The models.
    /// - Throws: ``StoreError``: `notADatabase`, `cannotOpen`, `readOnly`, `locked`, `corrupt`, and
    ///   `invalidSchema` when a table lacks a column of its model, requires one that the model does
    ///   not have, has another key, or requires a value where the model's may be nil.
    public init(
        url: URL?,
        options: SQLiteOptions = SQLiteOptions(),
        schema: Schema
    ) throws {
        self.url = url
        let path = try url.map { try SQLiteConnection.path(of: $0) }
        let connection = try SQLiteConnection(path: path, options)
        self.connection = connection
        // The first statement that reads the file. It fails here when the file is no database or is
        // locked, before anything is written.
        try connection.execute("SELECT count(*) FROM sqlite_schema")
        if options.checksIntegrity { try connection.checkIntegrity() }
        try connection.execute("PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON")
        let isOurs = try SQLiteTables(connection).prepare(for: schema)
        // WAL mode is kept in the file, so it is set when the tables are known to fit, and not in
        // the files of others.
        if url != nil, isOurs, !connection.isReadOnly {
            // Of several processes that switch at once, SQLite lets none wait.
            try connection.waitingForLock { try connection.execute("PRAGMA journal_mode = WAL") }
        }
        _ = try connection.noteForeignCommits()
        longestSnapshot = options.longestSnapshot
        let isWAL = try connection.text("PRAGMA journal_mode") == "wal"
        // Without a write-ahead log NORMAL would not promise that the database stays whole.
        let isFull = options.durability == .full || !isWAL
        try connection.execute("PRAGMA synchronous = \(isFull ? "FULL" : "NORMAL")")
        if url != nil { try connection.keepPages() }
        let renderer = connection.renderer
        readers = url.flatMap { isWAL ? SQLiteReaders(path: $0.path, options, renderer) : nil }
        let history = SQLiteHistory(
            connection: connection,
            schema: schema,
            retention: options.history?.retention
        )
        keepsHistory = try options.history != nil || history.isKept()
        if keepsHistory {
            if !connection.isReadOnly { try history.prepare() }
            connection.history = history
        }
    }

    deinit {
        readers?.close()
    }

    /// A table in a temporary database, which SQLite keeps in memory while it is small and in a file without
    /// a name after that (<https://sqlite.org/inmemorydb.html#temp_db>). A store in memory has none.
    ///
    /// - Throws: ``StoreError``.
    public func makeStage(of entity: EntityBinding) throws -> (any StoreConnection)? {
        guard url != nil else { return nil }
        let connection = try SQLiteConnection(path: "", SQLiteOptions())
        var table = entity.description
        (table.indexes, table.references, table.choices) = ([], [], nil)
        try connection.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
        try connection.execute(connection.renderer.createTable(table))
        return connection
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
        return try reader.connection.serving { try body(reader.connection) }
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
        return try reader.connection.serving {
            if let longestSnapshot {
                reader.connection.interruption = StoreInterruption(
                    deadline: .now + longestSnapshot,
                    inside: .current
                )
            }
            return try body(reader.connection)
        }
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
        return try connection.serving { try body(connection) }
    }
}

extension SQLiteStore {
    /// In memory there is no file to back up, and one connection serves all.
    public var capabilities: StoreCapabilities {
        var reasons: [StoreCapability: String] = [:]
        if readers == nil {
            reasons[.concurrentReads] =
                url == nil
                ? "a database in memory has one connection" : "the file is not in WAL mode"
        }
        if url == nil {
            reasons[.persistence] = "a database in memory lives as long as its container"
        }
        if !keepsHistory {
            let reason = "set `history` in the configuration to keep one"
            (reasons[.history], reasons[.localChanges]) = (reason, reason)
        }
        return StoreCapabilities(without: reasons)
    }

    /// Writes the database, as it is at one moment, to a new file. Others read and write meanwhile;
    /// in memory they wait.
    ///
    /// - Throws: ``StoreError``: `cannotOpen` when the file exists, `storageFailure`, and `cancelled`
    ///   or `deadlineExceeded`. No part of a file stays then.
    public func backup(to url: URL) throws {
        guard let readers, let reader = readers.take() else {
            return try withConnection { _ in try SQLiteBackup(source: connection).write(to: url) }
        }
        defer { readers.giveBack(reader) }
        try reader.connection.serving { try SQLiteBackup(source: reader.connection).write(to: url) }
    }

    /// Writes the write-ahead log into the file and empties it
    /// (https://sqlite.org/pragma.html#pragma_wal_checkpoint). SQLite does this by itself when the
    /// log is large, as far as no snapshot needs it.
    ///
    /// - Throws: ``StoreError``; `locked` while a snapshot is being read.
    public func checkpoint() throws {
        try withConnection { _ in
            guard try connection.text("PRAGMA wal_checkpoint(TRUNCATE)") != "1" else {
                throw StoreError(
                    .locked,
                    location: connection.location,
                    explanation: "a snapshot is being read; try again after it"
                )
            }
        }
    }

    /// A number that no other opening is given: one more than the last one, which the table
    /// `dovetail_store` keeps, or than the largest one that is used.
    ///
    /// - Throws: ``StoreError``; `readOnly` where the database cannot be written to, and `locked` where somebody
    ///   else is writing, for whom it does not wait.
    public func takeOpeningNumber(after used: Int64) throws -> Int64 {
        try withConnection { _ in
            let busyTimeout = connection.busyTimeout
            connection.busyTimeout = .zero
            defer { connection.busyTimeout = busyTimeout }
            return try connection.transaction(keeping: true) {
                try connection.execute(
                    """
                    INSERT INTO dovetail_store VALUES ('opening', \(used + 1))
                        ON CONFLICT (name) DO UPDATE SET value = max(value, \(used)) + 1
                    """
                )
                let text = try connection.text(
                    "SELECT value FROM dovetail_store WHERE name = 'opening'"
                )
                return text.flatMap { Int64($0) } ?? 1
            }
        }
    }

    /// Writes the database anew without the space of deleted rows (https://sqlite.org/lang_vacuum.html),
    /// and empties the log if no snapshot is being read.
    ///
    /// - Complexity: linear in the size of the database.
    /// - Throws: ``StoreError``; `unsupported` inside of a transaction.
    public func compact() throws {
        try withConnection { _ in
            guard sqlite3_get_autocommit(connection.handle) != 0 else {
                throw StoreError(
                    .unsupported,
                    location: connection.location,
                    explanation: "a database is not compacted inside of a transaction"
                )
            }
            try connection.execute("VACUUM")
            _ = try connection.text("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// The commits after a number.
    ///
    /// - Throws: ``StoreError``; `historyDisabled` where none is kept.
    public func history(
        since number: Int64,
        limit: Int?,
        of schema: Schema
    ) throws -> [HistoryCommit] {
        try withConnection { _ in
            guard let history = connection.history else {
                throw StoreError(
                    .historyDisabled,
                    location: connection.location,
                    explanation: "set `history` in the configuration to keep one"
                )
            }
            return try history.commits(since: number, limit: limit)
        }
    }
}
