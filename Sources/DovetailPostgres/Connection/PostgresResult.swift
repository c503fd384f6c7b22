import CPostgres

/// What the server has answered to one statement. It holds all rows.
final class PostgresResult {
    /// Invariant: valid until `deinit`, the only place that clears it.
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        PQclear(handle)
    }

    /// What became of the statement.
    var status: ExecStatusType { PQresultStatus(handle) }

    /// Whether the statement has run.
    var isSuccess: Bool {
        switch status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY, PGRES_COPY_IN: true
        default: false
        }
    }

    /// The types of the columns.
    var types: [Oid] { (0..<PQnfields(handle)).map { PQftype(handle, $0) } }

    /// How many rows there are.
    var rowCount: Int { Int(PQntuples(handle)) }

    /// What the rows take in memory.
    var byteCount: Int { PQresultMemorySize(handle) }

    /// How many rows a statement that writes has met.
    var affectedCount: Int {
        PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0
    }

    /// Runs `body` with a value; nil for NULL and beyond the end. The bytes live as long as the result, which
    /// may be let go after its last use: of `run(…)` it is gone before anything is read that was taken out of it.
    private func withBytes<Value>(
        _ row: Int,
        _ column: Int,
        _ body: (UnsafeBufferPointer<UInt8>) -> Value
    ) -> Value? {
        let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
        return withExtendedLifetime(self) {
            guard row >= 0, row < PQntuples(handle), column >= 0, column < PQnfields(handle),
                PQgetisnull(handle, row, column) == 0, let start = PQgetvalue(handle, row, column)
            else { return nil }
            let count = Int(PQgetlength(handle, row, column))
            return body(
                UnsafeBufferPointer(
                    start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self),
                    count: count
                )
            )
        }
    }

    /// A value of text; nil for NULL.
    func text(_ row: Int, _ column: Int) -> String? {
        withBytes(row, column) { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a value is true; false for NULL.
    func isTrue(_ row: Int, _ column: Int) -> Bool {
        withBytes(row, column) { $0.first == 1 } ?? false
    }

    /// A field of an error.
    func errorField(_ field: Unicode.Scalar) -> String? {
        PQresultErrorField(handle, Int32(bitPattern: field.value)).map { String(cString: $0) }
    }
}
