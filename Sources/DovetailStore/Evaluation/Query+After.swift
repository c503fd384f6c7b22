import DovetailModel

extension Query {
    /// Leaves out all rows up to one, in the order of the query: a page begins where the last one
    /// ended, however many rows have come or gone before it.
    ///
    /// ```swift
    /// query.order = [QueryOrder(column: 1), QueryOrder(column: 0)]
    /// query.begin(after: [.integer(7), .text("Ann")])
    /// // … WHERE ("name" >= ?1 AND ("name" > ?1 OR ("name" = ?1 AND "id" > ?2)))
    /// ```
    ///
    /// It becomes a part of the filter, so a store need not know of it, and an index that serves the
    /// order serves this too.
    ///
    /// - Parameter row: The values of all columns of the last row. The order has to end with the key,
    ///   so that no other row stands at the same place.
    /// - Throws: what evaluating a part of the row throws.
    package mutating func begin(after row: [QueryValue]) throws {
        let last = QueryEvaluator(entity, row: RowImage(row))
        var rest: QueryExpression?
        for (position, criterion) in order.enumerated().reversed() {
            let column = criterion.column.map { column in
                QueryExpression.attribute(column, isOptional: entity.attributes[column].isOptional)
            }
            rest = criterion.isAfter(
                try last.value(criterion.expression),
                column ?? criterion.expression,
                orTied: rest,
                isFirst: position == 0
            )
        }
        guard let rest else { return }
        filter = filter.map { .and($0, rest) } ?? rest
    }
}

extension QueryOrder {
    /// Whether a column stands after a value, or at the same place where `rest` holds.
    ///
    /// - Parameter isFirst: whether an index may begin with the column. What has to hold of it then
    ///   stands outside of `OR`, where a database looks for it.
    fileprivate func isAfter(
        _ value: QueryValue,
        _ column: QueryExpression,
        orTied rest: QueryExpression?,
        isFirst: Bool
    ) -> QueryExpression {
        // Missing values come first in ascending order, and last in descending.
        if value == .null {
            let isMissing = QueryExpression.equal(column, .value(.null))
            guard isAscending else {
                return rest.map { .and(isMissing, $0) } ?? .value(.bool(false))
            }
            return rest.map { .or(.not(isMissing), $0) } ?? .not(isMissing)
        }
        let limit = QueryExpression.value(value)
        var isBeyond = QueryExpression.comparison(isAscending ? .greater : .less, column, limit)
        let mayFollow = !isAscending && column.isOptional
        if mayFollow { isBeyond = .or(isBeyond, .equal(column, .value(.null))) }
        guard let rest else { return isBeyond }
        let condition = QueryExpression.or(isBeyond, .and(.equal(column, limit), rest))
        guard isFirst, !mayFollow else { return condition }
        return .and(
            .comparison(isAscending ? .greaterOrEqual : .lessOrEqual, column, limit),
            condition
        )
    }
}
