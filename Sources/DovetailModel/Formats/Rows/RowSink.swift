public import Foundation

/// Takes the columns of one row from a ``ModelWriter``: the bindings of a store's statement.
///
/// Columns are numbered from 0 in the order of ``Model/modelAttributes``; each is set exactly once.
public protocol RowSink: AnyObject {
    /// Sets the column to NULL.
    func setNull(_ column: Int) throws
    /// Sets the column to a truth value.
    func set(_ column: Int, bool: Bool) throws
    /// Sets the column to a whole number.
    func set(_ column: Int, integer: Int64) throws
    /// Sets the column to a floating point number that is not NaN.
    func set(_ column: Int, double: Double) throws
    /// Sets the column to a decimal number.
    func set(_ column: Int, decimal: Decimal) throws
    /// Sets the column to text in UTF-8; the bytes are valid during the call.
    func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) throws
    /// Sets the column to a moment.
    func set(_ column: Int, date: Date) throws
    /// Sets the column to bytes, which are valid during the call.
    func set(_ column: Int, data: UnsafeRawBufferPointer) throws
    /// Sets the column to an embedded document in JSON; the bytes are valid during the call.
    func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) throws
}
