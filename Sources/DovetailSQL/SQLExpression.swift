import DovetailModel
import DovetailStore

/// Renders one expression of the query language; values become parameters.
///
/// ``SQLRenderer`` makes one for each statement. Each call of ``text(_:)`` appends the values that
/// it meets to ``bindings``, in the order of their parameters in the text. Every operator is in
/// parentheses of its own, so no dialect has to know which binds more tightly.
struct SQLExpression {
    let dialect: any SQLDialect
    let entity: EntityBinding
    /// The values of the parameters so far. The parameter `?n` is the element at n - 1.
    private(set) var bindings: [QueryValue] = []

    init(dialect: any SQLDialect, entity: EntityBinding) {
        self.dialect = dialect
        self.entity = entity
    }

    /// The SQL of an expression.
    ///
    /// NULL is written as a word and takes no parameter. Equality is `=` where neither side may be
    /// missing, and the dialect's null-safe equality elsewhere.
    ///
    /// - Throws: ``QueryError`` for an order of decimals.
    mutating func text(_ expression: QueryExpression) throws -> String {
        switch expression {
        case .attribute(let column, _):
            return dialect.quoted(entity.attributes[column].name)
        case .value(.null):
            return "NULL"
        case .value(let value):
            bindings.append(value)
            return dialect.parameter(bindings.count)
        case .equal(let left, let right):
            let (lhs, rhs) = (try text(left), try text(right))
            let isPlain = !left.isOptional && !right.isOptional
            return isPlain ? "(\(lhs) = \(rhs))" : "(\(dialect.nullSafeEqual(lhs, rhs)))"
        case .comparison(let comparison, let left, let right):
            try entity.requireOrder(in: left)
            try entity.requireOrder(in: right)
            return "(\(try text(left)) \(comparison.sql) \(try text(right)))"
        case .and:
            var operands: [String] = []
            try conjuncts(of: expression, into: &operands)
            return Self.chain(operands[...], " AND ")
        case .or:
            var operands: [String] = []
            try disjuncts(of: expression, into: &operands)
            return Self.chain(operands[...], " OR ")
        case .not(let operand):
            return "(NOT \(try text(operand)))"
        case .contains(let base, let part):
            return "(\(dialect.contains(try text(base), try text(part))))"
        case .hasPrefix(let base, let prefix):
            return "(\(dialect.hasPrefix(try text(base), try text(prefix))))"
        case .isIn(let element, let values):
            return try list(element, values)
        case .coalesce(let left, let right):
            return "coalesce(\(try text(left)), \(try text(right)))"
        }
    }

    /// The operands of a tree of `and`s as one list, so that a chain has one pair of parentheses.
    private mutating func conjuncts(
        of expression: QueryExpression,
        into texts: inout [String]
    ) throws {
        guard case .and(let left, let right) = expression else {
            return texts.append(try text(expression))
        }
        try conjuncts(of: left, into: &texts)
        try conjuncts(of: right, into: &texts)
    }

    /// The same of `or`s.
    private mutating func disjuncts(
        of expression: QueryExpression,
        into texts: inout [String]
    ) throws {
        guard case .or(let left, let right) = expression else {
            return texts.append(try text(expression))
        }
        try disjuncts(of: left, into: &texts)
        try disjuncts(of: right, into: &texts)
    }

    /// Joins the operands. Chains of more than fifty are split in halves, because databases limit
    /// how deep an expression is nested (https://sqlite.org/limits.html#max_expr_depth), and a
    /// chain of n operands counts as n levels.
    private static func chain(_ operands: ArraySlice<String>, _ operation: String) -> String {
        if operands.count <= 50 { return "(" + operands.joined(separator: operation) + ")" }
        let middle = operands.startIndex + operands.count / 2
        return "(" + chain(operands[..<middle], operation) + operation
            + chain(operands[middle...], operation) + ")"
    }

    /// Whether an element is one of a list. NULL in a list never matches in SQL, so it is asked for
    /// by itself. An element that is not optional needs no `coalesce`.
    private mutating func list(_ element: QueryExpression, _ values: [QueryValue]) throws -> String
    {
        let lhs = try text(element)
        let parameters = try values.filter { $0 != .null }.map { try text(.value($0)) }
        let isIn = "\(lhs) IN (\(parameters.joined(separator: ", ")))"
        // A missing element is in no list, which is false and not unknown.
        let isFound = element.isOptional ? "coalesce(\(isIn), FALSE)" : "(\(isIn))"
        return values.contains(.null) ? "(\(isFound) OR \(lhs) IS NULL)" : isFound
    }
}

extension QueryComparison {
    /// The operator, the same in every dialect.
    var sql: String {
        switch self {
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}
