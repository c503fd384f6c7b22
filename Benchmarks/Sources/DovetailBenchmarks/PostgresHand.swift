import CPostgres
import Dovetail

/// What a careful person writes to keep ``FlatRecord``s on a PostgreSQL server without Dovetail: libpq's
/// binary form, `COPY` for many rows, a prepared statement for one, columns by position.
final class PostgresHand {
    let connection: OpaquePointer
    /// Whether the statements of ``save(inserting:updating:deleting:)`` are there.
    var isPreparedToWrite = false

    init(_ address: String) throws {
        connection = PQconnectdb(address)
        try expect(PQstatus(connection) == CONNECTION_OK)
        try prepare("one", "SELECT \(Self.columns) FROM \"FlatRecord\" WHERE \"id\" = $1", [20])
        try prepare(
            "many",
            "SELECT \(Self.columns) FROM \"FlatRecord\" WHERE \"id\" = ANY ($1)",
            [1016]
        )
    }

    deinit { PQfinish(connection) }

    static let columns = FlatRecord.columns.map { "\"\($0)\"" }.joined(separator: ", ")

    func prepare(_ name: String, _ sql: String, _ types: [Oid]) throws {
        let result = PQprepare(connection, name, sql, Int32(types.count), types)
        defer { PQclear(result) }
        try expect(PQresultStatus(result) == PGRES_COMMAND_OK)
    }

    func execute(_ sql: String) throws {
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        try expect(PQresultStatus(result) == PGRES_COMMAND_OK)
    }

    // MARK: Writing

    /// One `COPY` in the binary form, in a transaction.
    func insert(_ records: [FlatRecord]) throws {
        try execute("BEGIN")
        try copy(records, into: "\"FlatRecord\"")
        try execute("COMMIT")
    }

    func copy(_ records: [FlatRecord], into table: String) throws {
        let begun = PQexec(
            connection,
            "COPY \(table) (\(Self.columns)) FROM STDIN (FORMAT binary)"
        )
        try expect(PQresultStatus(begun) == PGRES_COPY_IN)
        PQclear(begun)
        var bytes: [UInt8] =
            Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + .init(repeating: 0, count: 8)
        for record in records {
            Self.append(UInt16(7), to: &bytes)
            Self.append(UInt32(8), to: &bytes)
            Self.append(UInt64(bitPattern: Int64(record.id)), to: &bytes)
            Self.append(record.name, to: &bytes)
            Self.append(record.email, to: &bytes)
            Self.append(UInt32(8), to: &bytes)
            Self.append(UInt64(bitPattern: Int64(record.age)), to: &bytes)
            Self.append(UInt32(8), to: &bytes)
            Self.append(record.score.bitPattern, to: &bytes)
            Self.append(UInt32(1), to: &bytes)
            bytes.append(record.isActive ? 1 : 0)
            Self.append(record.city, to: &bytes)
            if bytes.count > 1 << 20 { try put(&bytes) }
        }
        Self.append(UInt16.max, to: &bytes)
        try put(&bytes)
        try expect(PQputCopyEnd(connection, nil) == 1)
        while let result = PQgetResult(connection) {
            defer { PQclear(result) }
            try expect(PQresultStatus(result) == PGRES_COMMAND_OK)
        }
    }

    private func put(_ bytes: inout [UInt8]) throws {
        let code = bytes.withUnsafeBytes {
            PQputCopyData(connection, $0.bindMemory(to: CChar.self).baseAddress, Int32($0.count))
        }
        try expect(code == 1)
        bytes.removeAll(keepingCapacity: true)
    }

    private static func append<Word: FixedWidthInteger>(_ word: Word, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(UInt32(text.utf8.count), to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    // MARK: Reading

    func fetch() throws -> [FlatRecord] {
        try records(
            PQexecParams(
                connection,
                "SELECT \(Self.columns) FROM \"FlatRecord\"",
                0,
                nil,
                nil,
                nil,
                nil,
                1
            )
        )
    }

    func fetch(_ key: Int) throws -> FlatRecord? {
        var bytes: [UInt8] = []
        Self.append(UInt64(bitPattern: Int64(key)), to: &bytes)
        return try run("one", bytes).first
    }

    func fetch(_ keys: [Int]) throws -> [FlatRecord] {
        var bytes: [UInt8] = []
        for word in [1, 0, 20, UInt32(keys.count), 1] as [UInt32] { Self.append(word, to: &bytes) }
        for key in keys {
            Self.append(UInt32(8), to: &bytes)
            Self.append(UInt64(bitPattern: Int64(key)), to: &bytes)
        }
        return try run("many", bytes)
    }

    private func run(_ name: String, _ bytes: [UInt8]) throws -> [FlatRecord] {
        try bytes.withUnsafeBytes { buffer in
            var value = buffer.bindMemory(to: CChar.self).baseAddress
            var (length, format) = (Int32(buffer.count), Int32(1))
            return try records(PQexecPrepared(connection, name, 1, &value, &length, &format, 1))
        }
    }

    private func records(_ result: OpaquePointer?) throws -> [FlatRecord] {
        defer { PQclear(result) }
        try expect(PQresultStatus(result) == PGRES_TUPLES_OK)
        let count = PQntuples(result)
        var records: [FlatRecord] = []
        records.reserveCapacity(Int(count))
        for row in 0..<count {
            func word(_ column: Int32) -> UInt64 {
                PQgetvalue(result, row, column).map {
                    UnsafeRawPointer($0).loadUnaligned(as: UInt64.self).bigEndian
                } ?? 0
            }
            func text(_ column: Int32) -> String {
                let start = UnsafeRawPointer(PQgetvalue(result, row, column))
                return String(
                    decoding: UnsafeRawBufferPointer(
                        start: start,
                        count: Int(PQgetlength(result, row, column))
                    ),
                    as: UTF8.self
                )
            }
            records.append(
                FlatRecord(
                    id: Int(Int64(bitPattern: word(0))),
                    name: text(1),
                    email: text(2),
                    age: Int(Int64(bitPattern: word(3))),
                    score: Double(bitPattern: word(4)),
                    isActive: PQgetvalue(result, row, 5)?.pointee != 0,
                    city: text(6)
                )
            )
        }
        return records
    }
}
