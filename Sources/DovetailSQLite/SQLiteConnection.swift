import CSQLite
import DovetailModel
import DovetailSQL
import DovetailStore
import Foundation

/// One open database, and the statements that were prepared on it.
///
/// Its store owns it and hands it to one caller at a time. It is not thread-safe, and SQLite is
/// opened without a mutex of its own (`SQLITE_OPEN_NOMUTEX`, https://sqlite.org/threadsafe.html),
/// so the lock of ``SQLiteStore`` is what keeps two threads apart.
///
/// A text is prepared once and kept, up to ``mostStatements`` of them.
final class SQLiteConnection {
    /// SQLite's handle. Invariant: open from the end of `init` to `deinit`, which is the only place
    /// that closes it.
    let handle: OpaquePointer
    /// What writes the statements. ``SQLiteTables`` sets it before the first query.
    @exclusivity(unchecked) var renderer: SQLRenderer
    /// Where the database is, for messages.
    let location: String
    /// Which file was opened; nil in memory, and of a temporary one.
    let file: SQLiteFileIdentity?
    /// Prepared statements by their text. One that was in use when its text was asked for again is
    /// replaced here; its cursor keeps it alive.
    private var statements: [String: SQLiteStatement] = [:]
    /// The statements of queries and writers by what their text depends on, so that the next one of
    /// a shape is not rendered. Rendering was half of a fetch by key.
    private var shapes: [QueryShape: SQLiteStatement] = [:]
    /// The statement of the last change of a row.
    @exclusivity(unchecked) var lastChange: LastChange?
    /// The cursors of fetches by key, by the model's type, and the last one of them.
    private var keyCursors: [ObjectIdentifier: SQLiteCursor] = [:]
    private var lastKeyCursor: (model: ObjectIdentifier, cursor: SQLiteCursor)?
    /// Why the last program that a statement called has failed.
    var programError: (any Error)?
    /// Reads all rows of a query. It is one for all of them.
    let rowFunction = SQLiteRowFunction()
    /// How many arguments a function may have, and how many parameters a statement.
    private let mostArguments: Int
    let mostParameters: Int
    /// What may end the work of whoever has the connection.
    var interruption: StoreInterruption? {
        didSet { if interruption != nil, !watchesProgress { watchProgress(true) } }
    }
    /// Whether SQLite looks for an interruption while a statement runs. It does whenever there is one.
    var watchesProgress = false
    /// How long to wait for a lock, and since when that is done.
    var busyTimeout: Duration
    var waitsSince = ContinuousClock.now
    let tracer: SQLiteTracer?
    /// The history that transactions are commits of; nil where none is kept.
    var history: SQLiteHistory?
    /// By table the rows of its history, above the first number and up to the second, that tell of parked rows.
    var parkedHistory: [String: (after: Int64, through: Int64)] = [:]
    /// Who writes, and which commit the last transaction was.
    var author: String?
    var lastCommitNumber: Int64?
    /// The number of the file's state as this connection saw it last; nil before that.
    var dataVersion: String?
    /// How many calls of `transaction(keeping:_:)` are running.
    var transactionDepth = 0
    /// The writer that holds rows back: one at a time, and inside of a transaction only.
    @exclusivity(unchecked) var holder: SQLiteRowWriter?

    /// Programs have few shapes of queries. One that makes endless new shapes, such as lists of any
    /// length, empties the table here instead of filling memory.
    private static let mostStatements = 256

