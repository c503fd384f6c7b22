public import DovetailModel

/// SQLite 3.24 and later (upsert); https://sqlite.org/lang.html.
public struct SQLiteDialect: SQLDialect {
    /// There is one SQLite.
    public init() {}

    /// `INTEGER PRIMARY KEY` is the row's own number; dates are text whose order is that of time;
    /// decimals are text, because NUMERIC would round them.
    public func columnType(_ type: ColumnType, isPrimaryKey: Bool) -> String {
        switch type {
        case .boolean, .integer: "INTEGER"
        case .double: "REAL"
        case .text, .decimal, .date, .document: "TEXT"
        case .data: "BLOB"
        }
    }

    /// Numbered, so that one order of columns serves every statement.
    public func parameter(_ position: Int) -> String { "?\(position)" }

    /// https://sqlite.org/lang_expr.html#isisnot
    public func nullSafeEqual(_ left: String, _ right: String) -> String { "\(left) IS \(right)" }

    /// Byte by byte, unlike LIKE, which folds ASCII letters.
    public func contains(_ text: String, _ part: String) -> String { "instr(\(text), \(part)) > 0" }

    /// `substr` and `length` would stop at a NUL (https://sqlite.org/nulinstr.html).
    public func hasPrefix(_ text: String, _ prefix: String) -> String {
        "instr(\(text), \(prefix)) = 1"
    }

    /// SQLite takes NULL for the smallest value.
    public func order(_ column: String, isAscending: Bool) -> String {
        column + (isAscending ? "" : " DESC")
    }

    /// OFFSET needs a LIMIT; -1 is none.
    public func limit(_ limit: Int?, offset: Int) -> String {
        if limit == nil, offset == 0 { return "" }
        return " LIMIT \(limit ?? -1)" + (offset > 0 ? " OFFSET \(offset)" : "")
    }
}
