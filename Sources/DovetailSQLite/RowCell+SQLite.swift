import CSQLite
import DovetailModel

extension RowCell {
    /// Looks at a value of SQLite's, of a column or an argument; without one it is NULL.
    ///
    /// Invariant of the value: SQLite keeps it as long as the cell is used, which is until its cursor
    /// moves or the call of its function returns.
    @inline(__always)
    init(sqlite value: OpaquePointer?) {
        self = .null
        Self.put(value, into: &self)
    }

    /// The same for a cell in memory, of which only what the kind needs is written.
    ///
    /// A text comes before the count of its bytes, which counts those of the UTF-8 that the former
    /// made (https://sqlite.org/c3ref/column_blob.html). What SQLite has no memory for cannot be read.
    /// An empty BLOB has no address, and its count is 0. The hints keep the compiler from jumping through
    /// a table.
    @inline(__always)
    static func put(_ value: OpaquePointer?, into cell: UnsafeMutablePointer<RowCell>) {
        guard let value else { return cell.initialize(to: .null) }
        let type = sqlite3_value_type(value)
        if _fastPath(type == SQLITE_TEXT) {
            guard let start = sqlite3_value_text(value) else { return cell.initialize(to: .other) }
            let count = Int(sqlite3_value_bytes(value))
            cell.initialize(to: .text(UnsafeBufferPointer(start: start, count: count)))
        } else if _fastPath(type == SQLITE_INTEGER) {
            cell.initialize(to: .integer(sqlite3_value_int64(value)))
        } else if _fastPath(type == SQLITE_FLOAT) {
            cell.initialize(to: .double(sqlite3_value_double(value)))
        } else if type == SQLITE_BLOB {
            let start = sqlite3_value_blob(value)?.assumingMemoryBound(to: UInt8.self)
            let count = Int(sqlite3_value_bytes(value))
            guard start != nil || count == 0 else { return cell.initialize(to: .other) }
            cell.initialize(to: .data(UnsafeBufferPointer(start: start, count: count)))
        } else {
            cell.initialize(to: .null)
        }
    }
}
