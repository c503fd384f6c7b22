import CPostgres
import DovetailStore

/// A `COPY` whose rows are on their way to the server, which has not said yet what became of them.
final class PostgresCopy {
    /// Why the server wants none of the rows.
    struct Refusal: Error {
        /// The row that it names; -1 for none.
        let row: Int
        let error: StoreError

        /// The context of an error says the line: `COPY User, line 3, column id`.
        init(_ result: PostgresResult, of rows: PostgresRowWriter) {
            error = rows.connection.error(result, rows.entity.table)
            let context = result.errorField("W") ?? ""
            let line = context.ranges(of: ", line ").last.flatMap { range in
                Int(context[range.upperBound...].prefix { $0.isNumber })
            }
            row = (line ?? 0) - 1
        }
    }

    /// What was sent.
    private let rows: PostgresRowWriter
    private let sql: String
    private let takesMark: Bool
    private let start = ContinuousClock.now

    init(of rows: PostgresRowWriter, _ sql: String, takesMark: Bool) {
        self.rows = rows
        self.sql = sql
        self.takesMark = takesMark
    }

    /// Waits for the server.
    ///
    /// - Throws: ``StoreError`` with the key of the row that was refused.
    fileprivate func end() throws {
        let connection = rows.connection
        do {
            let ended = try connection.answer(to: 1)
            guard ended.isSuccess else { throw Refusal(ended, of: rows) }
            if takesMark { connection.takeMark(ended) }
        } catch {
            return try refuse(error)
        }
        rows.noteWritten(rows.rows.count - 1)
        connection.options.trace?.report(
            StoreTrace.Statement(sql: sql, duration: .now - start, rows: rows.rows.count - 1)
        )
    }

    /// Undoes what was sent. Rows that were to be merged are written one by one, which tells the one that is
    /// refused.
    ///
    /// - Throws: what went wrong, with the key of the row where that is known.
    func refuse(_ error: any Error) throws {
        let connection = rows.connection
        connection.undoHeld()
        guard let refusal = error as? Refusal else { throw error }
        if rows.verb == .insert { throw rows.naming(refusal.row, refusal.error) }
        let passing: [StoreError.Kind] = [
            .serializationFailure, .deadlock, .locked, .cancelled, .deadlineExceeded,
        ]
        guard !passing.contains(refusal.error.kind), PQstatus(connection.handle) == CONNECTION_OK
        else { throw refusal.error }
        let count = rows.rows.count - 1
        for start in stride(from: 0, to: count, by: 512) {
            let part = start..<min(start + 512, count)
            try connection.run([HeldStatements.Part(rows: rows, range: part)])
        }
    }
}

extension PostgresConnection {
    /// Waits for the end of a `COPY`, where one is on its way.
    ///
    /// - Throws: ``StoreError`` with the key of the row that was refused.
    func endCopy() throws {
        guard let copy = copying else { return }
        copying = nil
        try copy.end()
    }
}
