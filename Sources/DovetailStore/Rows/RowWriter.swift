public import DovetailModel

/// What happens with each row that is written. Columns of the table that the model lacks are kept.
public enum WriteVerb: Hashable, Sendable {
    /// Adds a row whose key must be new; otherwise ``StoreError/Kind/uniqueViolation``.
    case insert
    /// Adds a row, or replaces all columns of the model in the row with the same key.
    case upsert
    /// Replaces all columns of the model in the row with the same key, which must exist; otherwise
    /// ``StoreError/Kind/notFound``.
    case update
    /// Removes the row with the same key, if there is one.
    case delete

    /// Whether a row may be new afterwards.
    public var adds: Bool { self == .insert || self == .upsert }
}

/// Takes rows one at a time: first the columns, then ``finishRow()``; and ``finish()`` after the last one.
///
/// Every column is set once a row. For ``WriteVerb/delete`` only the key columns count, and others
/// are ignored.
public protocol RowWriter: RowSink {
    /// Writes the row whose columns were set.
    ///
    /// - Throws: ``StoreError``, such as `uniqueViolation` for an insert and `notFound` for an
    ///   update.
    func finishRow() throws
    /// Writes the rows that the writer holds back, so that many of them go to the database at once. Who has
    /// finished the last row calls it. In a transaction a store may wait until something is read, or until the
    /// transaction ends, and throws there.
    ///
    /// - Throws: ``StoreError`` with the key of the row that was refused, as ``finishRow()`` does for rows
    ///   that are not held back.
    func finish() throws
    /// The key of the row that was finished last, where the entity's key is generated
    /// (``EntityBinding/generatedColumn``); nil for others.
    var lastKey: Int64? { get }
}

extension RowWriter {
    /// Nothing is held back.
    public func finish() throws {}

    /// No key is generated.
    public var lastKey: Int64? { nil }
}
