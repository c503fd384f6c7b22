import DovetailModel
import Foundation

// Attributes with a transform: constants are compared with them in their stored form. One that the
// stored form cannot hold lies between two of them, and the comparison says so, so that the store
// answers like the values that are read from it.

/// An expression that may be an attribute with a transform.
protocol TransformedOperand {
    func transformedColumn(for translator: QueryTranslator) -> Int?
}

extension QueryTranslator {
    /// The attribute in a column.
    func attribute(_ column: Int) -> QueryExpression {
        .attribute(column, isOptional: entity.attributes[column].isOptional)
    }

    /// The column of an attribute with a transform; nil for every other expression.
    func transformedColumn(_ node: any PredicateExpression) -> Int? {
        (node as? any TransformedOperand)?.transformedColumn(for: self)
    }

    /// `left == right`.
    func equality(
        _ left: some PredicateExpression,
        _ right: some PredicateExpression
    ) throws -> QueryExpression {
        if let column = transformedColumn(left) {
            return try equality(column, try value(of: right, column), in: right)
        }
        if let column = transformedColumn(right) {
            return try equality(column, try value(of: left, column), in: left)
        }
        return .equal(try expression(left), try expression(right))
    }

    /// Whether the value of a column is one of a list.
    func isIn(_ values: some Sequence, in node: Any, column: Int) throws -> QueryExpression {
        var stored: [QueryValue] = []
        for value in values {
            let (form, rounding) = try constant(value, in: node, column)
            if rounding == .exact { stored.append(form) }
        }
        return .isIn(attribute(column), stored)
    }

    /// A comparison of the order of a column with a constant.
    func comparison(
        _ column: Int,
        _ comparison: QueryComparison,
        _ node: some PredicateExpression
    ) throws -> QueryExpression {
        try requireOrder(of: column)
        let (form, rounding) = try constant(try value(of: node, column), in: node, column)
        let rounded: QueryComparison =
            switch (rounding, comparison) {
            case (.down, .less), (.down, .lessOrEqual): .lessOrEqual
            case (.down, .greater), (.down, .greaterOrEqual): .greater
            case (.up, .less), (.up, .lessOrEqual): .less
            case (.up, .greater), (.up, .greaterOrEqual): .greaterOrEqual
            default: comparison
            }
        return .comparison(rounded, attribute(column), .value(form))
    }

    /// - Throws: ``QueryError`` when the stored forms are not in the order of the values.
    func requireOrder(of column: Int) throws {
        let attribute = entity.attributes[column]
        guard let transform = attribute.transform, !transform.keepsOrder else { return }
        throw QueryError(
            expression: attribute.name,
            explanation: "its transform does not keep the order of values"
        )
    }

    private func equality(_ column: Int, _ value: Any, in node: Any) throws -> QueryExpression {
        let (form, rounding) = try constant(value, in: node, column)
        if rounding != .exact { return .isIn(attribute(column), []) }
        return .equal(attribute(column), .value(form))
    }

    /// What a row would hold for a constant.
    private func constant(
        _ value: Any,
        in node: Any,
        _ column: Int
    ) throws -> (QueryValue, AttributeTransform.Rounding) {
        guard let transform = entity.attributes[column].transform else { throw unsupported(node) }
        do {
            guard let form = try QueryValue(value, by: transform) else { throw unsupported(node) }
            return (form, try transform.rounding(of: value))
        } catch let error as ModelEncodingError {
            throw QueryError(expression: "\(node)", explanation: error.explanation)
        }
    }

    /// The value of a constant.
    private func value(of node: some PredicateExpression, _ column: Int) throws -> Any {
        // Whatever depends on the row has no value here.
        guard let value = try? node.evaluate(PredicateBindings()) else {
            throw QueryError(
                expression: "\(node)",
                explanation: "\(entity.attributes[column].name) is stored through a transform; "
                    + "compare it with constants only"
            )
        }
        return value
    }
}

extension QueryComparison {
    /// The comparison with its sides exchanged.
    var reversed: QueryComparison {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
