import DovetailModel
import DovetailSQL
import DovetailStore

extension SQLiteConnection {
    /// SQLite gives up a sum of whole numbers when a part of it does not fit, which depends on the order
    /// of the rows. It is computed again with more bits then.
    func values(of selection: QuerySelection) throws -> [[QueryValue]] {
        do {
            return try values(of: selection, renderer)
        } catch let error as StoreError where error.kind == .outOfRange {
            return try values(of: selection, SQLRenderer(SQLiteDialect(addsExactly: true)))
        }
    }

    private func values(
        of selection: QuerySelection,
        _ renderer: SQLRenderer
    ) throws -> [[QueryValue]] {
        try requireTransaction()
        let entity = selection.query.entity
        let sql = try renderer.select(selection)
        let statement = try statement(sql.text, entity.table)
        try statement.bind(sql.bindings)
        let cursor = SQLiteCursor(statement)
        defer { cursor.close() }
        let kinds = selection.columns.map { $0.kind(in: entity) ?? .text }
        var rows: [[QueryValue]] = []
        while try cursor.next() {
            rows.append(
                try kinds.enumerated().map { column, kind in
                    try QueryValue(cursor, column, kind, named: "")
                }
            )
        }
        return rows
    }
}
