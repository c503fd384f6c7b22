public import DovetailModel

/// An expression that SQL has no form for, to be evaluated for the row that a statement is at: a
/// database calls back with the values of some columns.
public struct QueryProgram: Hashable, Sendable {
    /// What a program depends on of a row from which relations lead to the row that a statement is at.
    public struct OuterColumns: Sendable {
        /// How many relations lead from it.
        public let distance: Int
        /// The columns, in the order of the arguments.
        public let columns: [Int]
        fileprivate let entity: EntityBinding
    }

    /// The entity of the row.
    public let entity: EntityBinding
    /// What is evaluated.
    public let expression: QueryExpression
    /// The columns that it depends on, in the order of the arguments.
    public let columns: [Int]
    /// Those of rows around, whose arguments follow, from the nearest row on.
    public let outerRows: [OuterColumns]

    /// Makes a program of an expression.
    public init(_ expression: QueryExpression, of entity: EntityBinding) {
        self.entity = entity
        self.expression = expression
        let all = expression.allColumns
        columns = Array(all[0].columns)
        outerRows = all.enumerated().dropFirst().compactMap { distance, row in
            row.entity.map {
                OuterColumns(distance: distance, columns: Array(row.columns), entity: $0)
            }
        }
    }

    /// The value of the expression.
    ///
    /// - Parameters:
    ///   - row: Gives the values of ``columns`` at their positions in the entity.
    ///   - others: Give those of ``outerRows``, each the same way.
    /// - Throws: ``ModelDecodingError`` for a column that does not hold what its kind says.
    public func value(
        of row: any RowSource,
        outerRows others: [some RowSource]
    ) throws -> QueryValue {
        var around: [QueryEvaluator] = []
        for (place, row) in others.indices.reversed().map({ ($0, others[$0]) }) {
            let outer = outerRows[place]
            let evaluator = QueryEvaluator(outer.entity, row: row, around: around)
            // Nothing is asked of the rows between this one and the next nearer one, as of those of a join table.
            let nearer = place == 0 ? 0 : outerRows[place - 1].distance
            around += Array(repeating: evaluator, count: outer.distance - nearer)
        }
        return try QueryEvaluator(entity, row: row, around: around).value(expression)
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
