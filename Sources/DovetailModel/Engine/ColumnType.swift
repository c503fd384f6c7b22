/// The closed list of column kinds that an attribute can have in a store.
///
/// A dialect maps each kind to a column type of its database; the SQL beside each kind is SQLite's.
/// The list is closed so that a dialect is complete when its `switch` is. A value whose type has no
/// kind of its own is a `document`.
public enum ColumnType: String, Hashable, Codable, Sendable {
    /// A truth value: `INTEGER`, 0 or 1.
    case boolean
    /// A whole number of at most 64 bits with sign: `INTEGER`.
    case integer
    /// A double precision floating point number (IEEE 754): `REAL`.
    case double
    /// A decimal number, kept digit by digit: `TEXT`, since `REAL` would round it.
    case decimal
    /// Text in UTF-8, compared by its bytes: `TEXT`.
    case text
    /// A date in UTC: `TEXT` such as `2024-03-01 10:20:30.5`, whose order as text is the order in
    /// time.
    case date
    /// Bytes: `BLOB`.
    case data
    /// An embedded object or array, kept as JSON: `TEXT`.
    case document
}
