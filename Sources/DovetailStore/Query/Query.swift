/// A question to a store, free of any database: which rows of one entity, in which order.
///
/// ```swift
/// let named = Query(
///     entity,
///     filter: .contains(.attribute(1, isOptional: false), .value(.text("a"))),
///     order: [QueryOrder(column: 1)],
///     limit: 10
/// )
/// // SELECT "id", "name", "age" FROM "User" WHERE (instr("name", ?1) > 0) ORDER BY "name" LIMIT 10
/// ```
///
/// ``QueryTranslator`` makes the filter and the order of a `Predicate` and of `SortDescriptor`s.
public struct Query: Sendable {
    /// The entity whose rows are asked for.
    public var entity: EntityBinding
    /// What must hold of a row; nil for every row. Where it is missing, the row is not taken.
    public var filter: QueryExpression?
    /// The order, most important first.
    public var order: [QueryOrder]
    /// The most rows to give; nil for all. Not negative: a context refuses such a descriptor.
    public var limit: Int?
    /// How many rows to leave out first. Not negative, as the limit.
    public var offset: Int
    /// Columns of large values that nobody will read. Where one is not NULL a store may give any whole
    /// number, so that the value stays in the database, or ignore this. Neither the filter nor the order
    /// names them.
    ///
    /// ```swift
    /// query.deferred = [2]
    /// // SELECT "$id", "title", NULLIF("cover" IS NULL, TRUE) FROM "Book"
    /// ```
    public private(set) var deferred = ColumnSet()

    /// Asks for rows of `entity`: all of them, in no order, unless more is said. Of a class that shares
    /// its table with others they are those of the class and of its subclasses, and of a model whose rows
    /// are marked those that were not deleted.
    public init(
        _ entity: EntityBinding,
        filter: QueryExpression? = nil,
        order: [QueryOrder] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) {
        self.entity = entity
        self.filter = entity.visible(filter)
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}

extension Query {
    /// Leaves out the large values of the entity, but for those of some columns and for what the query
    /// looks at itself.
    package mutating func deferLargeValues(butFor read: ColumnSet = []) {
        let large = entity.deferrableColumns.subtracting(read)
        if large.isEmpty { return }
        deferred = ([filter].compactMap(\.self) + order.map(\.expression)).reduce(large) {
            $0.subtracting($1.columns)
        }
    }

    /// The same query for all values.
    package var whole: Query {
        var query = self
        query.deferred = []
        return query
    }
}

extension EntityBinding {
    /// What holds of a row that a filter takes, and that is there for those who say no more.
    package func visible(_ filter: QueryExpression?) -> QueryExpression? {
        guard let rowFilter, let filter else { return filter ?? rowFilter }
        if filter == rowFilter { return filter }
        if case .and(rowFilter, _) = filter { return filter }
        return .and(rowFilter, filter)
    }
}

/// One criterion of an order. Missing values come first in ascending order and last in descending.
///
/// Text is ordered by its bytes in UTF-8, which is the order of its Unicode scalars.
public struct QueryOrder: Hashable, Sendable {
    /// What rows are ordered by: an attribute, or a part of an embedded value.
    public let expression: QueryExpression
    /// Whether small values come first.
    public let isAscending: Bool

    /// Orders by the value of an expression.
    public init(_ expression: QueryExpression, isAscending: Bool = true) {
        self.expression = expression
        self.isAscending = isAscending
    }

    /// Orders by the attribute at a position of ``EntityBinding/attributes``.
    public init(column: Int, isAscending: Bool = true) {
        self.init(.attribute(column, isOptional: true), isAscending: isAscending)
    }

    /// The position of the attribute; nil where rows are ordered by something else.
    public var column: Int? {
        if case .attribute(let column, _) = expression { column } else { nil }
    }
}
