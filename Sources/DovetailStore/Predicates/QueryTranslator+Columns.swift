import DovetailModel
import Foundation

extension QueryTranslator {
    /// The number at a key path.
    ///
    /// - Throws: ``QueryError`` for what is stored nowhere, and for what is no number.
    package func number(at keyPath: AnyKeyPath) throws -> QueryExpression {
        let expression = try attribute(at: keyPath)
        switch expression.kind(in: entity) {
        case .integer?, .double?, .decimal?: return expression
        default: throw QueryError(expression: "\(keyPath)", explanation: "is no number")
        }
    }

    /// The number at a key path whose average is a floating point number.
    ///
    /// - Throws: ``QueryError`` for decimals, such as those of a duration, and what ``number(at:)``
    ///   throws.
    package func binaryNumber(at keyPath: AnyKeyPath) throws -> QueryExpression {
        let expression = try number(at: keyPath)
        guard expression.kind(in: entity) != .decimal else {
            throw QueryError(
                expression: "\(keyPath)",
                explanation: "has decimals, whose average is one that only a Decimal holds"
            )
        }
        return expression
    }

    /// What rows are ordered by for a key path. Stored forms will do, where a transform keeps their
    /// order.
    ///
    /// - Throws: ``QueryError`` for a transform that does not, and what ``ordered(at:)`` throws.
    func order(at keyPath: AnyKeyPath) throws -> QueryExpression {
        guard let column = try storedColumn(of: keyPath) else { return try ordered(at: keyPath) }
        try requireOrder(of: column)
        guard entity.attributes[column].columnType != .document else {
            throw Self.noDocumentOrder(of: "\(keyPath)")
        }
        return attribute(column)
    }

    /// The value at a key path that has an order.
    ///
    /// - Throws: ``QueryError`` for what is stored nowhere, for documents, and for enums with a raw
    ///   type.
    package func ordered(at keyPath: AnyKeyPath) throws -> QueryExpression {
        let expression = try attribute(at: keyPath)
        guard !Self.isRawModel(type(of: keyPath).valueType) else {
            throw Self.noOrder(of: "\(keyPath)")
        }
        guard expression.kind(in: entity) != .document else {
            throw Self.noDocumentOrder(of: "\(keyPath)")
        }
        return expression
    }

    private static func noDocumentOrder(of expression: String) -> QueryError {
        QueryError(
            expression: expression,
            explanation: "a store has no order for embedded documents"
        )
    }

    /// The column of a property that can be set in all rows of a query.
    ///
    /// - Throws: ``QueryError`` for what has no column of its own, and for the key.
    package func settable(_ keyPath: AnyKeyPath) throws -> Int {
        let column = try column(of: keyPath)
        guard !entity.keyColumns.contains(column) else {
            throw QueryError(
                expression: "\(keyPath)",
                explanation: "is part of the key, which stays"
            )
        }
        return column
    }

    /// What a row holds for a constant, through the transform of its column.
    ///
    /// - Throws: ``QueryError`` for a value that the column cannot hold.
    package func constant(_ value: Any, in node: Any, for column: Int) throws -> QueryValue {
        guard let transform = entity.attributes[column].transform else {
            return try constant(value, in: node)
        }
        do {
            if let stored = try QueryValue(value, by: transform) { return stored }
        } catch let error as ModelEncodingError {
            throw QueryError(expression: "\(node)", explanation: error.explanation)
        }
        throw unsupported(node)
    }
}
