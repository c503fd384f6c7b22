public import DovetailModel
public import DovetailStore

/// The rows of a source which somebody else moves.
@usableFromInline
final class AdvancedRows: RowCursor {
    private let row: any RowSource
    private let advance: () throws -> Bool

    /// - Parameter advance: Moves the source to the next row; false after the last one.
    @usableFromInline
    init(_ row: any RowSource, _ advance: @escaping () throws -> Bool) {
        self.row = row
        self.advance = advance
    }

    @usableFromInline
    func next() throws -> Bool { try advance() }

    @usableFromInline
    func close() {}

    @usableFromInline
    func cell(_ column: Int) -> RowCell { row.cell(column) }

    @usableFromInline
    func read(_ columns: Range<Int>, into cells: UnsafeMutablePointer<RowCell>) {
        row.read(columns, into: cells)
    }

    @usableFromInline
    func rounding(of column: Int) -> ColumnRounding? { row.rounding(of: column) }

    @usableFromInline
    func isDecimal(_ column: Int) -> Bool { row.isDecimal(column) }
}
