import CPostgres
import DovetailSQL
import DovetailStore
import Foundation

/// What a server is asked later about a transaction whose end it has not told.
struct PostgresTransactionMark {
    /// Its number on the server.
    let number: String
    /// The life of the server: a crash begins another one, in which the numbers of transactions that have
    /// left no trace on disk are given again.
    let life: String
}

extension PostgresConnection {
    /// The number of this transaction, and the life of the server.
    private static let markQuery = "SELECT pg_current_xact_id()::text, \(life)"
    /// Statistics begin anew with a crash, and stay over an orderly restart
    /// (https://www.postgresql.org/docs/current/monitoring-stats.html).
    private static let life = """
        concat(pg_postmaster_start_time(), ' ', (SELECT stats_reset FROM pg_stat_bgwriter))
        """

    /// What begins the outermost transaction.
    static let beginning = "BEGIN \(serializable)"
    private static let serializable = "ISOLATION LEVEL SERIALIZABLE"

    /// Begins a transaction of another kind at once.
    func begin(_ mode: String) throws { try execute(options.begin(mode).joined(separator: "; ")) }

    /// Begins the outermost transaction, with the first statement that runs in it.
    ///
    /// A history is told its author. What it answers with is the number of the commit, which is forgotten
    /// here, since a proxy may have lent the connection to others.
    ///
    /// - Parameter keeping: Whether it is to be stored, so that its mark is taken.
    func begin(keeping: Bool) throws {
        (lastCommitNumber, mark, conflicts) = (nil, nil, [])
        takesMark = keeping && catalog.knowsTransactions
        ahead = options.begin(Self.serializable)
        guard catalog.history != nil else { return }
        ahead.append("SET dovetail.number = ''")
        if let author { ahead.append("SET LOCAL dovetail.author = \(try literal(author))") }
    }

    /// Sends what begins and ends transactions, before something that needs an answer. Of one that begins the
    /// mark is taken.
    func sendAhead() throws {
        try endCopy()
        guard let first = ahead.first else { return }
        let isBeginning = first == Self.beginning && takesMark
        let sql = (ahead + (isBeginning ? [Self.markQuery] : []))
            .joined(separator: "; ")
        ahead = []
        let result = try ask(sql)
        if isBeginning { takeMark(result) }
    }

    /// What is asked with the last statements of a transaction, where its mark is not known.
    var lateMarkQuery: String? {
        takesMark && mark == nil && transactionDepth > 0 ? Self.markQuery : nil
    }

    /// Keeps what was answered to the question for the mark.
    func takeMark(_ result: PostgresResult) {
        guard let number = result.text(0, 0), let life = result.text(0, 1) else { return }
        mark = PostgresTransactionMark(number: number, life: life)
    }

    /// Ends the outermost transaction, and asks in the same round trip which number it has in the history.
    /// Where the answer does not come, the server is asked what became of it.
    ///
    /// - Throws: ``StoreError``; `commitUnknown` where the server cannot be asked, or does not know.
    func commit() throws {
        // Nothing has run in it.
        if ahead.first == Self.beginning { return ahead.removeAll() }
        // What ends inner ones ends with it.
        ahead.removeAll()
        do {
            guard let history = catalog.history else { return try execute("COMMIT") }
            let sql = "COMMIT; SELECT current_setting('dovetail.number', TRUE)"
            lastCommitNumber = try ask(sql).text(0, 0).flatMap { Int64($0) }
            if let lastCommitNumber { history.pruneSometimes(after: lastCommitNumber, on: self) }
        } catch let error as StoreError {
            guard PQstatus(handle) == CONNECTION_BAD else { throw error }
            switch fate() {
            case .stored: return
            case .undone: throw lost()
            case .unknown:
                throw StoreError(
                    .commitUnknown,
                    location: location,
                    explanation:
                        "the connection was lost while the server stored the transaction: it may "
                        + "be there or not",
                    detail: error.debugDescription
                )
            }
        }
    }

    /// Runs statements in one round trip, and gives what the last one answers.
    private func ask(_ sql: String) throws -> PostgresResult {
        var last: PostgresResult?
        try trace(sql) {
            let result = try answer(to: PQsendQuery(handle, sql))
            guard result.isSuccess else { throw error(result, nil) }
            last = result
            return 0
        }
        guard let last else { throw lost() }
        return last
    }

    // MARK: After the connection was lost

    /// What became of a transaction.
    private enum Fate {
        case stored
        case undone
        case unknown
    }

    /// Asks the server over another connection, until it knows or the caller does not wait any more.
    private func fate() -> Fate {
        guard let mark else { return .unknown }
        let limit = ContinuousClock.now + options.pool.waitsFor
        var pause = 1.0
        while ContinuousClock.now < limit, interruption?.reason == nil {
            // Whatever is wrong with the new connection may pass.
            if let fate = try? fate(of: mark) { return fate }
            Thread.sleep(forTimeInterval: pause / 1000)
            pause = min(pause * 2, 200)
        }
        return .unknown
    }

    /// Asks once; nil where that has to be done again.
    private func fate(of mark: PostgresTransactionMark) throws -> Fate? {
        let other = try PostgresConnection(options, renderer, catalog)
        defer { other.close() }
        other.interruption = interruption
        let answer: PostgresResult
        do {
            // A server that only follows may not know yet.
            answer = try other.run(
                """
                SELECT CASE WHEN pg_is_in_recovery() THEN 'waits' ELSE pg_xact_status($1::xid8) END,
                    \(Self.life)
                """,
                PostgresFields.of([.value(.text(mark.number))])
            )
        } catch let error as StoreError where error.description.contains("SQLSTATE 22023") {
            // The server has not given the number yet: it has lost the transaction.
            return .undone
        }
        let isSameLife = answer.text(0, 1) == mark.life
        switch answer.text(0, 0) {
        case "waits": return nil
        case "committed" where isSameLife:
            if catalog.history != nil { lastCommitNumber = try? other.number(of: mark) }
            return .stored
        case "aborted": return .undone
        // In another life of the server the number is that of another transaction: ours was never stored.
        case "in progress": return isSameLife ? nil : .undone
        default: return .unknown
        }
    }

    /// The number that a transaction has in the history, among the last ones.
    private func number(of mark: PostgresTransactionMark) throws -> Int64? {
        try run(
            """
            SELECT number::text FROM (SELECT number, xact FROM dovetail_commits
                ORDER BY number DESC LIMIT 10000) c WHERE xact = $1::xid8
            """,
            PostgresFields.of([.value(.text(mark.number))])
        )
        .text(0, 0).flatMap { Int64($0) }
    }
}
