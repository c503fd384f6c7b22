/// The closed list of column kinds that an attribute can have in a store.
///
/// A dialect maps each kind to a column type of its database.
public enum ColumnType: Hashable, Sendable {
    /// A truth value.
    case boolean
    /// A whole number of at most 64 bits with sign.
    case integer
    /// A double precision floating point number.
    case double
    /// A decimal number, kept digit by digit.
    case decimal
    /// Text in UTF-8.
    case text
    /// A moment in UTC.
    case date
    /// Bytes.
    case data
    /// An embedded object or array, kept as JSON.
    case document
}
