import CPostgres
import DovetailModel
import DovetailSQL
import DovetailStore

extension PostgresRowWriter {
    /// Measured. A table for rows that are merged costs some milliseconds, whatever share of them is there.
    var fewestCopied: Int { verb == .insert ? 64 : 512 }

    /// Sends rows to `COPY … FROM STDIN` (https://www.postgresql.org/docs/current/sql-copy.html), in two
    /// round trips with what begins the transaction: new ones into the table, others into a temporary one,
    /// which is merged with the table.
    func copy(_ range: Range<Int>) throws {
        do {
            if verb == .insert {
                try copy(range, [copyStatement(into: connection.quoted(entity.table))], at: 0)
            } else {
                let (before, after) = stage
                let copy = copyStatement(into: "pg_temp.dovetail_merged")
                try self.copy(range, before + [copy] + after, at: before.count)
            }
        } catch let error as CopyRefusal {
            connection.undoHeld()
            guard verb == .insert else { return try runByStatements(range, insteadOf: error.error) }
            throw error.row < 0 ? error.error : naming(range.lowerBound + error.row, error.error)
        } catch {
            connection.undoHeld()
            throw error
        }
    }

    private func copyStatement(into table: String) -> String {
        let columns = entity.attributes.map { connection.quoted($0.name) }.joined(separator: ", ")
        return "COPY \(table) (\(columns)) FROM STDIN (FORMAT binary)"
    }

    /// What makes a table for rows that are merged, and what merges them. Of two rows with one key the later
    /// one stays, and what is equal is not written.
    private var stage: (before: [String], after: [String]) {
        let dialect = connection.renderer.dialect
        let table = connection.quoted(entity.table)
        let names = entity.attributes.map { connection.quoted($0.name) }
        let columns = names.joined(separator: ", ")
        func value(_ column: Int, of row: String) -> String {
            dialect.value(of: "\(row).\(names[column])", entity.attributes[column].columnType)
        }
        let key = entity.keyColumns.map { names[$0] }.joined(separator: ", ")
        let order = entity.keyColumns.map { value($0, of: "m") }.joined(separator: ", ")
        let rest = names.indices.filter { !entity.keyColumns.contains($0) }
        let changes = rest.map { "\(names[$0]) = excluded.\(names[$0])" }.joined(separator: ", ")
        let differs = rest.map {
            "\(value($0, of: "t")) IS DISTINCT FROM \(value($0, of: "excluded"))"
        }
        let action =
            rest.isEmpty
            ? "NOTHING" : "UPDATE SET \(changes) WHERE \(differs.joined(separator: " OR "))"
        return (
            [
                "CREATE TEMPORARY TABLE dovetail_merged AS SELECT \(columns) FROM \(table) WITH NO DATA",
                "ALTER TABLE pg_temp.dovetail_merged ADD dovetail_row bigint GENERATED ALWAYS AS IDENTITY",
            ],
            [
                """
                INSERT INTO \(table) AS t (\(columns)) SELECT \(columns) FROM (
                    SELECT DISTINCT ON (\(order)) * FROM pg_temp.dovetail_merged m
                    ORDER BY \(order), dovetail_row DESC
                ) r ON CONFLICT (\(key)) DO \(action)
                """,
                "DROP TABLE pg_temp.dovetail_merged",
            ]
        )
    }

    /// Writes rows one by one, of which the server has refused all: this tells which one it is.
    private func runByStatements(_ range: Range<Int>, insteadOf error: StoreError) throws {
        let passing: [StoreError.Kind] = [
            .serializationFailure, .deadlock, .locked, .cancelled, .deadlineExceeded,
        ]
        guard !passing.contains(error.kind), PQstatus(connection.handle) == CONNECTION_OK else {
            throw error
        }
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 512) {
            let part = start..<min(start + 512, range.upperBound)
            try connection.run([HeldStatements.Part(rows: self, range: part)])
        }
    }

    // MARK: The protocol

    private struct CopyRefusal: Error {
        let row: Int
        let error: StoreError
    }

    /// Runs statements one of which is a `COPY`.
    private func copy(_ range: Range<Int>, _ statements: [String], at place: Int) throws {
        let mark = connection.lateMarkQuery
        let all =
            connection.ahead + ["SAVEPOINT dovetail_rows"] + statements
            + ["RELEASE dovetail_rows"] + (mark.map { [$0] } ?? [])
        connection.ahead = []
        try connection.trace(statements[place]) {
            let handle = connection.handle
            let begun = try connection.answer(
                to: PQsendQuery(handle, all.joined(separator: "; "))
            )
            guard begun.status == PGRES_COPY_IN else { throw refused(begun) }
            // The signature, no flags and no header extension.
            let head: [UInt8] =
                Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + .init(repeating: 0, count: 8)
            let (start, end) = (rows[range.lowerBound], rows[range.upperBound])
            let isSent =
                put(head) && put(fields.buffer + start, end - start) && put([0xFF, 0xFF])
                && PQputCopyEnd(handle, nil) == 1
            let ended = try connection.answer(to: isSent ? 1 : 0)
            guard ended.isSuccess else { throw refused(ended) }
            if mark != nil { connection.takeMark(ended) }
            return range.count
        }
    }

    private func put(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { put($0, buffer.count) } ?? true
        }
    }

    private func put(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        UnsafeRawPointer(start).withMemoryRebound(to: CChar.self, capacity: count) {
            PQputCopyData(connection.handle, $0, Int32(count)) == 1
        }
    }

    /// The context of an error says the line: `COPY User, line 3, column id`.
    private func refused(_ result: PostgresResult) -> CopyRefusal {
        let error = connection.error(result, entity.table)
        let context = result.errorField("W") ?? ""
        let line = context.ranges(of: ", line ").last.flatMap { range in
            Int(context[range.upperBound...].prefix { $0.isNumber })
        }
        return CopyRefusal(row: (line ?? 0) - 1, error: error)
    }
}
