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

    func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
    }

    func integer(_ column: Int) -> Int64? {
        guard sqlite3_column_type(handle, Int32(column)) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(handle, Int32(column))
    }

    func double(_ column: Int) -> Double? {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_column_double(handle, Int32(column))
        default: nil
        }
    }

    func text(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
        guard sqlite3_column_type(handle, Int32(column)) == SQLITE_TEXT,
            let start = sqlite3_column_text(handle, Int32(column))
        else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return UnsafeBufferPointer(start: start, count: count)
    }

    func data(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
        guard sqlite3_column_type(handle, Int32(column)) == SQLITE_BLOB else { return nil }
        let start = sqlite3_column_blob(handle, Int32(column))
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count)
    }

    func date(_ column: Int) -> Date? {
        text(column).flatMap { DateText.date(sortable: String(decoding: $0, as: UTF8.self)) }
    }

    func kind(_ column: Int) -> String {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_NULL: "NULL"
        case SQLITE_INTEGER: "an integer"
        case SQLITE_FLOAT: "a number"
        case SQLITE_TEXT: "text"
        default: "bytes"
        }
    }
}
