import DovetailModel

// What no store is asked for, although the query language can say it. SQL finds it while it renders;
// a store that looks at rows in memory asks first.

extension EntityBinding {
    /// Checks that the values of a column have an order on every store. Decimals are kept as text
    /// where the database has no exact type of its own.
    ///
    /// - Throws: ``QueryError`` for a decimal attribute.
    package func requireOrder(of column: Int) throws {
        guard attributes[column].columnType == .decimal else { return }
        throw QueryError(
            expression: attributes[column].name,
            explanation: "decimal attributes can be tested for equality, not for order"
        )
    }

    /// The same of the attribute that an operand gives the value of, if it does.
    package func requireOrder(in operand: QueryExpression) throws {
        switch operand {
        case .attribute(let column, _): try requireOrder(of: column)
        case .coalesce(let left, let right):
            try requireOrder(in: left)
            try requireOrder(in: right)
        default: break
        }
    }
}

extension Query {
    /// Checks that every store could answer the query.
    ///
    /// - Complexity: linear in the size of the query.
    /// - Throws: ``QueryError`` for an order of decimals, and ``ModelEncodingError`` for a date that
    ///   no column can hold.
    func requireAnswer() throws {
        for criterion in order { try entity.requireOrder(of: criterion.column) }
        if let filter { try requireAnswer(filter) }
    }

    private func requireAnswer(_ expression: QueryExpression) throws {
        switch expression {
        case .attribute: break
        case .value(let value): try requireColumn(value)
        case .comparison(_, let left, let right):
            try entity.requireOrder(in: left)
            try entity.requireOrder(in: right)
            try requireAnswer(left)
            try requireAnswer(right)
        case .equal(let left, let right), .and(let left, let right), .or(let left, let right),
            .contains(let left, let right), .hasPrefix(let left, let right),
            .coalesce(let left, let right):
            try requireAnswer(left)
            try requireAnswer(right)
        case .not(let operand): try requireAnswer(operand)
        case .isIn(let element, let values):
            try requireAnswer(element)
            for value in values { try requireColumn(value) }
        }
    }

    private func requireColumn(_ value: QueryValue) throws {
        if case .date(let date) = value { _ = try DateText.sortable(date) }
    }
}
