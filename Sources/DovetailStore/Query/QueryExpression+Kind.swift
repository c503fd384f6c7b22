public import DovetailModel

extension QueryExpression {
    /// Its operands, as far as they are about the same row.
    package var parts: [QueryExpression] {
        switch self {
        case .attribute, .value, .element: []
        case .not(let operand), .isIn(let operand, _), .member(let operand, _, _),
            .related(_, let operand, _):
            [operand]
        case .equal(let left, let right), .comparison(_, let left, let right),
            .and(let left, let right), .or(let left, let right), .coalesce(let left, let right),
            .arithmetic(_, let left, let right), .quantified(_, let left, _, let right):
            [left, right]
        case .conditional(let condition, let first, let second): [condition, first, second]
        case .call(_, let arguments): arguments
        }
    }
}

extension QueryExpression {
    /// The kind of the value; nil for NULL, which has every kind.
    ///
    /// - Complexity: linear in the size of the expression.
    public func kind(in entity: EntityBinding) -> ColumnType? {
        switch self {
        case .attribute(let column, _): entity.attributes[column].columnType
        case .value(let value): value.kind
        case .equal, .comparison, .and, .or, .not, .isIn, .quantified(.any, _, _, _),
            .quantified(.all, _, _, _):
            .boolean
        case .coalesce(let left, let right), .conditional(_, let left, let right),
            .arithmetic(_, let left, let right):
            left.kind(in: entity) ?? right.kind(in: entity)
        case .call(.count, _), .call(.compareCaseInsensitive, _), .call(.compareLocalized, _):
            .integer
        case .call(.lowercased, _), .call(.uppercased, _): .text
        case .call(.startOfYear, _), .call(.startOfMonth, _), .call(.startOfDay, _),
            .call(.startOfHour, _):
            .date
        case .call: .boolean
        case .related(let relation, _, let body):
            switch relation.question {
            case .value: body.kind(in: relation.entity)
            case .any, .all: .boolean
            case .count: .integer
            }
        case .member(_, _, let kind): kind
        case .element, .quantified(.filter, _, _, _): .document
        case .quantified(_, _, _, let body): body.kind(in: entity)
        }
    }

    /// Whether other tables are asked.
    ///
    /// - Complexity: linear in the size of the expression.
    package var isRelated: Bool {
        if case .related = self { return true }
        return parts.contains(where: \.isRelated)
    }

    /// The columns that the value depends on, in ascending order.
    ///
    /// - Complexity: linear in the size of the expression.
    public var columns: ColumnSet {
        var columns = ColumnSet()
        func search(_ expression: QueryExpression) {
            if case .attribute(let column, _) = expression { columns.insert(column) }
            for part in expression.parts { search(part) }
        }
        search(self)
        return columns
    }
}

extension QueryValue {
    /// The kind of column that holds the value; nil for NULL.
    var kind: ColumnType? {
        switch self {
        case .null: nil
        case .bool: .boolean
        case .integer: .integer
        case .double: .double
        case .decimal: .decimal
        case .text: .text
        case .date: .date
        case .data: .data
        case .document: .document
        }
    }
}
