/// A question to a store, free of any database: which rows of one entity, in which order.
public struct Query: Sendable {
    /// The entity whose rows are asked for.
    public var entity: EntitySchema
    /// What must hold of a row; nil for every row.
    public var filter: QueryExpression?
    /// The order, most important first.
    public var order: [QueryOrder]
    /// The most rows to give; nil for all.
    public var limit: Int?
    /// How many rows to leave out first.
    public var offset: Int

    /// Asks for rows.
    public init(
        _ entity: EntitySchema,
        filter: QueryExpression? = nil,
        order: [QueryOrder] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) {
        self.entity = entity
        self.filter = filter
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}

/// One criterion of an order. Missing values come first in ascending order.
public struct QueryOrder: Hashable, Sendable {
    /// The position of the attribute.
    public let column: Int
    /// Whether small values come first.
    public let isAscending: Bool

    /// Orders by an attribute.
    public init(column: Int, isAscending: Bool = true) {
        self.column = column
        self.isAscending = isAscending
    }
}
