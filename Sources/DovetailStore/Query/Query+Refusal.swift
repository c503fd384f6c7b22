import DovetailModel

// What no store is asked for, although the query language can say it. SQL finds it while it renders;
// a store that looks at rows in memory asks first.

extension QueryExpression {
    /// Its operands.
    package var parts: [QueryExpression] {
        switch self {
        case .attribute, .value, .element: []
        case .not(let operand), .isIn(let operand, _), .member(let operand, _, _): [operand]
        case .equal(let left, let right), .comparison(_, let left, let right),
            .and(let left, let right), .or(let left, let right), .coalesce(let left, let right),
            .arithmetic(_, let left, let right), .quantified(_, let left, _, let right):
            [left, right]
        case .conditional(let condition, let first, let second): [condition, first, second]
        case .call(_, let arguments): arguments
        }
    }
}

extension Query {
    /// Checks that every store could answer the query.
    ///
    /// - Complexity: linear in the size of the query.
    /// - Throws: ``ModelEncodingError`` for a date that no column can hold.
    func requireAnswer() throws {
        if let filter { try requireAnswer(filter) }
    }

    private func requireAnswer(_ expression: QueryExpression) throws {
        switch expression {
        case .value(let value): try requireColumn(value)
        case .isIn(_, let values): for value in values { try requireColumn(value) }
        default: break
        }
        for part in expression.parts { try requireAnswer(part) }
    }

    private func requireColumn(_ value: QueryValue) throws {
        if case .date(let date) = value { _ = try DateText.sortable(date) }
    }
}
