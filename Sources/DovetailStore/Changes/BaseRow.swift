/// A row that was changed since its entity was synchronized last, as it was then: what both sides of a merge
/// have begun with.
public struct BaseRow: Hashable, Sendable {
    /// The values of the key columns.
    public let key: [QueryValue]
    /// The columns of the row in their order; nil where there was none.
    public let values: [QueryValue]?

    /// Makes one, for stores of your own.
    public init(key: [QueryValue], values: [QueryValue]?) {
        self.key = key
        self.values = values
    }
}

/// The rows that were changed since an entity was synchronized last.
public enum ChangedRows: Hashable, Sendable {
    /// It never was: all rows are new.
    case all
    /// These, in no order.
    case rows([BaseRow])
}
