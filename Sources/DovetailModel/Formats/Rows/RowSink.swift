public import Foundation

/// Takes the columns of one row from a ``ModelWriter``: the bindings of a store's statement.
///
/// Columns are numbered from 0 in the order of ``Model/modelAttributes``; each is set exactly once.
/// A store fulfils it, next to ``RowSource``. What each kind becomes is up to the store;
/// Documentation/Values.md lists it for SQLite.
///
/// ```swift
/// func set(_ column: Int, integer: Int64) throws {
///     try check(sqlite3_bind_int64(handle, Int32(column + 1), integer))
/// }
/// ```
///
/// Everything throws what the store throws, and the writer passes it on. Buffers may be empty, and
/// then their base address may be nil.
public protocol RowSink: AnyObject {
    /// Sets the column to NULL.
    func setNull(_ column: Int) throws
    /// Sets the column to a truth value. SQLite: `INTEGER` 0 or 1.
    func set(_ column: Int, bool: Bool) throws
    /// Sets the column to a whole number. Larger ones do not come here: the writer refuses them.
    func set(_ column: Int, integer: Int64) throws
    /// Sets the column to a floating point number that is not NaN; it may be infinite.
    func set(_ column: Int, double: Double) throws
    /// Sets the column to a decimal number. All digits have to come back. SQLite: `TEXT`.
    func set(_ column: Int, decimal: Decimal) throws
    /// Sets the column to text in UTF-8; the bytes are valid during the call.
    func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) throws
    /// Sets the column to a date. SQLite: `TEXT` whose order is the order in time.
    func set(_ column: Int, date: Date) throws
    /// Sets the column to bytes, which are valid during the call. SQLite: `BLOB`.
    func set(_ column: Int, data: UnsafeRawBufferPointer) throws
    /// Sets the column to an embedded document in JSON; the bytes are valid during the call.
    /// SQLite: `TEXT`.
    func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) throws
}
