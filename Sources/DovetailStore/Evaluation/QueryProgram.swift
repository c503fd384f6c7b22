public import DovetailModel

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
