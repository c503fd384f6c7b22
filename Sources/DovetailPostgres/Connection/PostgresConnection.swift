import CPostgres
import DovetailModel
import DovetailSQL
import DovetailStore
import Foundation

/// One connection to a server, and the statements that were prepared on it.
///
/// A pool hands it to one caller at a time. It is not thread-safe, and neither is libpq's own
/// (https://www.postgresql.org/docs/current/libpq-threading.html).
final class PostgresConnection {
    /// libpq's connection. Invariant: valid from the end of `init` to ``close()``, which alone frees it, and
    /// after which nobody uses the connection.
    let handle: OpaquePointer
    private var isClosed = false
    /// How to work, the same for all connections of a store.
    let options: PostgresOptions
    /// What writes the statements. ``PostgresTables`` sets it before the first query.
    var renderer: SQLRenderer
    /// What is known of constraints. ``PostgresTables`` sets it, too.
    var catalog: PostgresCatalog
    /// Prepared statements by their texts and the types of their parameters.
    private var statements: [PostgresStatement.Key: PostgresStatement] = [:]
    /// The same by what the text depends on, so that the next query of a shape is not rendered.
    private var shapes: [QueryShape: PostgresStatement] = [:]
    private var statementNumber = 0
    /// The generation of ``PlanAges`` that the plans of prepared statements are from.
    private var planGeneration: Int
    /// Whether a person's SQL ran, which may have taken locks that outlast its transaction.
    var ranOtherSQL = false
    /// A position that the server is known to have replayed, where it is a replica.
    var replayed: Int64 = 0
    /// What may end the work of whoever has the connection.
    var interruption: StoreInterruption?
    /// By table the rows of its history, above the first number and up to the second, that tell of parked rows.
    var parkedHistory: [String: (after: Int64, through: Int64)] = [:]
    /// How many calls of `transaction(keeping:_:)` are running.
    var transactionDepth = 0
    /// The error by which another transaction was in the way of this one.
    var lostTo: StoreError?
    /// The streams of rows that are open.
    var streams = PostgresStreams()
    /// What is held back, in its order. What runs before it is written would not see it.
    var held = HeldStatements()
    /// Whether the last answer came before it was worth to sleep.
    private var answersSoon = false
    private static let soon = Duration.microseconds(60)
    /// A `COPY` whose rows are on their way.
    var copying: PostgresCopy?
    /// The changes that were held back and met no row, as somebody else has changed it.
    var conflicts: [ChangeConflict] = []
    /// Statements without an answer that begin or end transactions, and are sent with the next ones.
    var ahead: [String] = []
    /// By what the server knows the transaction that is open, where it is to be stored.
    var mark: PostgresTransactionMark?
    /// Whether it is to be asked for.
    var takesMark = false
    /// Who makes the next transaction.
    var author: String?
    /// The number that the last transaction has in the history.
    var lastCommitNumber: Int64?
    /// Where the server is, without a role or a password, for messages.
    var location: String { options.location }

    /// A program with endless new shapes of queries empties the tables here instead of filling the
    /// server's memory.
    private static let mostStatements = 256

    /// Connects, and waits for it.
    ///
    /// - Parameter target: What the server has to be, whatever the address says: libpq's
    ///   `target_session_attrs`.
    /// - Throws: ``StoreError`` of kind `cannotOpen`.
    init(
        _ options: PostgresOptions,
        _ renderer: SQLRenderer = SQLRenderer(PostgresDialect()),
        _ catalog: PostgresCatalog = PostgresCatalog(),
        target: String? = nil
    ) throws {
        self.options = options
        self.renderer = renderer
        self.catalog = catalog
        planGeneration = options.planAges.generation
        let seconds = max(2, options.connectTimeout.components.seconds)
        // What comes later counts, so the address may say otherwise but for the encoding.
        var parameters = [
            ("fallback_application_name", "dovetail"), ("connect_timeout", "\(seconds)"),
            ("dbname", options.address), ("client_encoding", "UTF8"),
        ]
        if let target { parameters.append(("target_session_attrs", target)) }
        var handle: OpaquePointer?
        Self.withTexts(parameters.map(\.0)) { names in
            Self.withTexts(parameters.map(\.1)) { values in
                handle = PQconnectdbParams(names, values, 1)
            }
        }
        guard let handle else {
            throw StoreError(
                .cannotOpen,
                location: options.location,
                explanation: "there is no memory for a connection"
            )
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            let words = PQerrorMessage(handle).map { String(cString: $0) }
            PQfinish(handle)
            throw StoreError(
                .cannotOpen,
                location: options.location,
                explanation: "the server cannot be reached, or refuses the connection",
                detail: words
            )
        }
        self.handle = handle
        // Otherwise libpq prints them.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        if let settings = options.sessionSettings { try execute(settings) }
    }

