public import DovetailModel
public import Foundation

/// Compares a value with a stored row, column by column, without making a value of the row.
///
/// ```swift
/// let comparison = RowComparison(cursor)
/// while try cursor.next() {
///     comparison.reset()
///     try ModelWriter.writeRows(CollectionOfOne(user), to: comparison) { _ in }
///     if !comparison.differing.isEmpty { … }
/// }
/// ```
///
/// Text, bytes and documents are compared where the cursor holds them, so a comparison costs as
/// much as writing the value. A column that cannot be read as the value's kind differs.
public final class RowComparison: RowSink {
    private let row: any RowSource
    /// The columns that were set since ``reset()`` and differ from the stored ones.
    public private(set) var differing = ColumnSet()

    /// Compares with the row at which a cursor is positioned when a column is set.
    public init(_ row: any RowSource) {
        self.row = row
    }

    /// Starts the comparison with another row. Call it once the cursor has moved.
    public func reset() { differing = [] }

    private func expect(_ column: Int, _ isEqual: Bool) {
        if !isEqual { differing.insert(column) }
    }

    /// Expects a value, or what it is rounded to: that is asked of the row only where they differ.
    private func expect<Value: Equatable>(
        _ column: Int,
        _ stored: Value?,
        _ value: Value,
        rounded: (ColumnRounding) -> Value
    ) {
        if stored == value { return }
        expect(column, stored != nil && stored == row.rounding(of: column).map(rounded))
    }

    private func isEqual(
        _ stored: UnsafeBufferPointer<UInt8>?,
        _ bytes: UnsafeRawBufferPointer
    )
        -> Bool
    {
        guard let stored, stored.count == bytes.count else { return false }
        guard let mine = stored.baseAddress, let theirs = bytes.baseAddress else { return true }
        return memcmp(mine, theirs, bytes.count) == 0
    }

    /// Expects NULL.
    public func setNull(_ column: Int) { expect(column, row.isNull(column)) }
    /// Expects a boolean.
    public func set(_ column: Int, bool: Bool) {
        expect(column, row.integer(column) == (bool ? 1 : 0))
    }
    /// Expects a whole number.
    public func set(_ column: Int, integer: Int64) {
        expect(column, row.integer(column) == integer)
    }
    /// Expects a floating point number.
    public func set(_ column: Int, double: Double) {
        expect(column, row.double(column), double) { $0.stored(double) }
    }
    /// Expects a decimal number. The stored text may write the same number in another way.
    public func set(_ column: Int, decimal: Decimal) {
        expect(column, row.decimal(column), decimal) { $0.stored(decimal) }
    }
    /// Expects text of the same bytes.
    public func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) {
        let stored = row.text(column)
        if isEqual(stored, UnsafeRawBufferPointer(text)) { return }
        let rounded = row.rounding(of: column)?.stored(text)
        expect(column, rounded.map { isEqual(stored, UnsafeRawBufferPointer($0)) } ?? false)
    }
    /// Expects a date, equal to the last bit that the store keeps.
    public func set(_ column: Int, date: Date) {
        expect(column, row.date(column), date) { $0.stored(date) }
    }
    /// Expects bytes.
    public func set(_ column: Int, data: UnsafeRawBufferPointer) {
        expect(column, isEqual(row.data(column), data))
    }
    /// Expects an embedded document of the same bytes.
    public func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) {
        expect(column, isEqual(row.text(column), UnsafeRawBufferPointer(document)))
    }
}
