import DovetailModel
public import DovetailStore

extension SQLRenderer {
    /// `SELECT` of what a selection asks for.
    ///
    /// ```swift
    /// try renderer.select(QuerySelection(Query(entity), [.value(kind), .sum(price)]))
    /// // SELECT "kind", coalesce(sum("price"), 0.0) FROM "Asset" GROUP BY "kind" ORDER BY "kind"
    /// ```
    ///
    /// - Throws: ``QueryError`` for what SQL cannot express.
    public func select(_ selection: QuerySelection) throws -> SQLStatement {
        let query = selection.query
        var expression = SQLExpression(self, query.entity)
        let columns = try selection.columns.map { try self.text($0, &expression) }
        var text = "SELECT \(selection.isDistinct ? "DISTINCT " : "")"
        text += columns.enumerated().map { $1 + dialect.outputName($0) }.joined(separator: ", ")
        text += " FROM \(dialect.quoted(query.entity.table))"
        if let condition = try expression.condition(of: query) { text += " WHERE \(condition)" }
        guard selection.isGrouped else {
            text += try end(of: query, &expression, isSelection: true)
            return SQLStatement(text: text, bindings: expression.bindings)
        }
        // By the text that is selected: PostgreSQL takes one with parameters of its own for another value.
        let groups = zip(selection.columns, columns).filter { !$0.0.isAggregate }
            .compactMap { column, text in
                column.expression.map { group in
                    (text, group.kind(in: query.entity) == .decimal, group.isOptional)
                }
            }
        if !groups.isEmpty { text += " GROUP BY " + groups.map(\.0).joined(separator: ", ") }
        if !selection.having.isEmpty {
            let conditions = try selection.having.map { condition in
                let kind = condition.column.kind(in: query.entity)
                let place = selection.columns.firstIndex(of: condition.column)
                let column =
                    try place.map { columns[$0] } ?? self.text(condition.column, &expression)
                let value = try expression.text(.value(condition.value))
                let left = kind == .decimal ? dialect.decimalOrder(column) : column
                return "\(left) \(condition.comparison.sql) \(value)"
            }
            text += " HAVING " + conditions.joined(separator: " AND ")
        }
        if !groups.isEmpty {
            let order = groups.map { text, isDecimal, isOptional in
                dialect.order(
                    isDecimal ? dialect.decimalOrder(text) : text,
                    isAscending: true,
                    isOptional: isOptional
                )
            }
            text += " ORDER BY " + order.joined(separator: ", ")
        }
        text += dialect.limit(query.limit, offset: query.offset)
        return SQLStatement(text: text, bindings: expression.bindings)
    }

    private func text(_ column: QueryColumn, _ expression: inout SQLExpression) throws -> String {
        guard let operand = column.expression else { return "count(*)" }
        let kind = operand.kind(in: expression.entity)
        let text = try expression.text(operand)
        return switch column {
        case .value, .count: text
        case .sum: dialect.sum(text, kind)
        case .average: dialect.average(text, kind)
        case .minimum: dialect.minimum(text, kind)
        case .maximum: dialect.maximum(text, kind)
        }
    }
}
