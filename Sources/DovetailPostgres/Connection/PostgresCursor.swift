import CPostgres
import DovetailModel
import DovetailStore

/// The rows of a result, which is in memory. Columns are read where libpq holds them.
final class PostgresCursor: RowCursor {
    private var result: PostgresResult?
    /// The handle of `result`, which keeps it valid.
    private let handle: OpaquePointer
    private let types: [Oid]
    private let count: Int32
    private var row: Int32 = -1
    private let roundings: [Int: ColumnRounding]
    private let scratch = PostgresScratch()
    private let interruption: StoreInterruption?

    /// - Parameters:
    ///   - types: The types of the columns, where they are known.
    ///   - roundings: How columns are rounded, where it is not as those of Dovetail's own tables.
    init(
        _ result: PostgresResult,
        _ interruption: StoreInterruption?,
        types: [Oid]? = nil,
        roundings: [Int: ColumnRounding] = [:]
    ) {
        self.result = result
        handle = result.handle
        count = PQntuples(handle)
        self.types = types ?? result.types
        self.interruption = interruption
        self.roundings = roundings
    }

    func next() throws -> Bool {
        guard result != nil, row + 1 < count else {
            close()
            return false
        }
        row += 1
        scratch.removeAll()
        if row & 255 == 255 { try interruption?.check() }
        return true
    }

    func rounding(of column: Int) -> ColumnRounding? {
        // A container has rounded dates before. Who writes to a store with bindings of their own has not.
        (roundings.isEmpty ? nil : roundings[column]) ?? .dates(digits: 6)
    }

    func isDecimal(_ column: Int) -> Bool {
        types.indices.contains(column) && types[column] == PostgresType.numeric
    }

    func close() {
        result = nil
        scratch.removeAll()
    }

    func cell(_ column: Int) -> RowCell {
        guard result != nil, row >= 0, types.indices.contains(column) else { return .null }
        return value(Int32(column))
    }

    /// Invariant: the row and the column are those of the result, which is there.
    @inline(__always)
    private func value(_ column: Int32) -> RowCell {
        guard PQgetisnull(handle, row, column) == 0, let start = PQgetvalue(handle, row, column)
        else { return .null }
        let bytes = UnsafeBufferPointer(
            start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self),
            count: Int(PQgetlength(handle, row, column))
        )
        return RowCell(postgres: bytes, types[Int(column)], scratch)
    }

    func read(_ columns: Range<Int>, into cells: UnsafeMutablePointer<RowCell>) {
        var target = cells
        for column in columns {
            target.initialize(to: cell(column))
            target += 1
        }
    }
}
