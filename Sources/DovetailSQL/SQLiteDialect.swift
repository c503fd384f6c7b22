public import DovetailModel
public import DovetailStore

/// The SQL of SQLite 3.37 and later, which is the first with strict tables
/// (https://sqlite.org/stricttables.html).
public struct SQLiteDialect: SQLDialect {
    /// Whether whole numbers are added beyond 64 bits, which takes longer.
    private let addsExactly: Bool

    /// Makes the dialect. It has no settings.
    public init() {
        addsExactly = false
    }

    /// Makes the dialect for sums of which SQLite has said that a part does not fit.
    package init(addsExactly: Bool) {
        self.addsExactly = addsExactly
    }

    /// The type names give columns their affinity
    /// (https://sqlite.org/datatype3.html).
    ///
    /// A key of one column that is `INTEGER PRIMARY KEY` is the row's own number, without an index
    /// beside it (https://sqlite.org/lang_createtable.html#rowid). Booleans are 0 and 1. Dates
    /// are text in a form whose order is that of time. Decimals are text, because NUMERIC would
    /// round them.
    public func columnType(_ type: ColumnType, isKey: Bool) -> String {
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

    /// The number of 64 bits that has no absolute value, of which SQLite says "integer overflow"
    /// (https://sqlite.org/lang_corefunc.html#abs). A constant one might be made before the first row.
    public func outOfRange(_ column: String) -> String {
        "abs(0 * CAST(\(column) AS INTEGER) - 9223372036854775807 - 1)"
    }

    /// The bytes of text are compared by the collation BINARY
    /// (https://sqlite.org/datatype3.html#collation). What is written in several ways is brought into
    /// one by functions of `DovetailSQLite`.
    public func comparable(_ column: String, _ form: SQLColumnForm) -> String {
        switch form {
        case .collated: column + " COLLATE BINARY"
        case .date: "dovetail_date(\(column))"
        case .decimal: "dovetail_number(\(column))"
        // SQLite has no type for them.
        case .single, .uuid: column
        }
    }

    /// Documents, texts in other letters and arithmetic of decimals are Dovetail's own.
    public func isProgram(_ expression: QueryExpression, _ entity: EntityBinding) -> Bool {
        switch expression {
        case .member, .element, .quantified: true
        case .arithmetic: expression.kind(in: entity) == .decimal
        case .call(let function, let arguments):
            switch (function, arguments.first?.kind(in: entity)) {
            case (.contains, _), (.hasPrefix, _), (.isEmpty, .text?), (.isEmpty, .data?),
                (.count, .data?), (.startOfYear, _), (.startOfMonth, _), (.startOfDay, _),
                (.startOfHour, _):
                false
            default: true
            }
        default: false
        }
    }

    /// `dovetail_evaluate(?1, "lines")`, which every connection of `DovetailSQLite` has.
    public func call(program parameter: String, _ columns: [String]) -> String {
        "dovetail_evaluate(\(([parameter] + columns).joined(separator: ", ")))"
    }

    /// `instr` compares bytes, also in text (https://sqlite.org/lang_corefunc.html#instr). Dates are
    /// text that begins with the largest unit.
    public func call(
        _ function: QueryFunction,
        _ arguments: [String],
        _ kind: ColumnType?
    ) -> String {
        switch function {
        case .contains: "instr(\(arguments[0]), \(arguments[1])) > 0"
        case .hasPrefix: "instr(\(arguments[0]), \(arguments[1])) = 1"
        case .isEmpty where kind == .text: "\(arguments[0]) = ''"
        case .isEmpty: "length(\(arguments[0])) = 0"
        case .startOfYear: "substr(\(arguments[0]), 1, 4) || '-01-01 00:00:00'"
        case .startOfMonth: "substr(\(arguments[0]), 1, 7) || '-01 00:00:00'"
        case .startOfDay: "substr(\(arguments[0]), 1, 10) || ' 00:00:00'"
        case .startOfHour: "substr(\(arguments[0]), 1, 13) || ':00:00'"
        // The others are programs.
        default: "length(\(arguments[0]))"
        }
    }

    /// It asks `EXISTS` of each row (https://sqlite.org/optoverview.html).
    public var joinsSubqueries: Bool { false }

    /// SQLite does where a subquery asks the same table: a row was left out when one that its condition leads to was
    /// changed before it (3.40.1).
    public var updatesRowByRow: Bool { true }

    /// Longer ones would be a statement of its own for each length.
    public var mostListParameters: Int { 8 }

    /// A table of `DovetailSQLite`. (`json_each` has no bytes, and cuts text at U+0000.)
    public func isIn(_ element: String, list parameter: String) -> String {
        "\(element) IN dovetail_list(\(parameter))"
    }

    /// What is too large becomes a floating point number, and so does all that is made of it
    /// (https://sqlite.org/lang_expr.html#operators_and_parse_affecting_attributes).
    public func wholeNumber(_ text: String) -> String {
        "CASE typeof(\(text)) WHEN 'integer' THEN \(text) END"
    }

    /// SQLite's own, and `dovetail_sum` of `DovetailSQLite` for decimals, which SQLite would round.
    public func sum(_ text: String, _ kind: ColumnType?) -> String {
        switch kind {
        case .decimal?: "dovetail_sum(\(text))"
        case .integer? where addsExactly: "dovetail_whole_sum(\(text))"
        case .integer?: "coalesce(sum(\(text)), 0)"
        default: "coalesce(sum(\(text)), \(Self.none(text, "0.0")))"
        }
    }

    /// The same for averages.
    public func average(_ text: String, _ kind: ColumnType?) -> String {
        switch kind {
        case .decimal?: "dovetail_average(\(text))"
        case .integer?: "avg(\(text))"
        default: "coalesce(avg(\(text)), \(Self.none(text, "NULL")))"
        }
    }

    /// What is given where SQLite has no sum: `value` where there was no number, and an error where what
    /// came of them is none (both infinities).
    private static func none(_ text: String, _ value: String) -> String {
        "CASE WHEN count(\(text)) = 0 THEN \(value) ELSE dovetail_no_sum() END"
    }

    /// A collation of `DovetailSQLite`, which stands in queries only: a database with it in its
    /// schema could not be used by other programs.
    public func decimalOrder(_ text: String) -> String { text + " COLLATE dovetail_decimal" }

    /// An explicit collation goes up from where it stands to whatever is made of the value there, up to
    /// the next explicit one.
    public func byteOrder(_ text: String) -> String { text + " COLLATE BINARY" }

    /// SQLite takes NULL as smaller than every value (https://sqlite.org/lang_select.html#orderby),
    /// so missing values come first without a word about them.
    public func order(_ column: String, isAscending: Bool, isOptional: Bool) -> String {
        column + (isAscending ? "" : " DESC")
    }

    /// OFFSET needs a LIMIT, and a negative one is none
    /// (https://sqlite.org/lang_select.html#limitoffset).
    public func limit(_ limit: Int?, offset: Int) -> String {
        if limit == nil, offset == 0 { return "" }
        return " LIMIT \(limit ?? -1)" + (offset > 0 ? " OFFSET \(offset)" : "")
    }
}
