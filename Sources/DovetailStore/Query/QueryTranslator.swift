import DovetailModel
public import Foundation

/// Translates `Foundation.Predicate` and `SortDescriptor` into the query language.
///
/// Each kind of expression says in an extension of its own how it is translated
/// (`PredicateExpressions+Query.swift`).
public struct QueryTranslator {
    let entity: EntitySchema
    /// What the variables of the predicate stand for; the row itself stands for nothing here.
    var variables: [PredicateExpressions.VariableID: QueryExpression] = [:]

    /// Translates for the rows of `entity`.
    public init(_ entity: EntitySchema) {
        self.entity = entity
    }

    /// Translates a predicate.
    ///
    /// - Throws: ``QueryError`` that names the part which no store understands.
    public func filter<Input>(_ predicate: Predicate<Input>) throws -> QueryExpression {
        try expression(predicate.expression)
    }

    /// Translates an order.
    ///
    /// - Throws: ``QueryError`` for comparators that no store has, and for what is no attribute.
    public func order<Input>(_ descriptors: [SortDescriptor<Input>]) throws -> [QueryOrder] {
        try descriptors.map { descriptor in
            guard let keyPath = descriptor.keyPath else {
                throw QueryError(expression: "\(descriptor)", explanation: "has no key path")
            }
            if let comparator = descriptor.stringComparator, comparator != .lexical {
                throw QueryError(
                    expression: "\(keyPath)",
                    explanation: "a store orders text by its scalars; use the .lexical comparator"
                )
            }
            let column = try column(of: keyPath)
            guard entity.attributes[column].columnType != .document else {
                throw QueryError(
                    expression: "\(keyPath)",
                    explanation: "a store has no order for embedded documents"
                )
            }
            try requireOrder(of: column)
            return QueryOrder(column: column, isAscending: descriptor.order == .forward)
        }
    }

    func column(of keyPath: AnyKeyPath) throws -> Int {
        guard let column = entity.column(of: keyPath) else {
            throw QueryError(
                expression: "\(keyPath)",
                explanation: "is not a stored attribute of \(entity.table)"
            )
        }
        return column
    }

    func expression(_ node: any PredicateExpression) throws -> QueryExpression {
        guard let translatable = node as? any QueryTranslatable else {
            throw unsupported(node)
        }
        return try translatable.translated(by: self)
    }

    /// What a row would hold for a constant.
    func constant(_ value: Any, in node: Any) throws -> QueryValue {
        guard let value = value as? any ModelValue else { throw unsupported(node) }
        do {
            return try QueryValue(value)
        } catch let error as ModelEncodingError {
            throw QueryError(expression: "\(node)", explanation: error.explanation)
        }
    }

    func unsupported(_ node: Any) -> QueryError {
        QueryError(expression: "\(node)", explanation: "cannot be put to a store")
    }
}

/// An expression of Foundation's that has a form in the query language.
protocol QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression
}
