import CSQLite
import DovetailModel
import DovetailStore
import Foundation

/// The rows of a statement. Columns are read in place, with no object a row.
final class SQLiteCursor: RowCursor {
    private let statement: SQLiteStatement
    private let handle: OpaquePointer
    private var isOpen = true

    init(_ statement: SQLiteStatement) {
        self.statement = statement
        handle = statement.handle
        statement.isInUse = true
    }

    deinit {
        close()
    }

    func next() throws -> Bool {
        guard isOpen else { return false }
        do {
            if try statement.step() { return true }
        } catch {
            close()
            throw error
        }
        close()
        return false
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        statement.reset()
        statement.isInUse = false
    }

    /// The value of a column. It is asked for its type and its content without going through the
    /// statement again; SQLite allows that as long as no other thread uses the connection, and the
    /// store's lock sees to it (https://sqlite.org/c3ref/column_blob.html).
    private func value(_ column: Int) -> OpaquePointer? {
        sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
    }

    func isNull(_ column: Int) -> Bool {
        sqlite3_value_type(value(column)) == SQLITE_NULL
    }

    func integer(_ column: Int) -> Int64? {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_INTEGER else { return nil }
        return sqlite3_value_int64(value)
    }

    func double(_ column: Int) -> Double? {
        let value = value(column)
        switch sqlite3_value_type(value) {
        case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_value_double(value)
        default: return nil
        }
    }

    func text(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value)
        else { return nil }
        let count = Int(sqlite3_value_bytes(value))
        return UnsafeBufferPointer(start: start, count: count)
    }

    func data(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_BLOB else { return nil }
        let start = sqlite3_value_blob(value)
        let count = Int(sqlite3_value_bytes(value))
        return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count)
    }

    func date(_ column: Int) -> Date? {
        text(column).flatMap { DateText.date(sortable: String(decoding: $0, as: UTF8.self)) }
    }

    func kind(_ column: Int) -> String {
        switch sqlite3_value_type(value(column)) {
        case SQLITE_NULL: "NULL"
        case SQLITE_INTEGER: "an integer"
        case SQLITE_FLOAT: "a number"
        case SQLITE_TEXT: "text"
        default: "bytes"
        }
    }
}
