package import Foundation

/// The columns of a row as one class of several in a table sees them: its own first, and after
/// ``enterSuperclass()`` those that its superclass reads.
///
/// A row of the table has columns of other classes, too, between those of a class.
package final class ClassRow: RowSource {
    private let row: any RowSource
    /// The columns of each class, that of the object first, then the one above it.
    private let columns: [[Int]]
    private var level = 0

    /// Looks at the current row of a cursor.
    ///
    /// - Parameters:
    ///   - row: The cursor.
    ///   - columns: The columns in the row of each class, that of the object first.
    package init(_ row: any RowSource, columns: [[Int]]) {
        self.row = row
        self.columns = columns
    }

    /// Looks at what belongs to the superclass from now on.
    func enterSuperclass() { level += 1 }

    /// The column of the row; one that no row has for a column that the class does not have.
    func place(_ column: Int) -> Int {
        guard columns.indices.contains(level), columns[level].indices.contains(column) else {
            return .max
        }
        return columns[level][column]
    }

    package func cell(_ column: Int) -> RowCell {
        let place = place(column)
        return place == .max ? .null : row.cell(place)
    }
}

/// Takes the columns that one class of several in a table writes, and puts them into the row.
package final class ClassRowSink: RowSink {
    private let row: any RowSink
    private let columns: [Int]

    /// Writes into the row that is being made.
    ///
    /// - Parameter columns: The column in the row of each attribute of the class.
    package init(_ row: any RowSink, columns: [Int]) {
        self.row = row
        self.columns = columns
    }

    /// Invariant: a writer sets a column for each attribute of its model, and says so where one writes
    /// more of them (`ModelWriter.wrongColumns(of:)`).
    private func with(_ column: Int, _ body: (Int) throws -> Void) rethrows {
        if columns.indices.contains(column) { try body(columns[column]) }
    }

    package func setNull(_ column: Int) throws { try with(column) { try row.setNull($0) } }
    package func set(_ column: Int, bool: Bool) throws {
        try with(column) { try row.set($0, bool: bool) }
    }
    package func set(_ column: Int, integer: Int64) throws {
        try with(column) { try row.set($0, integer: integer) }
    }
    package func set(_ column: Int, double: Double) throws {
        try with(column) { try row.set($0, double: double) }
    }
    package func set(_ column: Int, decimal: Decimal) throws {
        try with(column) { try row.set($0, decimal: decimal) }
    }
    package func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) throws {
        try with(column) { try row.set($0, text: text) }
    }
    package func set(_ column: Int, date: Date) throws {
        try with(column) { try row.set($0, date: date) }
    }
    package func set(_ column: Int, data: UnsafeRawBufferPointer) throws {
        try with(column) { try row.set($0, data: data) }
    }
    package func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) throws {
        try with(column) { try row.set($0, document: document) }
    }
}