    /// Opens a file, or a database in memory when `path` is nil.
    ///
    /// SQLite opens lazily: a file that is no database is only found by the first statement.
    ///
    /// - Parameters:
    ///   - path: The file, which is created unless the database is opened to be read only.
    ///   - options: Whether it is opened with `SQLITE_OPEN_READONLY`, how long a statement waits for
    ///     a lock, and what is traced.
    ///   - renderer: That of another connection to the same file, which knows its tables.
    /// - Throws: ``StoreError`` of kind `cannotOpen` and of others that SQLite reports.
    init(
        path: String?,
        _ options: SQLiteOptions,
        _ renderer: SQLRenderer = SQLRenderer(SQLiteDialect())
    ) throws {
        self.renderer = renderer
        location = path ?? "in memory"
        busyTimeout = options.busyTimeout
        tracer = options.trace.map { SQLiteTracer($0) }
        var handle: OpaquePointer?
        let access =
            options.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path ?? ":memory:", &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw StoreError(sqlite: code, handle, location: location, table: nil)
        }
        self.handle = handle
        file = path.flatMap { SQLiteFileIdentity($0) }
        // https://sqlite.org/c3ref/c_limit_attached.html
        mostArguments = Int(sqlite3_limit(handle, SQLITE_LIMIT_FUNCTION_ARG, -1))
        mostParameters = Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
        // A column that another process has renamed is an error, and not its own name in every row.
        dovetail_sqlite_refuse_quoted_texts(handle)
        watchLocks()
        SQLiteFunctions.register(on: self)
        rowFunction.register(on: handle)
        tracer?.listen(to: handle)
    }

    /// The path of a file. `URL.path` ends at a NUL, and another file would be opened.
    ///
    /// - Throws: ``StoreError`` of kind `cannotOpen` for an address that names no file.
    static func path(of url: URL) throws -> String {
        guard url.isFileURL, !url.path(percentEncoded: true).contains("%00") else {
            throw StoreError(
                .cannotOpen,
                location: url.absoluteString,
                explanation: "the address names no file"
            )
        }
        return url.path
    }

    deinit {
        statements.removeAll()
        shapes.removeAll()
        keyCursors.removeAll()
        lastKeyCursor = nil
        lastChange = nil
        sqlite3_close_v2(handle)
    }

    /// Whether the database cannot be written to, also when it was opened for writing: SQLite falls
    /// back to reading where the file's permissions allow no more.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// Looks at all pages of the database (https://sqlite.org/pragma.html#pragma_quick_check).
    ///
    /// - Throws: ``StoreError`` of kind `corrupt`.
    func checkIntegrity() throws {
        guard let answer = try text("PRAGMA quick_check(1)"), answer != "ok" else { return }
        throw StoreError(
            .corrupt,
            location: location,
            explanation: "the database file is damaged",
            detail: answer
        )
    }

    /// Runs one or more statements without parameters, and drops any rows.
    ///
    /// - Throws: ``StoreError``.
    func execute(_ sql: String) throws {
        try writeHeld()
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// The first column of the only row of a statement, as text; nil without one.
    ///
    /// - Throws: ``StoreError``.
    func text(_ sql: String, _ values: [QueryValue] = []) throws -> String? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        guard try statement.step() else { return nil }
        return statement.text(0)
    }

    /// Whether there is a table of a name that is known here: one of Dovetail's own.
    ///
    /// - Throws: ``StoreError``.
    func hasTable(_ name: StaticString) throws -> Bool {
        try text("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '\(name)'") != nil
    }

    /// The names of the columns of a table in lower case; none where there is no such table.
    ///
    /// - Throws: ``StoreError``.
    func columnNames(of table: String) throws -> Set<String> {
        let statement = try statement("SELECT name FROM pragma_table_info(?1)")
        defer { statement.reset() }
        try statement.bind([.text(table)])
        var names: Set<String> = []
        while try statement.step() { names.insert(statement.text(0).lowercased()) }
        return names
    }

    /// The statement of a text, ready to be bound. Every parameter has to be bound again, since the
    /// values of its last use are still there.
    ///
    /// A cursor that is open on the kept statement is left alone: another statement is prepared.
    ///
    /// - Throws: ``StoreError`` when SQLite does not take the text.
    func statement(_ sql: String, _ table: String? = nil) throws -> SQLiteStatement {
        try writeHeld()
        if let known = statements[sql], !known.isInUse {
            return known
        }
        if statements.count >= Self.mostStatements { statements.removeAll() }
        let statement = try SQLiteStatement(sql, table, on: self)
        statements[sql] = statement
        return statement
    }

    /// The statement of a shape, ready to be bound, as ``statement(_:)`` gives it.
    ///
    /// - Parameter text: renders it, where no statement of the shape is free.
    /// - Throws: ``StoreError``, and what `text` throws.
    func statement(
        of shape: QueryShape,
        _ table: String,
        _ text: () throws -> String
    ) throws -> SQLiteStatement {
        if let known = shapes[shape], !known.isInUse { return known }
        let statement = try statement(text(), table)
        if shapes.count >= Self.mostStatements { shapes.removeAll() }
        shapes[shape] = statement
        return statement
    }

    /// The closed cursor that finds a row by its key. A shape would have to be made and hashed to find
    /// its statement, and a cursor allocated.
    ///
    /// A cursor that is closed may be opened for the next caller: who closes one must not use it again
    /// (``SQLiteStore/withReadConnection(_:)``).
    private func keyCursor(of entity: EntityBinding) throws -> SQLiteCursor {
        let model = ObjectIdentifier(entity.type)
        if let last = lastKeyCursor, last.model == model, !last.cursor.statement.isInUse {
            return last.cursor
        }
        if let known = keyCursors[model], !known.statement.isInUse {
            lastKeyCursor = (model, known)
            return known
        }
        let example = [QueryValue](repeating: .integer(0), count: entity.keyCount)
        let query = Query(entity, filter: entity.filter(of: [example]))
        let statement = try statement(renderer.select(query).text, entity.table)
        let cursor = SQLiteCursor(closed: statement)
        keyCursors[model] = cursor
        lastKeyCursor = (model, cursor)
        return cursor
    }

    /// The error of the last call on this connection, whose result code was `code`.
    func error(_ code: Int32, table: String? = nil) -> StoreError {
        // A lock that nobody waited for any longer is reported as busy.
        let isInterrupted = [SQLITE_INTERRUPT, SQLITE_BUSY].contains(code & 0xFF)
        if isInterrupted, let reason = interruption?.reason {
            return StoreInterruption.error(reason, table: table, code: Int(code))
        }
        return StoreError(sqlite: code, handle, location: location, table: table)
    }

    /// A statement that fails undoes itself alone (https://sqlite.org/lang_transaction.html). To be able to undo
    /// more of a transaction makes SQLite keep each page as it was: an upsert of 100,000 rows took a third
    /// longer.
    var continuesAfterRefusal: Bool { true }

    /// Whether the caller has begun a transaction, and nothing has undone it.
    var hasTransaction: Bool { transactionDepth > 0 && sqlite3_get_autocommit(handle) == 0 }

    /// Writes the rows that are held back, which comes before all else that is done with the database.
    ///
    /// - Throws: ``StoreError`` with the key of the row.
    func writeHeld() throws {
        guard let holder else { return }
        self.holder = nil
        try holder.writeHeld()
    }

    /// Writes what is held back, and does nothing else while the transaction that its caller has opened is
    /// open. SQLite ends one by itself when a write fails half-way, as on a full disk
    /// (https://sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction); what is
    /// written after that would be stored alone.
    ///
    /// - Throws: ``StoreError`` of kind `storageFailure`, or of what interrupted the transaction.
    func requireTransaction() throws {
        try writeHeld()
        guard transactionDepth > 0, sqlite3_get_autocommit(handle) != 0 else { return }
        if let reason = interruption?.reason { throw StoreInterruption.error(reason) }
        throw StoreError(
            .storageFailure,
            location: location,
            explanation: "an error before this one has undone the whole transaction; begin it again"
        )
    }

    /// Refuses to write to a file that nobody will find again. SQLite looks for it where it keeps a rollback
    /// journal, and not in WAL mode.
    ///
    /// - Throws: ``StoreError`` of kind `storageFailure`.
    func requireFile() throws {
        guard let file, SQLiteFileIdentity(location) != file else { return }
        throw StoreError(.storageFailure, location: location, explanation: Self.fileIsGone)
    }

    static let fileIsGone =
        "the file was deleted, moved or replaced while it was open; open it again"

    /// A name as SQL has it.
    func quoted(_ name: String) -> String { renderer.dialect.quoted(name) }
}

