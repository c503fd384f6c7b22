import DovetailModel
import DovetailSQL
import DovetailStore

extension SQLiteConnection {
    /// The rows that a selection gives.
    func rows(of selection: QuerySelection) throws -> any RowCursor {
        try rows(of: selection, renderer)
    }

    /// SQLite gives up a sum of whole numbers when a part of it does not fit, which depends on the order
    /// of the rows. It is computed again with more bits then.
    func values(of selection: QuerySelection) throws -> [[QueryValue]] {
        do {
            return try values(of: selection, renderer)
        } catch let error as StoreError where error.kind == .outOfRange {
            let exact = SQLiteDialect(addsExactly: true)
            return try values(of: selection, SQLRenderer(exact, found: renderer.found))
        }
    }

    private func rows(
        of selection: QuerySelection,
        _ renderer: SQLRenderer
    ) throws -> any RowCursor {
        try requireTransaction()
        let sql = try renderer.select(selection)
        let statement = try statement(sql.text, selection.query.entity.table)
        try statement.bind(sql.bindings)
        return SQLiteCursor(statement)
    }

    private func values(
        of selection: QuerySelection,
        _ renderer: SQLRenderer
    ) throws -> [[QueryValue]] {
        let entity = selection.query.entity
        let cursor = try rows(of: selection, renderer)
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
