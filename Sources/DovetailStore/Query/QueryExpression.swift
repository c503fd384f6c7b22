/// The closed language that predicates are translated into, once for every store.
///
/// Equality treats missing values as values (nil equals nil), as Swift does. Every other operator
/// on a missing value gives a missing one, and a row is only taken where the whole is true.
public indirect enum QueryExpression: Hashable, Sendable {
    /// The attribute at a position.
    case attribute(Int, isOptional: Bool)
    /// A constant.
    case value(QueryValue)
    /// Equal, or both missing.
    case equal(QueryExpression, QueryExpression)
    /// An order.
    case comparison(QueryComparison, QueryExpression, QueryExpression)
    /// Both hold.
    case and(QueryExpression, QueryExpression)
    /// At least one holds.
    case or(QueryExpression, QueryExpression)
    /// Does not hold.
    case not(QueryExpression)
    /// The first text contains the second.
    case contains(QueryExpression, QueryExpression)
    /// The first text starts with the second.
    case hasPrefix(QueryExpression, QueryExpression)
    /// The value is one of a list.
    case isIn(QueryExpression, [QueryValue])
    /// The first, or the second where the first is missing.
    case coalesce(QueryExpression, QueryExpression)

    /// Whether the value may be missing.
    public var isOptional: Bool {
        switch self {
        case .attribute(_, let isOptional): isOptional
        case .value(let value): value == .null
        case .equal, .isIn: false
        case .comparison(_, let left, let right), .contains(let left, let right),
            .hasPrefix(let left, let right), .and(let left, let right), .or(let left, let right):
            left.isOptional || right.isOptional
        case .not(let operand): operand.isOptional
        case .coalesce(_, let right): right.isOptional
        }
    }
}

/// An order between two values.
public enum QueryComparison: Hashable, Sendable {
    /// The first is smaller.
    case less
    /// The first is smaller or equal.
    case lessOrEqual
    /// The first is greater.
    case greater
    /// The first is greater or equal.
    case greaterOrEqual
}
