import CPostgres
import DovetailModel
import DovetailSQL
import DovetailStore
import Foundation
import Synchronization

/// A database of a PostgreSQL server, over a pool of connections.
///
/// Every caller has a connection of its own. A call inside of another one on the same thread has the same
/// connection, unless that is in a transaction whose changes nobody else sees yet.
final class PostgresStore: DataStore {
    private let options: PostgresOptions
    private let pool: ConnectionPool<PostgresConnection>
    private let keepsHistory: Bool
    /// Nil where the primary answers everything.
    private let replicas: PostgresReplicas?
    /// The connections that threads have.
    private let threads = Mutex<[ObjectIdentifier: ThreadConnections]>([:])

    /// A connection that a thread has.
    ///
    /// Invariant of the unchecked `Sendable`: only the thread under whose name it stands uses it.
    private struct Held: @unchecked Sendable {
        let connection: PostgresConnection
        /// Whether it was taken to write on.
        let writes: Bool
    }

    private struct ThreadConnections {
        /// Those of calls that are running, the one of the innermost call last.
        var held: [Held] = []
        /// One that an inner call had, for the next one, which would wait for another connection to be made.
        var spare: Held?
    }

    init(_ options: PostgresOptions, _ schema: Schema) throws {
        self.options = options
        let first = try PostgresConnection(options)
        // Programs of the version before may write meanwhile, to several tables in another order.
        try Self.again(options.saveAttempts) { try PostgresTables(first).prepare(for: schema) }
        if try options.history != nil || PostgresHistory.isKept(on: first) {
            let history = PostgresHistory(schema: schema, retention: options.history?.retention)
            do {
                try Self.again(options.saveAttempts) { try history.prepare(on: first) }
            } catch let error as StoreError where error.kind == .readOnly {
                // Who may only read changes nothing.
                guard options.history == nil else { throw error }
            }
            first.catalog.history = history
        }
        keepsHistory = first.catalog.history != nil
        let (renderer, catalog) = (first.renderer, first.catalog)
        pool = ConnectionPool(options.pool, location: options.location) {
            try PostgresConnection(options, renderer, catalog)
        }
        if case .replica(let maximumLag) = options.reads {
            replicas = PostgresReplicas(
                options.pool,
                maximumLag: maximumLag,
                location: options.location
            ) {
                try PostgresConnection(options, renderer, catalog, target: "standby")
            }
        } else {
            replicas = nil
        }
    }

    /// Runs what prepares the database, and again where another transaction is in its way.
    private static func again(_ most: Int, _ body: () throws -> Void) throws {
        var attempt = 1
        while true {
            do {
                return try body()
            } catch let error as StoreError where error.isAboutOthers && attempt < most {
                try StoreError.pause(before: &attempt)
            }
        }
    }

    deinit {
        pool.close()
        replicas?.close()
    }

    private static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

    /// Runs `body` with a connection, which calls inside of it on the same thread find.
    private func with<Result>(
        _ connection: PostgresConnection,
        writes: Bool,
        _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        let thread = Self.thread
        let new = Held(connection: connection, writes: writes)
        threads.withLock { $0[thread, default: ThreadConnections()].held.append(new) }
        defer {
            // With the outermost call the spare one goes, too.
            let last = threads.withLock { threads -> ThreadConnections? in
                threads[thread]?.held.removeLast()
                return threads[thread]?.held.isEmpty == true
                    ? threads.removeValue(forKey: thread) : nil
            }
            last?.spare?.connection.close()
        }
        defer { connection.removeLocks() }
        return try connection.serving { try body(connection) }
    }

    /// The connections that the thread has, from the outermost on.
    private func ofThisThread() -> [Held] {
        let thread = Self.thread
        return threads.withLock { $0[thread]?.held } ?? []
    }

