public import Foundation

/// The columns of one row, as a store's cursor offers them to a ``ModelReader``.
///
/// Columns are numbered from 0 in the order of ``Model/modelAttributes``; one that the row does not
/// have is NULL. Bytes that are handed out stay valid until the cursor moves.
///
/// A cell that is not of the kind that the model declares becomes a ``ModelDecodingError`` of reason
/// `typeMismatch` with the column's path, which quotes ``RowCell/kind`` and never the content.
///
/// ```swift
/// func cell(_ column: Int) -> RowCell {
///     switch sqlite3_column_type(handle, Int32(column)) {
///     case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, Int32(column)))
///     …
///     default: .null
///     }
/// }
/// ```
public protocol RowSource: AnyObject {
    /// What a column holds.
    func cell(_ column: Int) -> RowCell
    /// Puts down what some columns hold, one after the other: a model is read from there, without
    /// asking for each column. By default it is ``cell(_:)`` for each.
    ///
    /// - Parameters:
    ///   - columns: Which ones; none below 0.
    ///   - cells: Has room for as many.
    func read(_ columns: Range<Int>, into cells: UnsafeMutablePointer<RowCell>)
    /// How the store rounds what a column is given, so that a value is compared as it would be stored; nil,
    /// which is the default, where it does not.
    func rounding(of column: Int) -> ColumnRounding?
    /// Whether the text in a column is that of a number, which may be read as one of any type that holds it.
    /// By default it is not known to be.
    func isDecimal(_ column: Int) -> Bool
}

extension RowSource {
    /// Nothing is known.
    public func isDecimal(_ column: Int) -> Bool { false }

    /// Everything is kept to the last bit.
    public func rounding(of column: Int) -> ColumnRounding? { nil }

    /// Asks for each of the columns.
    public func read(_ columns: Range<Int>, into cells: UnsafeMutablePointer<RowCell>) {
        var target = cells
        for column in columns {
            target.initialize(to: cell(column))
            target += 1
        }
    }

    /// Whether the column holds NULL.
    @inlinable public func isNull(_ column: Int) -> Bool { cell(column).isNull }
    /// The whole number in the column, or a truth value as 0 or 1; nil when it holds something else.
    @inlinable public func integer(_ column: Int) -> Int64? { cell(column).integer }
    /// The number in the column; nil when it holds something else.
    @inlinable public func double(_ column: Int) -> Double? { cell(column).double }
    /// The text in the column, in UTF-8 not yet validated; nil when it holds something else.
    @inlinable public func text(_ column: Int) -> UnsafeBufferPointer<UInt8>? { cell(column).text }
    /// The bytes in the column; nil when it holds something else.
    @inlinable public func data(_ column: Int) -> UnsafeBufferPointer<UInt8>? { cell(column).data }
    /// The date in the column; nil when it holds something else, or text that is no date.
    public func date(_ column: Int) -> Date? { cell(column).date }
    /// The decimal number in the column; nil when it holds something else.
    public func decimal(_ column: Int) -> Decimal? { cell(column).decimal }
    /// What the column holds, in one word for error messages, never the content.
    public func kind(_ column: Int) -> String { cell(column).kind }
}

/// What errors call a model's columns, in their order.
///
/// A store makes them once for each model (`EntityBinding.fields`), and every reader of its rows
/// shares them.
public final class RowFields: Sendable {
    private let paths: [String]
    /// The table whose rows they are, for errors.
    let table: String?

    /// Takes the paths of the attributes of a model: ``Model/modelAttributes``.
    ///
    /// - Parameter table: What errors name; nil for rows of no table.
    /// - Complexity: linear in the number of attributes.
    public init(_ attributes: [ModelAttribute], table: String? = nil) {
        paths = attributes.map(\.path)
        self.table = table
    }

    /// How many columns the model has.
    var count: Int { paths.count }

    /// The attribute's path as errors print it; `[""]` for a column that the model does not have.
    func path(_ column: Int) -> String {
        paths.indices.contains(column) ? paths[column] : "[\"\"]"
    }
}
