public import DovetailModel
public import Foundation

/// Compares a value with a stored row, column by column, without making a value of the row.
///
/// Give the sink to ``ModelWriter``; afterwards ``differs`` tells whether any column is different.
public final class RowComparison: RowSink {
    private let row: any RowSource
    /// Whether a column that was set since ``reset()`` differs from the stored one.
    public private(set) var differs = false

    /// Compares with the row at which a cursor stands.
    public init(_ row: any RowSource) {
        self.row = row
    }

    /// Starts with the next row.
    public func reset() { differs = false }

    private func expect(_ isEqual: Bool) {
        if !isEqual { differs = true }
    }

    private func isEqual(
        _ stored: UnsafeBufferPointer<UInt8>?,
        _ bytes: UnsafeRawBufferPointer
    )
        -> Bool
    {
        guard let stored, stored.count == bytes.count else { return false }
        return stored.elementsEqual(bytes)
    }

    /// Expects NULL.
    public func setNull(_ column: Int) { expect(row.isNull(column)) }
    /// Expects a truth value.
    public func set(_ column: Int, bool: Bool) { expect(row.integer(column) == (bool ? 1 : 0)) }
    /// Expects a whole number.
    public func set(_ column: Int, integer: Int64) { expect(row.integer(column) == integer) }
    /// Expects a floating point number.
    public func set(_ column: Int, double: Double) { expect(row.double(column) == double) }
    /// Expects a decimal number.
    public func set(_ column: Int, decimal: Decimal) {
        let text = row.text(column).map { String(decoding: $0, as: UTF8.self) }
        expect(text.flatMap { Decimal(string: $0) } == decimal)
    }
    /// Expects text.
    public func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) {
        expect(isEqual(row.text(column), UnsafeRawBufferPointer(text)))
    }
    /// Expects a moment.
    public func set(_ column: Int, date: Date) { expect(row.date(column) == date) }
    /// Expects bytes.
    public func set(_ column: Int, data: UnsafeRawBufferPointer) {
        expect(isEqual(row.data(column), data))
    }
    /// Expects an embedded document.
    public func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) {
        expect(isEqual(row.text(column), UnsafeRawBufferPointer(document)))
    }
}
