public import DovetailModel

/// What differs between SQL databases, each difference as a piece of text.
///
/// A dialect is given SQL that is quoted already and puts it together; it sees no values. What all
/// databases share is in ``SQLRenderer``. A new database is a file with a dialect here, beside
/// ``SQLiteDialect``, and a target over its C library that fulfils `DataStore`.
public protocol SQLDialect: Sendable {
    /// The column type for a kind of value.
    ///
    /// Text has to be compared byte by byte, and the order of dates has to be that of time.
    func columnType(_ type: ColumnType, isPrimaryKey: Bool) -> String
    /// The column's definition after its name, for a key of one column whose values the database
    /// gives, never the same one twice.
    var generatedKey: String { get }
    /// What stands after the parentheses of `CREATE TABLE`, with a space before it.
    var tableOptions: String { get }
    /// The parameter at a position, from 1. It may be named more than once in a statement.
    func parameter(_ position: Int) -> String
    /// Equality that takes two missing values as equal and is never missing itself.
    func nullSafeEqual(_ left: String, _ right: String) -> String
    /// Whether a text contains another, byte by byte; missing where either is.
    func contains(_ text: String, _ part: String) -> String
    /// Whether a text starts with another, byte by byte; missing where either is.
    func hasPrefix(_ text: String, _ prefix: String) -> String
    /// A criterion of `ORDER BY`, missing values first when ascending and last when descending.
    func order(_ column: String, isAscending: Bool) -> String
    /// The clause that limits the rows, with a space before it; empty when there is neither limit
    /// nor offset.
    func limit(_ limit: Int?, offset: Int) -> String
}

extension SQLDialect {
    /// A name as SQL's delimited identifier: in quotation marks, those inside of it doubled.
    ///
    /// A quoted name may be any text, also a keyword, so names of tables and columns cannot break
    /// out of a statement.
    ///
    /// ```swift
    /// SQLiteDialect().quoted("a\"b")        // "a""b"
    /// ```
    public func quoted(_ name: String) -> String {
        // `replacing` costs a microsecond, also where there is nothing to replace.
        let text = name.utf8.contains(0x22) ? name.replacing("\"", with: "\"\"") : name
        return "\"" + text + "\""
    }
}
