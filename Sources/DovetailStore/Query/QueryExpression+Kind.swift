public import DovetailModel

extension QueryExpression {
    /// Its operands, as far as they are about the same row.
    package var parts: [QueryExpression] {
        switch self {
        case .attribute, .value, .element, .outer: []
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
        case .outer(let row, let expression): expression.kind(in: row.entity)
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

    /// The tables that are asked beside that of the row; that one, too, where a relation leads to rows of it.
    ///
    /// - Complexity: linear in the size of the expression.
    package var relatedTables: Set<ObjectIdentifier> {
        Set(relations.map(\.entity.tableIdentifier))
    }

    /// The relations that are followed, also from rows to which others lead.
    ///
    /// - Complexity: linear in the size of the expression.
    package var relations: [QueryRelation] {
        switch self {
        case .related(let relation, let key, let body):
            [relation] + key.relations + body.relations
        case .outer(_, let expression): expression.relations
        default: parts.flatMap(\.relations)
        }
    }

    /// Whether rows from which relations lead to this one are asked.
    ///
    /// - Complexity: linear in the size of the expression.
    package var asksOuterRows: Bool { !allColumns.dropFirst().isEmpty }

    /// The columns that the value depends on, in ascending order, also those that other tables are asked
    /// beside.
    ///
    /// - Complexity: linear in the size of the expression.
    public var columns: ColumnSet { allColumns[0].columns }

    /// The columns that the value depends on: of the row, and then of each of those from which relations
    /// lead to it, from the nearest to the farthest that is asked.
    ///
    /// - Complexity: linear in the size of the expression.
    package var allColumns: [(entity: EntityBinding?, columns: ColumnSet)] {
        var found: [(entity: EntityBinding?, columns: ColumnSet)] = [(nil, ColumnSet())]
        /// - Parameter level: How many relations lead to the row that an expression is about; a negative number
        ///   where they lead from it.
        func search(_ expression: QueryExpression, _ level: Int) {
            switch expression {
            case .attribute(let column, _):
                if level <= 0 { found[-level].columns.insert(column) }
            case .related(_, let key, let body):
                search(key, level)
                search(body, level + 1)
            case .outer(let row, let expression):
                let level = level - row.distance
                while found.count <= -level { found.append((nil, ColumnSet())) }
                if level <= 0 { found[-level].entity = row.entity }
                search(expression, level)
            default:
                for part in expression.parts { search(part, level) }
            }
        }
        search(self, 0)
        return found
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
