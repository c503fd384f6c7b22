import CSQLite
import DovetailModel
import DovetailStore
import Foundation

/// The rows of a statement. Columns are read where SQLite holds them, without an object for each
/// row.
///
/// The cursor marks its statement as in use and frees it when it is closed, read to the end, or
/// released. The bytes that cells hand out are SQLite's own. They are valid
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
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        try end(code)
        return false
    }

    /// Closes the cursor after what was no row. Out of line, so that the loop over rows stays small.
    @inline(never)
    private func end(_ code: Int32) throws {
        defer { close() }
        try statement.requireEnd(code)
    }

    /// Resets the statement and gives it back to the connection. Does nothing the second time.
    func close() {
        guard isOpen else { return }
        isOpen = false
        statement.reset()
        statement.isInUse = false
    }

    // A column's value tells type and content without going through the statement again. It is
    // unprotected: SQLite allows this use as long as no other thread uses the connection
    // (https://sqlite.org/c3ref/column_blob.html, https://sqlite.org/c3ref/value.html). The lock of
    // `SQLiteStore.withConnection` makes sure of that.

    func cell(_ column: Int) -> RowCell {
        RowCell(sqlite: sqlite3_column_value(handle, Int32(truncatingIfNeeded: column)))
    }

    func read(_ columns: Range<Int>, into cells: UnsafeMutablePointer<RowCell>) {
        let handle = handle
        var (column, target) = (columns.lowerBound, cells)
        while column < columns.upperBound {
            let value = sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
            RowCell.put(value, into: target)
            column &+= 1
            target += 1
        }
    }
}
