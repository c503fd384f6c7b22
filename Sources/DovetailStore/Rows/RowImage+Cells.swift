package import DovetailModel

extension RowImage {
    /// Makes a row of cells that a writer holds back, to name the row in an error. What a column does not
    /// take is left out.
    ///
    /// - Complexity: linear in the size of the row.
    package convenience init(heldBackIn entity: EntityBinding, cell: (_ column: Int) -> RowCell) {
        self.init(columns: entity.columnCount)
        for (column, attribute) in entity.attributes.enumerated() {
            try? QueryValue(OneCell(cell(column)), 0, attribute).set(column, of: self)
        }
    }
}

/// A row of one cell.
private final class OneCell: RowSource {
    private let content: RowCell

    init(_ content: RowCell) { self.content = content }

    func cell(_ column: Int) -> RowCell { content }
}
