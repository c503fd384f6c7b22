import CPostgres
import DovetailSQL
import DovetailStore

extension PostgresConnection {
    /// Holds one more row back.
    func hold(_ rows: any HeldRows, count: Int, bytes: Int) throws {
        if held.add(rows, count: count, bytes: bytes) { try sendHeld() }
    }

    /// Writes what is held back, in as few round trips as can be, in a savepoint, so that a row that is
    /// refused leaves the transaction.
    ///
    /// - Throws: ``StoreError`` with the key of the row.
    func writeHeld() throws {
        try sendHeld()
        try endCopy()
    }

    /// The same, but for the end of a last `COPY`, on which the server works meanwhile.
    private func sendHeld() throws {
        guard !held.isEmpty else { return }
        let parts = held.takeAll()
        defer { for part in parts { part.rows.forget() } }
        var waiting: ArraySlice<HeldStatements.Part> = []
        for (index, part) in parts.enumerated() {
            guard part.copies(alone: parts.count == 1) else {
                waiting = parts[index - waiting.count...index]
                continue
            }
            if !waiting.isEmpty { try run(waiting) }
            waiting = []
            try part.rows.copy(part.range)
        }
        if !waiting.isEmpty { try run(waiting) }
        // What was left to do may hold more back.
        try sendHeld()
    }

    /// Undoes what was sent of what is held back, where the server has refused a row.
    func undoHeld() {
        guard PQtransactionStatus(handle) == PQTRANS_INERROR else { return }
        try? execute("ROLLBACK TO dovetail_rows; RELEASE dovetail_rows")
    }

    /// A statement on its way.
    private enum Step {
        case plain(String)
        case prepare(PostgresStatement, table: String)
        case row(any HeldRows, Int)
        case mark(String)
    }

    /// Runs the statements of rows in one round trip.
    func run(_ parts: ArraySlice<HeldStatements.Part>) throws {
        try endCopy()
        dropOldPlans()
        let steps = steps(of: parts)
        ahead = []
        var failure: (step: Int, error: StoreError)?
        let start = ContinuousClock.now
        let answers = try answers(to: steps.count) { send(steps[$0]) }
        for (index, (step, answer)) in zip(steps, answers).enumerated()
        where answer.status != PGRES_PIPELINE_ABORTED {
            // A row that nothing met is an error to us alone: the server goes on, and prepares what comes after
            // it.
            if failure != nil, case .row = step { continue }
            if let error = take(answer, step), failure == nil { failure = (index, error) }
        }
        report(parts, .now - start)
        guard let failure else {
            for part in parts { try part.rows.settle() }
            for case let (rows as PostgresRowWriter, count) in parts.map({
                ($0.rows, $0.range.count)
            }) {
                rows.noteWritten(count)
            }
            return
        }
        undoHeld()
        // What was changed by others before it may be the reason. The error says enough where nobody can tell.
        for part in parts { try? part.rows.settle() }
        if case .row(let rows, let row) = steps[failure.step] {
            throw rows.naming(row, failure.error)
        }
        throw failure.error
    }

    private func steps(of parts: ArraySlice<HeldStatements.Part>) -> [Step] {
        var steps = ahead.map { Step.plain($0) } + [.plain("SAVEPOINT dovetail_rows")]
        var prepared: Set<ObjectIdentifier> = []
        for part in parts {
            for row in part.range {
                let statement = part.rows.statement(row)
                if statement.name != nil, !statement.isPrepared,
                    prepared.insert(ObjectIdentifier(statement)).inserted
                {
                    steps.append(.prepare(statement, table: part.rows.entity.table))
                }
                steps.append(.row(part.rows, row))
            }
        }
        steps.append(.plain("RELEASE dovetail_rows"))
        if let lateMarkQuery { steps.append(.mark(lateMarkQuery)) }
        return steps
    }

    /// Sends a step, and says as libpq whether it could.
    private func send(_ step: Step) -> Int32 {
        switch step {
        case .plain(let sql), .mark(let sql): return send(sql)
        case .prepare(let statement, _):
            let types = statement.key.types
            return PQsendPrepare(
                handle,
                statement.name,
                statement.key.sql,
                Int32(types.count),
                types
            )
        case .row(let rows, let row): return rows.send(row)
        }
    }

    /// Looks at an answer; gives the error that it is.
    private func take(_ result: PostgresResult, _ step: Step) -> StoreError? {
        switch step {
        case .plain: return result.isSuccess ? nil : error(result, nil)
        case .mark:
            if result.isSuccess { takeMark(result) }
            return result.isSuccess ? nil : error(result, nil)
        case .prepare(let statement, let table):
            statement.isPrepared = result.isSuccess
            if !result.isSuccess { forget(statement) }
            return result.isSuccess ? nil : error(result, table)
        case .row(let rows, let row):
            guard result.isSuccess else {
                // The table has another form than when it was prepared.
                if result.errorField("C") == "0A000" { forget(rows.statement(row)) }
                return error(result, rows.entity.table)
            }
            return rows.take(result, row)
        }
    }

    /// Reports each of the statements once, with the time of all.
    private func report(_ parts: ArraySlice<HeldStatements.Part>, _ duration: Duration) {
        guard let trace = options.trace else { return }
        var counts: [(sql: String, rows: Int)] = []
        for part in parts {
            for row in part.range {
                let sql = part.rows.statement(row).key.sql
                if counts.last?.sql == sql {
                    counts[counts.count - 1].rows += 1
                } else {
                    counts.append((sql, 1))
                }
            }
        }
        for (sql, rows) in counts {
            trace.report(StoreTrace.Statement(sql: sql, duration: duration, rows: rows))
        }
    }
}
