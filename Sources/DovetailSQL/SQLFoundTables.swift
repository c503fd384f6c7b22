public import DovetailModel
public import DovetailStore

/// In which form a database has a column, where it would compare its values in another way than
/// Dovetail's rows are compared.
public enum SQLColumnForm: Hashable, Sendable {
    /// Text that the database compares in another way than by its bytes, or nobody knows how.
    case collated
    /// Dates as text, each in any form that is read.
    case date
    /// Decimals as numbers, or as text with any number of zeros at its ends.
    case decimal
    /// Numbers of 32 bits, each as the shortest decimal that is read as it.
    case single
    /// UUIDs in a type of the database, compared with each other as they are and with all else as text in
    /// capital letters. Both have the same order.
    case uuid
}

/// What a store has found in the tables of a database: those that others have made, the columns that a query
/// has to take in another form, so that it gives the same rows as with a table of Dovetail's, and in all tables
/// the columns that hold UUIDs in a type of the database.
///
/// ```swift
/// var tables = SQLFoundTables()
/// tables[entity] = [1: .collated]
/// try SQLRenderer(SQLiteDialect(), found: tables).select(query).text
/// // … WHERE ("name" COLLATE BINARY < ?1)
/// ```
public struct SQLFoundTables: Sendable {
    /// The forms of columns of tables that others have made.
    private var forms: [ObjectIdentifier: [Int: SQLColumnForm]] = [:]
    /// The columns of tables that Dovetail has made in which the database keeps UUIDs.
    private var uuids: [ObjectIdentifier: Set<Int>] = [:]

    /// The columns of tables of others that round what they are given.
    private var rounded: [ObjectIdentifier: [Int: ColumnRounding]] = [:]
    /// The tables in which no unique index is on the key.
    private var withoutKey: Set<ObjectIdentifier> = []

    /// Knows no table of others.
    public init() {}

    /// The columns of an entity's table that have a form of their own, by their positions; nil for a
    /// table that Dovetail has made.
    public subscript(entity: EntityBinding) -> [Int: SQLColumnForm]? {
        get { forms.isEmpty ? nil : forms[entity.tableIdentifier] }
        set { forms[entity.tableIdentifier] = newValue }
    }

    /// The columns of an entity's table that round what they are given, in another way than those of Dovetail's
    /// own tables; empty for these.
    public internal(set) subscript(roundingsOf entity: EntityBinding) -> [Int: ColumnRounding] {
        get { rounded.isEmpty ? [:] : rounded[entity.tableIdentifier] ?? [:] }
        set { rounded[entity.tableIdentifier] = newValue.isEmpty ? nil : newValue }
    }

    /// Whether no unique index of the table as a whole is on the key, as where parts of it are on other
    /// servers, so that `ON CONFLICT` finds none.
    public subscript(lacksKeyOf entity: EntityBinding) -> Bool {
        get { withoutKey.contains(entity.tableIdentifier) }
        set {
            if newValue {
                withoutKey.insert(entity.tableIdentifier)
            } else {
                withoutKey.remove(entity.tableIdentifier)
            }
        }
    }

    /// The columns that the database keeps as UUIDs, of a table that Dovetail has made.
    public subscript(uuidsOf entity: EntityBinding) -> Set<Int> {
        get { uuids.isEmpty ? [] : uuids[entity.tableIdentifier] ?? [] }
        set { uuids[entity.tableIdentifier] = newValue.isEmpty ? nil : newValue }
    }

    /// The form of a column, whoever has made the table; nil where it has none of its own.
    public func form(of column: Int, in entity: EntityBinding) -> SQLColumnForm? {
        self[uuidsOf: entity].contains(column) ? .uuid : self[entity]?[column]
    }

    /// The forms of all columns that have one, whoever has made the table.
    func forms(of entity: EntityBinding) -> [Int: SQLColumnForm] {
        let own = self[uuidsOf: entity]
        if own.isEmpty { return self[entity] ?? [:] }
        return (self[entity] ?? [:]).merging(own.map { ($0, .uuid) }) { $1 }
    }
}
