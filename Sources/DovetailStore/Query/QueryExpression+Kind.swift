public import DovetailModel

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
        case .call: .boolean
        case .member(_, _, let kind): kind
        case .element, .quantified(.filter, _, _, _): .document
        case .quantified(_, _, _, let body): body.kind(in: entity)
        }
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

/// An expression that SQL has no form for, to be evaluated for the row that a statement is at: a
/// database calls back with the values of some columns.
public struct QueryProgram: Hashable, Sendable {
    /// The entity of the row.
    public let entity: EntityBinding
    /// What is evaluated.
    public let expression: QueryExpression
    /// The columns that it depends on, in the order of the arguments.
    public let columns: [Int]

    /// Makes a program of an expression.
    public init(_ expression: QueryExpression, of entity: EntityBinding) {
        self.entity = entity
        self.expression = expression
        columns = Array(expression.columns)
    }

    /// The value of the expression.
    ///
    /// - Parameter row: Gives the values of ``columns`` at their positions in the entity.
    /// - Throws: ``ModelDecodingError`` for a column that does not hold what its kind says.
    public func value(of row: any RowSource) throws -> QueryValue {
        try QueryEvaluator(entity, row: row).value(expression)
    }

    /// Whether both evaluate the same expression of the same table.
    public static func == (left: QueryProgram, right: QueryProgram) -> Bool {
        left.entity.type == right.entity.type && left.expression == right.expression
    }

    /// Feeds the expression to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(expression)
    }
}
