import CSQLite
import DovetailSQL
import DovetailStore

extension SQLiteConnection {
    /// Prepares the statement, which has to be one that reads, and to be alone.
    func rows(of sql: SQLQuery) throws -> (cursor: any RowCursor, columns: [String]) {
        try requireTransaction()
        let sql = try renderer.statement(of: sql)
        let statement = try statement(sql.text)
        guard sqlite3_stmt_readonly(statement.handle) != 0 else {
            throw StoreError(
                .unsupported,
                explanation: "the statement writes; `sql(_:as:)` is for queries"
            )
        }
        let used = sqlite3_sql(statement.handle).map { String(cString: $0).utf8.count } ?? 0
        guard sql.text.utf8.dropFirst(used).allSatisfy({ " \n\t\r;".utf8.contains($0) }),
            sqlite3_column_count(statement.handle) > 0
        else {
            throw StoreError(
                .unsupported,
                explanation: "`sql(_:as:)` takes one statement that gives rows"
            )
        }
        try statement.bind(sql.bindings)
        let columns = (0..<sqlite3_column_count(statement.handle)).map { column in
            sqlite3_column_name(statement.handle, column).map { String(cString: $0) } ?? ""
        }
        return (SQLiteCursor(statement), columns)
    }
}
