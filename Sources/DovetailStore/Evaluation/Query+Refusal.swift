import DovetailModel

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
