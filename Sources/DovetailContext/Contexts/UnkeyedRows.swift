import DovetailModel
import DovetailStore

/// The rows of a query where everything that waits was written, to be undone. A key that the store gave there is
/// not the one of the row that is saved, so it is not shown.
final class UnkeyedRows: RowCursor {
    private let rows: any RowCursor
    private let column: Int
    private let keys: Set<Int64>

    /// The rows of a cursor, or the cursor itself where no key of the entity was given.
    static func over(
        _ rows: any RowCursor,
        of entity: EntityBinding,
        given keys: [String: Set<Int64>]
    ) -> any RowCursor {
        guard !keys.isEmpty, let column = entity.generatedColumn, let keys = keys[entity.table]
        else { return rows }
        return UnkeyedRows(rows, column, keys)
    }

    private init(_ rows: any RowCursor, _ column: Int, _ keys: Set<Int64>) {
        (self.rows, self.column, self.keys) = (rows, column, keys)
    }

    func next() throws -> Bool { try rows.next() }

    func close() { rows.close() }

    func cell(_ column: Int) -> RowCell {
        let cell = rows.cell(column)
        if column == self.column, case .integer(let key) = cell, keys.contains(key) { return .null }
        return cell
    }
}