    /// Runs `body` with a connection of the pool; beside it where the thread has one already, since as many
    /// threads as there are connections would wait for each other.
    ///
    /// - Parameter isInner: Whether it has.
    private func taking<Result>(
        writes: Bool,
        isInner: Bool,
        _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        if isInner {
            let thread = Self.thread
            let connection = try takeSpare(thread)
            defer { keepSpare(connection, thread) }
            return try with(connection, writes: writes, body)
        }
        return try pool.withConnection { try with($0, writes: writes, body) }
    }

    /// A connection beside those that the thread has.
    private func takeSpare(_ thread: ObjectIdentifier) throws -> PostgresConnection {
        let spare = threads.withLock { $0[thread]?.spare.take() }
        if let connection = spare?.connection {
            if connection.isUsable { return connection }
            connection.close()
        }
        let (renderer, catalog) = PostgresConnection.known(ofThisThread().map(\.connection))
        return try PostgresConnection(options, renderer, catalog)
    }

    /// Keeps a connection for the next inner call of the thread.
    private func keepSpare(_ connection: PostgresConnection, _ thread: ObjectIdentifier) {
        let new = Held(connection: connection, writes: false)
        let isKept =
            connection.isUsable
            && threads.withLock { threads in
                guard threads[thread] != nil, threads[thread]?.spare == nil else { return false }
                threads[thread]?.spare = new
                return true
            }
        if !isKept { connection.close() }
    }

    /// Runs `body` with a connection to write on.
    ///
    /// - Throws: what `body` throws; ``StoreError`` where there is no connection.
    func withConnection<Result>(
        _ body: (any StoreConnection) throws -> Result
    ) throws -> Result {
        defer { replicas?.noteWriter() }
        let all = ofThisThread()
        if let own = all.last(where: { $0.writes }) {
            return try own.connection.serving { try body(own.connection) }
        }
        return try taking(writes: true, isInner: !all.isEmpty) { try body($0) }
    }

    /// Runs `body` with a connection that reads what is stored.
    func withReadConnection<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result {
        let all = ofThisThread()
        if let own = all.last(where: { $0.connection.transactionDepth == 0 && $0.writes }) {
            return try own.connection.serving { try body(own.connection) }
        }
        return try reading(isInner: !all.isEmpty) { try body($0) }
    }

    /// Runs `body` with a connection of a replica, or of the primary where none may answer, or the thread
    /// works on it already.
    private func reading<Result>(
        isInner: Bool,
        _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        guard let replicas, !isInner,
            let lease = try replicas.take({
                try taking(writes: false, isInner: false) { try $0.logPosition() }
            })
        else { return try taking(writes: false, isInner: isInner, body) }
        defer { replicas.giveBack(lease) }
        return try with(lease.connection, writes: false, body)
    }

    /// Runs `body` with a connection that sees one state of the database: REPEATABLE READ
    /// (https://www.postgresql.org/docs/current/transaction-iso.html).
    func withSnapshot<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result {
        try reading(isInner: !ofThisThread().isEmpty) { connection in
            try connection.snapshot { try body(connection) }
        }
    }

    /// A temporary table on a connection of its own; none where a proxy would lend its session to others.
    func makeStage(of entity: EntityBinding) throws -> (any StoreConnection)? {
        guard options.keepsSession else { return nil }
        let connection = try PostgresConnection(options)
        var table = entity.description
        (table.indexes, table.references, table.choices) = ([], [], nil)
        let sql = connection.renderer.createTable(table)
        try connection.execute("CREATE TEMPORARY" + sql.dropFirst("CREATE".count))
        return connection
    }

    var saveAttempts: Int { options.saveAttempts }

    var capabilities: StoreCapabilities {
        var reasons: [StoreCapability: String] = [
            .backup: "a server is backed up by its own programs, such as pg_dump",
            .textWithNUL: "PostgreSQL keeps no text with U+0000 in it",
            .exactDates: "PostgreSQL's dates have whole microseconds",
        ]
        if !keepsHistory {
            let reason = "set `history` in the configuration to keep one"
            (reasons[.history], reasons[.localChanges]) = (reason, reason)
        }
        return StoreCapabilities(without: reasons)
    }

