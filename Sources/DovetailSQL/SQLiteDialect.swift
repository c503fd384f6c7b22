public import DovetailModel

/// The SQL of SQLite 3.37 and later, which is the first with strict tables
/// (https://sqlite.org/stricttables.html).
public struct SQLiteDialect: SQLDialect {
    /// Makes the dialect. It has no settings.
    public init() {}

    /// The type names give columns their affinity
    /// (https://sqlite.org/datatype3.html).
    ///
    /// A key of one column that is `INTEGER PRIMARY KEY` is the row's own number, without an index
    /// beside it (https://sqlite.org/lang_createtable.html#rowid). Booleans are 0 and 1. Dates
    /// are text in a form whose order is that of time. Decimals are text, because NUMERIC would
    /// round them.
    public func columnType(_ type: ColumnType, isPrimaryKey: Bool) -> String {
        switch type {
        case .boolean, .integer: "INTEGER"
        case .double: "REAL"
        case .text, .decimal, .date, .document: "TEXT"
        case .data: "BLOB"
        }
    }

    /// Without `AUTOINCREMENT` the number of the last row would be given again when that is deleted
    /// (https://sqlite.org/autoinc.html).
    public var generatedKey: String { "INTEGER PRIMARY KEY AUTOINCREMENT" }

    /// A strict table refuses values of another type than its column's
    /// (https://sqlite.org/stricttables.html).
    public var tableOptions: String { " STRICT" }

    /// Numbered, so that a statement can name its parameters in any order
    /// (https://sqlite.org/lang_expr.html#varparam).
    public func parameter(_ position: Int) -> String { "?\(position)" }

    /// `IS`; https://sqlite.org/lang_expr.html#isisnot
    public func nullSafeEqual(_ left: String, _ right: String) -> String { "\(left) IS \(right)" }

    /// `instr` compares exactly, unlike LIKE, which folds ASCII letters and has wildcards. It reads
    /// the text of every row; no index helps.
    public func contains(_ text: String, _ part: String) -> String { "instr(\(text), \(part)) > 0" }

    /// `instr` again, because `substr` and `length` would stop at a NUL
    /// (https://sqlite.org/nulinstr.html). It goes through the whole text where the prefix is not
    /// found.
    public func hasPrefix(_ text: String, _ prefix: String) -> String {
        "instr(\(text), \(prefix)) = 1"
    }

    /// SQLite takes NULL as smaller than every value (https://sqlite.org/lang_select.html#orderby),
    /// so missing values come first without a word about them.
    public func order(_ column: String, isAscending: Bool) -> String {
        column + (isAscending ? "" : " DESC")
    }

    /// OFFSET needs a LIMIT, and a negative one is none
    /// (https://sqlite.org/lang_select.html#limitoffset).
    public func limit(_ limit: Int?, offset: Int) -> String {
        if limit == nil, offset == 0 { return "" }
        return " LIMIT \(limit ?? -1)" + (offset > 0 ? " OFFSET \(offset)" : "")
    }
}
