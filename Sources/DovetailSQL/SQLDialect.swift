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
    ///
    /// - Parameter isKey: Whether it is part of a primary key, or refers to one.
    func columnType(_ type: ColumnType, isKey: Bool) -> String
    /// The column's definition after its name, for a key of one column whose values the database
    /// gives, never the same one twice.
    var generatedKey: String { get }
    /// What stands after the parentheses of `CREATE TABLE`, with a space before it.
    var tableOptions: String { get }
    /// The parameter at a position, from 1. It may be named more than once in a statement.
    func parameter(_ position: Int) -> String
    /// Equality that takes two missing values as equal and is never missing itself.
    func nullSafeEqual(_ left: String, _ right: String) -> String
    /// Equality with a constant, which is not missing, of what may be; never missing itself, and in a
    /// form that an index of the left side serves.
    func equal(_ left: String, toConstant right: String) -> String
    /// A column of Dovetail's own as a value of an expression.
    func value(of column: String, _ type: ColumnType) -> String
    /// An expression as the new value of a column.
    func assigned(_ text: String, _ type: ColumnType) -> String
    /// An expression that ends the statement, because a number that is computed of a column of numbers is
    /// outside of its type. It is not evaluated before it is come to.
    func outOfRange(_ column: String) -> String
    /// A column of others, compared and given as one of Dovetail's is.
    func comparable(_ column: String, _ form: SQLColumnForm) -> String
    /// The type of a column of UUIDs; nil where these are text.
    var uuidType: String? { get }
    /// A text that is a UUID, as one.
    func uuid(_ text: String) -> String
    /// A list of such texts that is one parameter, as UUIDs.
    func uuids(list parameter: String) -> String
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
    /// Whether the database makes a join of `EXISTS`, and decides by what it knows of the tables where that
    /// begins.
    var joinsSubqueries: Bool { get }
    /// Whether an `UPDATE` asks its condition of each row when those before it are changed already.
    var updatesRowByRow: Bool { get }
    /// The most values of a list that have a parameter each.
    var mostListParameters: Int { get }
    /// Whether a value is one of some parameters, of which there may be none; missing where the value is,
    /// unless there are none.
    func isIn(_ element: String, _ parameters: [String]) -> String
    /// Whether a value is one of a list that is one parameter; missing where the value is.
    func isIn(_ element: String, list parameter: String) -> String
    /// A condition that is missing where a value is, as one that is false there.
    func neverMissing(_ condition: String, where value: String) -> String
    /// A number made of two, missing where it has no value. Whole numbers that do not fit may go on in a
    /// wider form, which ``wholeNumber(_:)`` ends.
    func arithmetic(
        _ operation: QueryArithmetic,
        _ left: String,
        _ right: String,
        _ kind: ColumnType?
    ) -> String
    /// A whole number that was computed, or NULL where 64 bits were too few.
    func wholeNumber(_ text: String) -> String
    /// The sum of a group's numbers of a kind, zero for none. A sum of whole numbers that is too large
    /// is an error.
    func sum(_ text: String, _ kind: ColumnType?) -> String
    /// The average of a group's numbers of a kind, NULL for none.
    func average(_ text: String, _ kind: ColumnType?) -> String
    /// What stands after a column of a selection, with a space before it: a name that no column of a table
    /// has, where the database would take its own for one in `ORDER BY`.
    func outputName(_ position: Int) -> String
    /// The smallest value of a group, NULL for none.
    func minimum(_ text: String, _ kind: ColumnType?) -> String
    /// The largest value of a group, NULL for none.
    func maximum(_ text: String, _ kind: ColumnType?) -> String
    /// The value of a generated key in `INSERT`, of which the parameter is NULL where the database gives
    /// it.
    func generatedValue(_ parameter: String, table: String, column: String) -> String
    /// What stands before the `VALUES` of rows for a table that others have made, with a space after it, so
    /// that a column takes a value which the database would otherwise always give itself.
    var overridingSystemValues: String { get }
    /// A decimal number that is compared or ordered as one.
    func decimalOrder(_ text: String) -> String
    /// A value that is compared by its bytes, although ``decimalOrder(_:)`` stands in a part of it.
    func byteOrder(_ text: String) -> String
    /// A criterion of `ORDER BY`, missing values first when ascending and last when descending.
    ///
    /// - Parameter isOptional: Whether there may be missing ones.
    func order(_ column: String, isAscending: Bool, isOptional: Bool) -> String
    /// A column of an index, in the order of ``order(_:isAscending:isOptional:)``.
    func indexed(_ column: String, _ type: ColumnType, isOptional: Bool) -> String
    /// The clause that limits the rows, with a space before it; empty when there is neither limit
    /// nor offset.
    func limit(_ limit: Int?, offset: Int) -> String
}

extension SQLDialect {
    /// The null-safe equality.
    public func equal(_ left: String, toConstant right: String) -> String {
        nullSafeEqual(left, right)
    }

    /// It does.
    public var joinsSubqueries: Bool { true }

    /// It finds all rows before, as the standard says.
    public var updatesRowByRow: Bool { false }

    /// `IN`, which need not have anything in its list.
    public func isIn(_ element: String, _ parameters: [String]) -> String {
        "\(element) IN (\(parameters.joined(separator: ", ")))"
    }

    /// Nothing is needed.
    public var overridingSystemValues: String { "" }

    /// None is needed.
    public func outputName(_ position: Int) -> String { "" }

    /// The column's name.
    public func value(of column: String, _ type: ColumnType) -> String { column }

    /// The expression as it is.
    public func assigned(_ text: String, _ type: ColumnType) -> String { text }

    /// The column's name.
    public func indexed(_ column: String, _ type: ColumnType, isOptional: Bool) -> String { column }

    /// There is none.
    public var uuidType: String? { nil }

    /// The text.
    public func uuid(_ text: String) -> String { text }

    /// The list.
    public func uuids(list parameter: String) -> String { parameter }

    /// `coalesce(…, FALSE)`.
    public func neverMissing(_ condition: String, where value: String) -> String {
        "coalesce(\(condition), FALSE)"
    }

    /// The operator between both.
    public func arithmetic(
        _ operation: QueryArithmetic,
        _ left: String,
        _ right: String,
        _ kind: ColumnType?
    ) -> String {
        "(\(left) \(operation.sql) \(right))"
    }

    /// `min(…)`, of decimals in their own order.
    public func minimum(_ text: String, _ kind: ColumnType?) -> String {
        "min(\(kind == .decimal ? decimalOrder(text) : text))"
    }

    /// `max(…)`, of decimals in their own order.
    public func maximum(_ text: String, _ kind: ColumnType?) -> String {
        "max(\(kind == .decimal ? decimalOrder(text) : text))"
    }

    /// The parameter: NULL in a key that is generated gives a new one.
    public func generatedValue(_ parameter: String, table: String, column: String) -> String {
        parameter
    }

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
