import DovetailModel
public import Foundation

/// A writer that hands over each row as values, for a store that keeps rows in a form of its own.
///
/// ```swift
/// func writer(_ verb: WriteVerb, into entity: EntityBinding) throws -> any RowWriter {
///     ValueWriter(entity) { values in try self.write(values, verb, entity) }
/// }
/// ```
///
/// It belongs to one caller at a time. A row costs an array, and a copy of its text and bytes.
public final class ValueWriter: RowWriter {
    private let entity: EntityBinding
    private let write: ([QueryValue]) throws -> [QueryValue]
    private var row: ValueSink
    private let interruption = StoreInterruption.current
    /// The key of the row that was finished last, where the entity's key is generated.
    public private(set) var lastKey: Int64?

    /// Makes a writer for rows of an entity.
    ///
    /// - Parameter write: Stores a row whose columns were set, and gives it as it was stored, with
    ///   the key that the store may have given. For ``WriteVerb/delete`` only the key columns are
    ///   set.
    public init(
        _ entity: EntityBinding,
        _ write: @escaping (_ values: [QueryValue]) throws -> [QueryValue]
    ) {
        self.entity = entity
        self.write = write
        row = ValueSink(columns: entity.attributes.count)
    }

    /// Hands over the row.
    ///
    /// - Throws: what the closure throws, and ``StoreError`` of kind `cancelled` or
    ///   `deadlineExceeded`.
    public func finishRow() throws {
        try interruption?.check()
        let finished = row.values
        row = ValueSink(columns: finished.count)
        let stored = try write(finished)
        if let column = entity.generatedColumn, case .integer(let key) = stored[column] {
            lastKey = key
        } else {
            lastKey = nil
        }
    }

    /// Sets the column to NULL.
    public func setNull(_ column: Int) { row.setNull(column) }
    /// Keeps a boolean.
    public func set(_ column: Int, bool: Bool) { row.set(column, bool: bool) }
    /// Keeps a whole number.
    public func set(_ column: Int, integer: Int64) { row.set(column, integer: integer) }
    /// Keeps a floating point number.
    public func set(_ column: Int, double: Double) { row.set(column, double: double) }
    /// Keeps a decimal number.
    public func set(_ column: Int, decimal: Decimal) { row.set(column, decimal: decimal) }
    /// Keeps text.
    public func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) { row.set(column, text: text) }
    /// Keeps a date.
    public func set(_ column: Int, date: Date) { row.set(column, date: date) }
    /// Keeps bytes.
    public func set(_ column: Int, data: UnsafeRawBufferPointer) { row.set(column, data: data) }
    /// Keeps an embedded document.
    public func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) {
        row.set(column, document: document)
    }
}