    deinit {
        close()
    }

    /// Ends the connection. Nobody uses it after that.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        PQfinish(handle)
    }

    /// Lends an array of C strings that ends with nil.
    private static func withTexts(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Void
    ) {
        var copies = texts.map { strdup($0).map { UnsafePointer($0) } } + [nil]
        defer { for copy in copies { free(UnsafeMutableRawPointer(mutating: copy)) } }
        copies.withUnsafeMutableBufferPointer { buffer in
            if let start = buffer.baseAddress { body(UnsafePointer(start)) }
        }
    }

    // MARK: Statements

    /// The statement of a text with parameters of these types.
    func statement(_ sql: String, _ types: [Oid]) -> PostgresStatement {
        let key = PostgresStatement.Key(sql: sql, types: types)
        if let known = statements[key] { return known }
        if statements.count >= Self.mostStatements {
            if PQtransactionStatus(handle) == PQTRANS_IDLE, transactionDepth == 0 {
                forgetStatements()
            } else {
                statements.removeAll()
                shapes.removeAll()
            }
        }
        statementNumber += 1
        let name = options.keepsSession ? "dovetail_\(statementNumber)" : nil
        let statement = PostgresStatement(key, name: name)
        statements[key] = statement
        return statement
    }

    /// The statement of a shape, where it is known.
    func statement(of shape: QueryShape) -> PostgresStatement? { shapes[shape] }

    /// The statement of a shape.
    ///
    /// - Parameter text: renders it, where it is not known with these types.
    func statement(
        of shape: QueryShape,
        _ types: [Oid],
        _ text: () throws -> String
    ) rethrows -> PostgresStatement {
        if let known = statement(of: shape), known.key.types == types { return known }
        let statement = statement(try text(), types)
        if shapes.count >= Self.mostStatements { shapes.removeAll() }
        shapes[shape] = statement
        return statement
    }

    /// Forgets all statements, and has the server forget them.
    func forgetStatements() {
        // Who writes rows may have one of them.
        for statement in statements.values { statement.isPrepared = false }
        statements.removeAll()
        shapes.removeAll()
        try? execute("DEALLOCATE ALL")
    }

    /// Has the server plan its statements anew before the next one, where tables have grown since it did
    /// (https://www.postgresql.org/docs/current/sql-discard.html).
    func dropOldPlans() {
        let generation = options.planAges.generation
        guard generation != planGeneration, options.keepsSession,
            [PQTRANS_IDLE, PQTRANS_INTRANS].contains(PQtransactionStatus(handle))
        else { return }
        planGeneration = generation
        ahead.append("DISCARD PLANS")
    }

    /// Forgets a statement that the server has, or that it refuses.
    func forget(_ statement: PostgresStatement) {
        statements[statement.key] = nil
        shapes = shapes.filter { $0.value !== statement }
    }

    // MARK: Running

    /// Runs one or more statements without parameters, and drops any rows.
    ///
    /// - Throws: ``StoreError``.
    func execute(_ sql: String) throws {
        try sendAhead()
        try trace(sql) {
            let result = try answer(to: PQsendQuery(handle, sql))
            guard result.isSuccess else { throw error(result, nil) }
            return 0
        }
    }

    /// Runs a text once, without keeping a statement.
    ///
    /// - Throws: ``StoreError``.
    @discardableResult
    func run(_ sql: String, _ fields: PostgresFields? = nil) throws -> PostgresResult {
        let statement = PostgresStatement(.init(sql: sql, types: fields?.types ?? []), name: nil)
        return try run(statement, fields ?? PostgresFields([]), table: nil)
    }

    /// Runs a statement, which is prepared where it is not yet.
    ///
    /// - Parameter table: What it is about, for messages.
    /// - Throws: ``StoreError``.
    func run(
        _ statement: PostgresStatement,
        _ fields: PostgresFields,
        table: String?
    ) throws -> PostgresResult {
        // A short statement has its answer before anybody looks.
        try interruption?.check()
        try writeHeld()
        dropOldPlans()
        try sendAhead()
        var result: PostgresResult?
        try trace(statement.key.sql, { fields.words }) {
            try prepare(statement, table)
            let needsSettings =
                !options.keepsSession && PQtransactionStatus(handle) == PQTRANS_IDLE
            let new =
                needsSettings
                ? try answerAlone(statement, fields) : try answer(to: send(statement, fields))
            guard new.isSuccess else {
                // The table has another form than when it was prepared, or somebody's SQL has removed it.
                if ["0A000", "26000"].contains(new.errorField("C")) { forget(statement) }
                throw error(new, table)
            }
            result = new
            return new.rowCount
        }
        guard let result else { throw lost() }
        return result
    }

    /// Lets the server prepare a statement, which costs a round trip once.
    func prepare(_ statement: PostgresStatement, _ table: String?) throws {
        guard let name = statement.name, !statement.isPrepared else { return }
        let types = statement.key.types
        let result = try answer(
            to: PQsendPrepare(handle, name, statement.key.sql, Int32(types.count), types)
        )
        guard result.isSuccess else {
            forget(statement)
            throw error(result, table)
        }
        statement.isPrepared = true
    }

    /// Sends a statement with the values of its parameters.
    ///
    /// - Returns: As libpq: 0 for a failure.
    func send(_ statement: PostgresStatement, _ fields: PostgresFields) -> Int32 {
        fields.withValues { values, lengths, formats in
            if let name = statement.name {
                return PQsendQueryPrepared(
                    handle,
                    name,
                    Int32(statement.key.types.count),
                    values,
                    lengths,
                    formats,
                    1
                )
            }
            return PQsendQueryParams(
                handle,
                statement.key.sql,
                Int32(statement.key.types.count),
                statement.key.types,
                values,
                lengths,
                formats,
                1
            )
        }
    }

    /// Waits for what the server answers to what was sent.
    ///
    /// - Parameter sent: What libpq has said of sending.
    /// - Throws: ``StoreError`` where there is no answer.
    func answer(to sent: Int32) throws -> PostgresResult {
        guard sent == 1 else { throw lost() }
        var answer: PostgresResult?
        while let next = try nextResult() {
            // The first error is the one; of several statements the last result.
            if answer?.isSuccess != false { answer = next }
            if next.status == PGRES_COPY_IN { break }
        }
        guard let answer else { throw lost() }
        return answer
    }

    /// The next result of what was sent; nil after the last one.
    func nextResult() throws -> PostgresResult? {
        try awaitSoon()
        if let interruption { try wait(interruption) }
        guard let result = PQgetResult(handle) else { return nil }
        let next = PostgresResult(result)
        if PQstatus(handle) == CONNECTION_BAD { throw lost() }
        return next
    }

    /// Looks for the answer for some microseconds before the thread sleeps, where the last one came that soon:
    /// waking up takes as long as a server on the same machine takes for a row. A server that is farther away,
    /// or has other work, ends that by itself.
    private func awaitSoon() throws {
        guard PQisBusy(handle) == 1 else { return }
        let start = ContinuousClock.now
        if answersSoon {
            let limit = start + Self.soon
            repeat {
                guard PQconsumeInput(handle) == 1 else { throw lost() }
                if PQisBusy(handle) == 0 { return }
            } while .now < limit
            answersSoon = false
            return
        }
        var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        guard poll(&socket, 1, 1) > 0 else { return }
        answersSoon = .now < start + Self.soon
    }
}
