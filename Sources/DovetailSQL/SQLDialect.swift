public import DovetailModel

/// What differs between SQL databases.
public protocol SQLDialect: Sendable {
    /// The column type for a kind of value.
    func columnType(_ type: ColumnType, isPrimaryKey: Bool) -> String
    /// The parameter at a position, from 1.
    func parameter(_ position: Int) -> String
    /// Equality that takes two missing values as equal.
    func nullSafeEqual(_ left: String, _ right: String) -> String
    /// Whether a text contains another.
    func contains(_ text: String, _ part: String) -> String
    /// Whether a text starts with another.
    func hasPrefix(_ text: String, _ prefix: String) -> String
    /// Orders by a column, missing values first when ascending.
    func order(_ column: String, isAscending: Bool) -> String
    /// The clause that limits the rows.
    func limit(_ limit: Int?, offset: Int) -> String
}

extension SQLDialect {
    /// A name as SQL's delimited identifier.
    public func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }
}
