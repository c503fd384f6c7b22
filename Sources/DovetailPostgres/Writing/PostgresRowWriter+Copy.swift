import CPostgres
import DovetailModel
import DovetailSQL
import DovetailStore

extension PostgresRowWriter {
    /// Measured. A table for rows that are merged costs some milliseconds, whatever share of them is there.
    var fewestCopied: Int { verb == .insert ? 64 : 512 }

    /// Sends rows to `COPY … FROM STDIN` (https://www.postgresql.org/docs/current/sql-copy.html), in one round
    /// trip with what begins the transaction: new ones into the table, others into a temporary one, which is
    /// merged with the table. The server works on them while more are made:
    /// ``PostgresConnection/endCopy()`` hears what became of them.
    func copy(_ range: Range<Int>) throws {
        try connection.endCopy()
        let rows = detached(range)
        var statements = [rows.copyStatement(into: connection.quoted(entity.table))]
        var place = 0
        if verb != .insert {
            let (before, after) = stage
            place = before.count
            statements = before + [rows.copyStatement(into: "pg_temp.dovetail_merged")] + after
        }
        let copy = PostgresCopy(
            of: rows,
            statements[place],
            takesMark: connection.lateMarkQuery != nil
        )
        do {
            try rows.begin(statements)
            connection.copying = copy
        } catch {
            try copy.refuse(error)
        }
    }

    /// A writer with some of the rows, for what is to be said of them when they are no longer held back here.
    private func detached(_ range: Range<Int>) -> PostgresRowWriter {
        let rows = PostgresRowWriter(verb, entity, statement(range.lowerBound), on: connection)
        let (start, end) = (self.rows[range.lowerBound], self.rows[range.upperBound])
        rows.take(
            UnsafeRawBufferPointer(start: fields.buffer + start, count: end - start),
            self.rows[range.lowerBound...range.upperBound].map { $0 - start }
        )
        return rows
    }

    private func copyStatement(into table: String) -> String {
        let columns = entity.attributes.map { connection.quoted($0.name) }.joined(separator: ", ")
        return "COPY \(table) (\(columns)) FROM STDIN (FORMAT binary)"
    }

    /// What makes a table for rows that are merged, and what merges them. What is equal is not written. Two that merge
    /// the same rows lock them in one order, that of their keys, or they would wait for each other.
    private var stage: (before: [String], after: [String]) {
        let dialect = connection.renderer.dialect
        let table = connection.quoted(entity.table)
        let names = entity.attributes.map { connection.quoted($0.name) }
        let columns = names.joined(separator: ", ")
        func value(_ column: Int, of row: String) -> String {
            dialect.value(of: "\(row).\(names[column])", entity.attributes[column].columnType)
        }
        let key = entity.keyColumns.map { names[$0] }.joined(separator: ", ")
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
                "CREATE TEMPORARY TABLE dovetail_merged AS SELECT \(columns) FROM \(table) WITH NO DATA"
            ],
            [
                """
                INSERT INTO \(table) AS t (\(columns)) SELECT \(columns) FROM pg_temp.dovetail_merged
                ORDER BY \(key) ON CONFLICT (\(key)) DO \(action)
                """,
                "DROP TABLE pg_temp.dovetail_merged",
            ]
        )
    }

    // MARK: The protocol

    /// Sends statements one of which is a `COPY`, and the rows.
    ///
    /// - Throws: ``PostgresCopy/Refusal`` where the server wants no rows.
    private func begin(_ statements: [String]) throws {
        let all =
            connection.ahead + ["SAVEPOINT dovetail_rows"] + statements
            + ["RELEASE dovetail_rows"] + (connection.lateMarkQuery.map { [$0] } ?? [])
        connection.ahead = []
        let handle = connection.handle
        let begun = try connection.answer(to: PQsendQuery(handle, all.joined(separator: "; ")))
        guard begun.status == PGRES_COPY_IN else {
            throw PostgresCopy.Refusal(begun, of: self)
        }
        // The signature, no flags and no header extension.
        let head: [UInt8] =
            Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + .init(repeating: 0, count: 8)
        var isSent = put(head)
        for part in sentParts where isSent {
            isSent = put(fields.buffer + part.lowerBound, part.count)
        }
        guard isSent, put([0xFF, 0xFF]), PQputCopyEnd(handle, nil) == 1 else {
            throw connection.lost()
        }
    }

    /// The bytes of the rows that are sent: of two rows that are merged and have one key the later one only.
    private var sentParts: [Range<Int>] {
        let all = 0..<(rows.last ?? 0)
        guard verb != .insert, !hasAscendingKeys else { return [all] }
        var last: [[UInt8]: Int] = [:]
        var repeated: [Int] = []
        for row in 0..<rows.count - 1 {
            if let former = last.updateValue(row, forKey: key(of: row)) { repeated.append(former) }
        }
        var parts: [Range<Int>] = []
        var start = 0
        for row in repeated.sorted() {
            parts.append(start..<rows[row])
            start = rows[row + 1]
        }
        return parts + [start..<all.upperBound]
    }

    /// Whether all keys are whole numbers, each larger than the one before, which is how lists often come.
    private var hasAscendingKeys: Bool {
        let types = connection.types(of: entity)
        guard entity.keyColumns == [0], types[0] == PostgresType.bigint else { return false }
        var former: Int64?
        for row in 0..<rows.count - 1 {
            let bytes = fields.value(at: rows[row] + 2)
            guard bytes?.count == 8, let start = bytes?.baseAddress else { return false }
            let word = UnsafeRawPointer(start).loadUnaligned(as: Int64.self)
            let key = Int64(bigEndian: word)
            if let former, key <= former { return false }
            former = key
        }
        return true
    }

    /// The bytes of a row's key, with their lengths.
    private func key(of row: Int) -> [UInt8] {
        var key: [UInt8] = []
        fields.withRow(from: rows[row] + 2) {
            for column in entity.keyColumns {
                guard let value = fields.value(of: column) else { continue }
                withUnsafeBytes(of: UInt32(value.count)) { key.append(contentsOf: $0) }
                key.append(contentsOf: value)
            }
        }
        return key
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
}
