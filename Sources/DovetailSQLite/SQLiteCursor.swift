import CSQLite
import DovetailModel
import DovetailStore
import Foundation

/// The rows of a statement. Columns are read where SQLite holds them, without an object for each
/// row.
///
/// The cursor marks its statement as in use and frees it when it is closed, read to the end, or
/// released. The bytes that ``text(_:)`` and ``data(_:)`` hand out are SQLite's own. They are valid
/// until the cursor moves or is closed, which is what ``RowSource`` promises.
final class SQLiteCursor: RowCursor {
    let statement: SQLiteStatement
    /// The handle of `statement`, which keeps it valid. It is read for every column, so it is held
    /// here.
    private let handle: OpaquePointer
    /// False after the last row, an error, or ``close()``. The statement may be another cursor's
    /// then.
    @exclusivity(unchecked) private var isOpen = true

    init(_ statement: SQLiteStatement) {
        self.statement = statement
        handle = statement.handle
        statement.isInUse = true
    }

    /// Makes one that has to be opened.
    init(closed statement: SQLiteStatement) {
        self.statement = statement
        handle = statement.handle
        isOpen = false
    }

    /// Starts with the rows of what is bound now.
    func open() {
        isOpen = true
        statement.isInUse = true
    }

    deinit {
        close()
    }

    /// Moves to the next row. The end and an error close the cursor.
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

    /// Resets the statement and gives it back to the connection. Does nothing the second time.
    func close() {
        guard isOpen else { return }
        isOpen = false
        statement.reset()
        statement.isInUse = false
    }

    /// The value of a column, from which type and content are taken without going through the
    /// statement again.
    ///
    /// The value is unprotected: SQLite allows this use as long as no other thread uses the
    /// connection (https://sqlite.org/c3ref/column_blob.html, https://sqlite.org/c3ref/value.html).
    /// The lock of `SQLiteStore.withConnection` makes sure of that.
    private func value(_ column: Int) -> OpaquePointer? {
        sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
    }

    func isNull(_ column: Int) -> Bool {
        sqlite3_value_type(value(column)) == SQLITE_NULL
    }

    /// The stored type decides, not SQLite's conversion: text that looks like a number is none.
    func integer(_ column: Int) -> Int64? {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_INTEGER else { return nil }
        return sqlite3_value_int64(value)
    }

    /// Integers are numbers, too: somebody else may have written 5 for 5.0.
    func double(_ column: Int) -> Double? {
        let value = value(column)
        switch sqlite3_value_type(value) {
        case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_value_double(value)
        default: return nil
        }
    }

    /// The bytes of a text in SQLite's memory.
    ///
    /// Invariant of the pointer: `sqlite3_value_text` comes before `sqlite3_value_bytes`, which
    /// counts the bytes of the UTF-8 that the former made
    /// (https://sqlite.org/c3ref/column_blob.html).
    func text(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value)
        else { return nil }
        let count = Int(sqlite3_value_bytes(value))
        return UnsafeBufferPointer(start: start, count: count)
    }

    /// The bytes of a BLOB in SQLite's memory. An empty one has no address, and its count is 0.
    func data(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_BLOB else { return nil }
        let start = sqlite3_value_blob(value)
        let count = Int(sqlite3_value_bytes(value))
        return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// The date that a text spells, as ``SQLiteStatement`` writes it or with an offset.
    func date(_ column: Int) -> Date? {
        text(column).flatMap { DateText.date(sortable: $0) }
    }

    /// The stored type in words, for messages. It never shows the content.
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
