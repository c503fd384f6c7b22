public import DovetailModel
public import DovetailStore

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
    /// A column of others, compared and given as one of Dovetail's is.
    func comparable(_ column: String, _ form: SQLColumnForm) -> String
    /// Whether SQL has no form for an expression, whatever its operands are, so that the database
    /// has to call back for it.
    func isProgram(_ expression: QueryExpression, _ entity: EntityBinding) -> Bool
    /// The call of a program.
    ///
    /// - Parameters:
    ///   - parameter: The parameter that the program is bound to.
    ///   - columns: The columns that it depends on.
    func call(program parameter: String, _ columns: [String]) -> String
    /// A function of which ``isProgram(_:_:)`` says that SQL has a form; missing where an argument is.
    ///
    /// - Parameter kind: The kind of the first argument.
    func call(_ function: QueryFunction, _ arguments: [String], _ kind: ColumnType?) -> String
    /// The most values of a list that have a parameter each.
    var mostListParameters: Int { get }
    /// What stands behind `IN` for a list that is one parameter.
    func list(_ parameter: String) -> String
    /// A whole number that was computed, or NULL where 64 bits were too few.
    func wholeNumber(_ text: String) -> String
    /// The sum of a group's numbers of a kind, zero for none. A sum of whole numbers that is too large
    /// is an error.
    func sum(_ text: String, _ kind: ColumnType?) -> String
    /// The average of a group's numbers of a kind, NULL for none.
    func average(_ text: String, _ kind: ColumnType?) -> String
    /// A decimal number that is compared or ordered as one.
    func decimalOrder(_ text: String) -> String
    /// A value that is compared by its bytes, although ``decimalOrder(_:)`` stands in a part of it.
    func byteOrder(_ text: String) -> String
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
