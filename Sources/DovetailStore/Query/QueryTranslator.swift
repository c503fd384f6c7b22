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

    /// The attribute in a column.
    func attribute(_ column: Int) -> QueryExpression {
        .attribute(column, isOptional: entity.attributes[column].isOptional)
    }

    /// Both sides of a comparison. Where one is an attribute with a transform, the other has to be
    /// a constant, and is compared in its stored form.
    func operands(
        _ left: some PredicateExpression,
        _ right: some PredicateExpression,
        isOrder: Bool = false
    ) throws -> (QueryExpression, QueryExpression) {
        if let column = transformedColumn(left) {
            if isOrder { try requireOrder(of: column) }
            return (attribute(column), .value(try constant(of: right, column: column)))
        }
        if let column = transformedColumn(right) {
            if isOrder { try requireOrder(of: column) }
            return (.value(try constant(of: left, column: column)), attribute(column))
        }
        return (try expression(left), try expression(right))
    }

    /// The column of an attribute with a transform; nil for every other expression.
    func transformedColumn(_ node: any PredicateExpression) -> Int? {
        (node as? any TransformedOperand)?.transformedColumn(for: self)
    }

    /// What a row would hold in a column with a transform for a constant.
    func constant(_ value: Any, in node: Any, column: Int) throws -> QueryValue {
        let attribute = entity.attributes[column]
        do {
            guard let value = try attribute.transform.flatMap({ try QueryValue(value, by: $0) })
            else { throw unsupported(node) }
            return value
        } catch let error as ModelEncodingError {
            throw QueryError(expression: "\(node)", explanation: error.explanation)
        }
    }

    private func constant(
        of node: some PredicateExpression,
        column: Int
    ) throws -> QueryValue {
        // Whatever depends on the row has no value here.
        guard let value = try? node.evaluate(PredicateBindings()) else {
            throw QueryError(
                expression: "\(node)",
                explanation: "\(entity.attributes[column].name) is stored through a transform; "
                    + "compare it with constants only"
            )
        }
        return try constant(value, in: node, column: column)
    }

    private func requireOrder(of column: Int) throws {
        let attribute = entity.attributes[column]
        guard let transform = attribute.transform, !transform.keepsOrder else { return }
        throw QueryError(
            expression: attribute.name,
            explanation: "its transform does not keep the order of values"
        )
    }

    func unsupported(_ node: Any) -> QueryError {
        QueryError(expression: "\(node)", explanation: "cannot be put to a store")
    }
}

/// An expression of Foundation's that has a form in the query language.
protocol QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression
}

/// An expression that may be an attribute with a transform.
protocol TransformedOperand {
    func transformedColumn(for translator: QueryTranslator) -> Int?
}
