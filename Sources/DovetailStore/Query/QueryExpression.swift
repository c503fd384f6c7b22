public import DovetailModel

/// The closed language that predicates are translated into, once for every store.
///
/// Its logic is the three-valued logic of SQL: a condition is true, false or missing, and a row is
/// taken where the whole is true. An operator is missing where an operand is, except for these:
///
/// - ``equal(_:_:)`` is never missing. It takes two missing values as equal, as Swift does.
/// - ``isIn(_:_:)`` is never missing. A missing value is in a list that holds ``QueryValue/null``.
/// - ``coalesce(_:_:)`` is missing where both operands are.
/// - ``conditional(_:_:_:)`` is its third part where its condition is missing.
/// - ``and(_:_:)`` is false where one side is false, and ``or(_:_:)`` is true where one side is
///   true, whether or not the other side is missing.
public indirect enum QueryExpression: Hashable, Sendable {
    /// The attribute at a position of ``EntityBinding/attributes``, and whether it may be missing.
    case attribute(Int, isOptional: Bool)
    /// A constant. SQL stores bind it to a parameter.
    case value(QueryValue)
    /// Equal, or both missing. SQLite: `=`, or `IS` where a side may be missing.
    case equal(QueryExpression, QueryExpression)
    /// The first is before or after the second in the order of their kind.
    case comparison(QueryComparison, QueryExpression, QueryExpression)
    /// Both hold.
    case and(QueryExpression, QueryExpression)
    /// At least one holds.
    case or(QueryExpression, QueryExpression)
    /// Does not hold.
    case not(QueryExpression)
    /// The value is one of a list of constants. An empty list holds nothing.
    case isIn(QueryExpression, QueryList)
    /// The first, or the second where the first is missing.
    case coalesce(QueryExpression, QueryExpression)
    /// The second where the first, a condition, holds; otherwise the third.
    case conditional(QueryExpression, QueryExpression, QueryExpression)
    /// A number made of two numbers of one kind. Missing where it has no value: a division by zero, a
    /// whole number outside of 64 bits, and what is no number.
    case arithmetic(QueryArithmetic, QueryExpression, QueryExpression)
    /// A function of its arguments.
    case call(QueryFunction, [QueryExpression])
    /// A part of an embedded document, as a value of a kind. Missing where it is not there, is null,
    /// or is of another kind.
    case member(QueryExpression, [QueryPathStep], ColumnType)
    /// The element that an enclosing ``quantified(_:_:element:_:)`` goes over, counted from the
    /// outermost one.
    case element(Int)
    /// What rows of another table say, or the same one: those whose column of the relation equals the
    /// first expression. The last expression is about such a row, and not about this one.
    case related(QueryRelation, QueryExpression, QueryExpression)
    /// What an expression is for a row from which relations lead to this one.
    case outer(OuterRow, QueryExpression)
    /// What the elements of an embedded array say, for each of which the last expression is asked.
    /// Missing where the array is.
    case quantified(
        QueryQuantifier,
        QueryExpression,
        element: Int,
        QueryExpression
    )

    /// Whether the value may be missing. True where nobody can tell, so that a store compares
    /// safely.
    ///
    /// - Complexity: linear in the size of the expression.
    public var isOptional: Bool {
        switch self {
        case .attribute(_, let isOptional): isOptional
        case .value(let value): value == .null
        case .equal, .isIn: false
        case .comparison(_, let left, let right), .and(let left, let right),
            .or(let left, let right):
            left.isOptional || right.isOptional
        case .conditional(_, let first, let second): first.isOptional || second.isOptional
        case .call(_, let arguments): arguments.contains(where: \.isOptional)
        case .arithmetic, .member, .element, .quantified: true
        case .related(let relation, _, _): relation.question == .value
        case .not(let operand), .outer(_, let operand): operand.isOptional
        case .coalesce(_, let right): right.isOptional
        }
    }
}

extension QueryExpression {
    /// The columns that must equal a constant wherever the expression holds, with one constant each.
    ///
    /// - Complexity: linear in the size of the expression.
    package var equalities: [Int: QueryValue] {
        var found: [Int: QueryValue] = [:]
        func search(_ expression: QueryExpression) {
            switch expression {
            case .and(let left, let right):
                search(left)
                search(right)
            case .equal(.attribute(let column, _), .value(let value)),
                .equal(.value(let value), .attribute(let column, _)):
                found[column] = value
            default: break
            }
        }
        search(self)
        return found
    }

    /// The constants of which a column must equal one wherever the expression holds; nil when it does
    /// not say.
    ///
    /// - Complexity: linear in the size of the expression.
    package func list(of column: Int) -> [QueryValue]? {
        switch self {
        case .and(let left, let right): left.list(of: column) ?? right.list(of: column)
        case .isIn(.attribute(column, _), let list): list.values
        default: nil
        }
    }
}