    /// The commits after a number, of one state of the database: those that were stored, also inside of a
    /// transaction.
    func history(
        since number: Int64,
        limit: Int?,
        of schema: Schema
    ) throws -> [HistoryCommit] {
        try taking(writes: false, isInner: !ofThisThread().isEmpty) { connection in
            guard let history = connection.catalog.history else {
                throw StoreError(
                    .historyDisabled,
                    location: connection.location,
                    explanation: "set `history` in the configuration to keep one"
                )
            }
            return try connection.snapshot {
                try history.commits(since: number, limit: limit, on: connection)
            }
        }
    }

    /// One more than the last one, which the table `dovetail_store` keeps, or than the largest one that is
    /// used. Others are in its way only where they take one, too.
    func takeOpeningNumber(after used: Int64) throws -> Int64 {
        try withConnection { connection in
            guard let connection = connection as? PostgresConnection else { return used + 1 }
            let row = try connection.run(
                """
                INSERT INTO dovetail_store VALUES ('opening', ($1 + 1)::text)
                    ON CONFLICT (name) DO UPDATE
                    SET value = (greatest(dovetail_store.value::bigint, $1) + 1)::text
                RETURNING value
                """,
                PostgresFields.of([.value(.integer(used))])
            )
            return row.text(0, 0).flatMap { Int64($0) } ?? 1
        }
    }
}

extension PostgresConnection {
    /// What a connection knows of the tables, for another one to the same database.
    fileprivate static func known(
        _ connections: [PostgresConnection]
    ) -> (SQLRenderer, PostgresCatalog) {
        guard let first = connections.first else {
            return (SQLRenderer(PostgresDialect()), PostgresCatalog())
        }
        return (first.renderer, first.catalog)
    }

    /// Gives up what a person's SQL has left: of what `DISCARD ALL` does
    /// (https://www.postgresql.org/docs/current/sql-discard.html), all but prepared statements and locks of the
    /// session is undone with the transaction that the SQL ran in. Behind a proxy the session may be another
    /// one by now, whose locks these are not.
    fileprivate func removeLocks() {
        guard ranOtherSQL, options.keepsSession, transactionDepth == 0 else { return }
        ranOtherSQL = false
        guard PQtransactionStatus(handle) == PQTRANS_IDLE else { return }
        let outer = interruption
        interruption = nil
        try? execute("SELECT pg_catalog.pg_advisory_unlock_all()")
        interruption = outer
    }

    /// Runs `body` in a transaction that only reads and sees one state.
    fileprivate func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try begin("ISOLATION LEVEL REPEATABLE READ READ ONLY")
        transactionDepth += 1
        defer {
            transactionDepth -= 1
            // What was only read has nothing to keep.
            ahead = []
            let outer = interruption
            interruption = nil
            try? execute("ROLLBACK")
            interruption = outer
        }
        return try body()
    }
}

extension PostgresConnection: PooledConnection {
    var isUsable: Bool { isFree && !hasEnded }

    var isFree: Bool {
        PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE
            && PQpipelineStatus(handle) == PQ_PIPELINE_OFF
    }

    /// Whether the server has ended the connection while nobody used it. That comes unasked: its last
    /// words, and the end.
    private var hasEnded: Bool {
        var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        while poll(&socket, 1, 0) > 0 {
            guard PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK else {
                return true
            }
        }
        return false
    }

    func isAlive() -> Bool {
        interruption = nil
        return (try? execute("")) != nil
    }

    /// A server that starts, stops or cannot be reached may be back soon. One that says no has SQLSTATE 28
    /// or 3D, which libpq does not tell of a connection; its words do.
    static func mayPass(_ error: any Error) -> Bool {
        guard let error = error as? StoreError, error.kind == .cannotOpen else { return true }
        let words = error.debugDescription
        let final = [
            "password", "authentication", "does not exist", "pg_hba", "certificate",
            "does not support SSL",
        ]
        return !final.contains { words.contains($0) }
    }
}
