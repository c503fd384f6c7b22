public import DovetailStore

/// How a column of others is told apart from one of Dovetail's, where both would hold the same
/// values and compare them in another way.
public enum SQLColumnForm: Hashable, Sendable {
    /// Text that the database compares in another way than by its bytes, or nobody knows how.
    case collated
    /// Dates as text, each in any form that is read.
    case date
    /// Decimals as numbers, or as text with any number of zeros at its ends.
    case decimal
}

/// What a store has found in tables and views that others have made: the columns that a query has to
/// take in another form, so that it gives the same rows as with a table of Dovetail's.
///
/// ```swift
/// var tables = SQLForeignTables()
/// tables[entity] = [1: .collated]
/// try SQLRenderer(SQLiteDialect(), foreign: tables).select(query).text
/// // … WHERE ("name" COLLATE BINARY < ?1)
/// ```
public struct SQLForeignTables: Sendable {
    private var forms: [ObjectIdentifier: [Int: SQLColumnForm]] = [:]

    /// Knows no table of others.
    public init() {}

    /// The columns of an entity's table that have a form of their own, by their positions; nil for a
    /// table that Dovetail has made.
    public subscript(entity: EntityBinding) -> [Int: SQLColumnForm]? {
        get { forms.isEmpty ? nil : forms[entity.tableIdentifier] }
        set { forms[entity.tableIdentifier] = newValue }
    }
}