extension SQLiteConnection: StoreQuerying {
    /// A cursor over a prepared `SELECT`. The statement stays in use until the cursor is read to
    /// the end or closed.
    func rows(of query: Query) throws -> any RowCursor {
        try requireTransaction()
        let (shape, bindings) = QueryShape.select(query, renderer.dialect)
        let isWhole = query.order.isEmpty && query.limit == nil && query.offset == 0
        if isWhole, tracer == nil, query.entity.attributes.count <= mostArguments {
            return SQLiteQueryCursor(query, shape, bindings, on: self)
        }
        return try cursor(query, shape, bindings)
    }

    /// The rows of a query one at a time.
    func cursor(
        _ query: Query,
        _ shape: QueryShape,
        _ bindings: [SQLBinding]
    ) throws -> SQLiteCursor {
        let statement = try statement(of: shape, query.entity.table) {
            try renderer.select(query).text
        }
        try statement.bind(bindings)
        return SQLiteCursor(statement)
    }

    func rows(
        of entity: EntityBinding,
        key: (any RowSink) throws -> Void
    ) throws -> any RowCursor {
        try requireTransaction()
        let cursor = try keyCursor(of: entity)
        try key(cursor.statement)
        cursor.open()
        return cursor
    }

    func count(of query: Query) throws -> Int {
        try requireTransaction()
        let (shape, bindings) = QueryShape.count(query, renderer.dialect)
        let statement = try statement(of: shape, query.entity.table) {
            try renderer.count(query).text
        }
        try statement.bind(bindings)
        defer { statement.reset() }
        guard try statement.step() else { return 0 }
        return Int(statement.integer(0))
    }
}
