public import DovetailModel

/// A question about the rows of a query: columns of theirs, or what they are together.
///
/// ```swift
/// let selection = QuerySelection(
///     Query(entity), [.value(.attribute(1, isOptional: false)), .count]
/// )
/// // SELECT "kind", count(*) FROM "Asset" GROUP BY "kind" ORDER BY "kind"
/// ```
///
/// With a column that asks about many rows, such as a count, the others make groups: one row is given
/// for each combination of their values, in ascending order. Without others it is one row for all.
public struct QuerySelection: Sendable {
    /// The rows. With groups its order has no effect, and the limit is that of the groups.
    public var query: Query
    /// What is given.
    public var columns: [QueryColumn]
    /// Which groups are given: those for which all of these hold.
    public var having: [QueryCondition]
    /// Whether equal rows are given once.
    public var isDistinct: Bool

    /// Asks about the rows of a query.
    public init(
        _ query: Query,
        _ columns: [QueryColumn],
        having: [QueryCondition] = [],
        isDistinct: Bool = false
    ) {
        self.query = query
        self.columns = columns
        self.having = having
        self.isDistinct = isDistinct
    }

    /// Whether rows are taken together.
    public var isGrouped: Bool {
        columns.contains(where: \.isAggregate) || having.contains { $0.column.isAggregate }
    }
}

/// One column of an answer.
public enum QueryColumn: Hashable, Sendable {
    /// The value of an expression for a row, or for all rows of a group.
    case value(QueryExpression)
    /// How many rows there are.
    case count
    /// The sum of the numbers that are there; zero of none.
    case sum(QueryExpression)
    /// The sum divided by how many numbers are there; missing for none. Of decimals a decimal, of
    /// others a floating point number.
    case average(QueryExpression)
    /// The smallest of the values that are there; missing for none.
    case minimum(QueryExpression)
    /// The largest of the values that are there; missing for none.
    case maximum(QueryExpression)

    /// Whether it is about many rows.
    public var isAggregate: Bool {
        if case .value = self { false } else { true }
    }

    /// The expression that it is about; nil for a count.
    public var expression: QueryExpression? {
        switch self {
        case .count: nil
        case .value(let expression), .sum(let expression), .average(let expression),
            .minimum(let expression), .maximum(let expression):
            expression
        }
    }

    /// The kind of the value; nil for NULL.
    public func kind(in entity: EntityBinding) -> ColumnType? {
        let kind = expression?.kind(in: entity)
        return switch self {
        case .count: .integer
        case .average: kind == .decimal ? .decimal : .double
        default: kind
        }
    }
}

/// A condition on a group.
public struct QueryCondition: Hashable, Sendable {
    /// What is compared.
    public let column: QueryColumn
    /// How.
    public let comparison: QueryComparison
    /// With what.
    public let value: QueryValue

    /// Compares a column with a constant. Where the column is missing, the group is not given.
    public init(_ column: QueryColumn, _ comparison: QueryComparison, _ value: QueryValue) {
        self.column = column
        self.comparison = comparison
        self.value = value
    }
}
