import CPostgres
import Dovetail

/// How one would save many changes by hand: a pipeline of prepared statements for some, a temporary table
/// and a merge for all.
extension PostgresHand {
    /// Changes of one save, in one round trip with the beginning of their transaction; COMMIT is another one,
    /// after the rows were counted.
    func save(
        inserting new: ArraySlice<FlatRecord>,
        updating changed: [FlatRecord],
        deleting gone: ArraySlice<FlatRecord>
    ) throws {
        try prepareWriting()
        try expect(PQenterPipelineMode(connection) == 1)
        try expect(
            PQsendQueryParams(
                connection,
                "BEGIN ISOLATION LEVEL SERIALIZABLE",
                0,
                nil,
                nil,
                nil,
                nil,
                1
            ) == 1
        )
        for record in new { try send("insert", Self.fields(of: record)) }
        for record in changed { try send("update", Self.fields(of: record)) }
        for record in gone { try send("delete", [Self.bytes(of: UInt64(record.id))]) }
        try expect(PQpipelineSync(connection) == 1)
        var (index, met) = (0, 0)
        while true {
            guard let result = PQgetResult(connection) else { continue }
            defer { PQclear(result) }
            if PQresultStatus(result) == PGRES_PIPELINE_SYNC { break }
            try expect(PQresultStatus(result) == PGRES_COMMAND_OK)
            if index > 0, let count = PQcmdTuples(result) { met += Int(atoi(count)) }
            index += 1
        }
        try expect(PQexitPipelineMode(connection) == 1)
        try expect(met == new.count + changed.count + gone.count)
        try execute("COMMIT")
    }

    /// Rows that may be there, through a temporary table; what is equal is not written.
    func upsert(_ records: [FlatRecord]) throws {
        try execute(
            "BEGIN; CREATE TEMPORARY TABLE merged (LIKE \"FlatRecord\") ON COMMIT DROP"
        )
        try copy(records, into: "merged")
        let rest = FlatRecord.columns.dropFirst()
        let changes = rest.map { "\"\($0)\" = excluded.\"\($0)\"" }.joined(separator: ", ")
        let differs = rest.map { "t.\"\($0)\" IS DISTINCT FROM excluded.\"\($0)\"" }
        try execute(
            """
            INSERT INTO "FlatRecord" AS t (\(Self.columns)) SELECT \(Self.columns) FROM merged
            ON CONFLICT ("id") DO UPDATE SET \(changes) WHERE \(differs.joined(separator: " OR "))
            """
        )
        try execute("COMMIT")
    }

    private func prepareWriting() throws {
        guard !isPreparedToWrite else { return }
        isPreparedToWrite = true
        let types: [Oid] = [20, 25, 25, 20, 701, 16, 25]
        let columns = FlatRecord.columns
        let places = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        try prepare(
            "insert",
            "INSERT INTO \"FlatRecord\" (\(Self.columns)) VALUES (\(places))",
            types
        )
        let changes = columns.indices.dropFirst().map { "\"\(columns[$0])\" = $\($0 + 1)" }
        try prepare(
            "update",
            "UPDATE \"FlatRecord\" SET \(changes.joined(separator: ", ")) WHERE \"id\" = $1",
            types
        )
        try prepare("delete", "DELETE FROM \"FlatRecord\" WHERE \"id\" = $1", [20])
    }

    private func send(_ name: String, _ fields: [[UInt8]]) throws {
        let bytes = fields.flatMap { $0 }
        let lengths = fields.map { Int32($0.count) }
        let formats = [Int32](repeating: 1, count: fields.count)
        let sent = bytes.withUnsafeBytes { buffer in
            var place = 0
            let values = fields.map { field in
                defer { place += field.count }
                return buffer.bindMemory(to: CChar.self).baseAddress.map { $0 + place }
            }
            return PQsendQueryPrepared(
                connection,
                name,
                Int32(fields.count),
                values,
                lengths,
                formats,
                1
            )
        }
        try expect(sent == 1)
    }

    private static func bytes(of word: UInt64) -> [UInt8] {
        withUnsafeBytes(of: word.bigEndian) { Array($0) }
    }

    private static func fields(of record: FlatRecord) -> [[UInt8]] {
        [
            bytes(of: UInt64(record.id)), Array(record.name.utf8), Array(record.email.utf8),
            bytes(of: UInt64(record.age)), bytes(of: record.score.bitPattern),
            [record.isActive ? 1 : 0], Array(record.city.utf8),
        ]
    }
}
