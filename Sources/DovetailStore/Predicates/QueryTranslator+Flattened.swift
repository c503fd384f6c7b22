import DovetailModel
import Foundation

// Attributes of models that are flattened in others: `$0.head.name`, whose column is one of the table.
// The steps of a predicate are put together to the path that the attribute has.

/// A part of a predicate that is a flattened model: it has no column, and its attributes have.
struct FlattenedModel {
    /// The document that it is in; nil for a row.
    let document: (expression: QueryExpression, model: any Model.Type)?
    /// The path from the row, or from the model of the document.
    let path: AnyKeyPath
}

/// A part of a predicate that may be a flattened model.
protocol FlattenedOperand: PredicateExpression {
    func flattenedModel(for translator: QueryTranslator) throws -> FlattenedModel?
}

extension QueryTranslator {
    /// The flattened model that an expression is; nil for all others.
    func flattenedModel<Node: PredicateExpression>(_ node: Node) throws -> FlattenedModel? {
        guard Self.isFlattenable(Node.Output.self), let operand = node as? any FlattenedOperand
        else { return nil }
        return try operand.flattenedModel(for: self)
    }

    private static func isFlattenable(_ type: Any.Type) -> Bool {
        let wrapped = (type as? any OptionalValue.Type)?.wrapped
        return (wrapped ?? type) is any FlattenableModel.Type
    }

    /// The property of a row, a document or a flattened model, where that is a flattened model itself.
    fileprivate func flattenedModel<Root: PredicateExpression>(
        at keyPath: AnyKeyPath,
        of root: Root
    ) throws -> FlattenedModel? {
        if let outer = try flattenedModel(root) {
            let path = outer.path.appendingMember(keyPath)
            return path.map { FlattenedModel(document: outer.document, path: $0) }
        }
        if case .row = try row(root) {
            guard try storedColumn(of: keyPath) == nil else { return nil }
            return FlattenedModel(document: nil, path: keyPath)
        }
        let type = (Root.Output.self as? any OptionalValue.Type)?.wrapped ?? Root.Output.self
        guard let model = type as? any Model.Type, !(model is any ManagedModel.Type),
            !model.modelAttributes.contains(where: { $0.isAttribute(keyPath) })
        else { return nil }
        return FlattenedModel(document: (try expression(root), model), path: keyPath)
    }

    /// The attribute of a flattened model; nil where `root` is none.
    ///
    /// - Throws: ``QueryError`` for what has no column, and for a transform.
    func flattenedAttribute<Root: PredicateExpression>(
        _ keyPath: AnyKeyPath,
        of root: Root
    ) throws -> QueryExpression? {
        guard let outer = try flattenedModel(root) else { return nil }
        let path = outer.path.appendingMember(keyPath)
        if let document = outer.document {
            let attribute = path.flatMap { path in
                document.model.modelAttributes.first { $0.isAttribute(path) }
            }
            guard let attribute else { throw Self.noAttribute("\(keyPath)", of: document.model) }
            guard attribute.transform == nil else { throw Self.transformed("\(keyPath)") }
            return document.expression.embedded(attribute, of: document.model)
        }
        guard let path, let column = try storedColumn(of: path) else {
            throw Self.noAttribute("\(keyPath)", of: entity.type)
        }
        guard entity.attributes[column].transform == nil else {
            throw Self.transformed("\(keyPath)")
        }
        return attribute(column)
    }

    /// The columns of a flattened model that rows or documents have.
    func columns(of model: FlattenedModel) -> [QueryExpression] {
        let type = Swift.type(of: model.path).valueType
        let wrapped = (type as? any OptionalValue.Type)?.wrapped ?? type
        guard let flattened = wrapped as? any FlattenableModel.Type else { return [] }
        let paths = flattened.flattenedAttributes.compactMap {
            model.path.appendingMember($0.keyPath as AnyKeyPath)
        }
        if let document = model.document {
            return document.model.modelAttributes.filter { attribute in
                paths.contains { attribute.isAttribute($0) }
            }.map { document.expression.member([.path($0.path)], $0.columnType) }
        }
        return paths.compactMap { entity.column(of: $0) }.map { attribute($0) }
    }

    private static func noAttribute(_ path: String, of model: any Model.Type) -> QueryError {
        QueryError(
            expression: path,
            explanation: "is not stored with \(model): a flattened model is one column for each of "
                + "its attributes; compare one of them"
        )
    }

    /// The column of a property of the row, or of a model that is flattened in it.
    func storedColumn<Root: PredicateExpression>(
        of keyPath: AnyKeyPath,
        in root: Root
    ) throws -> Int? {
        if let outer = try flattenedModel(root) {
            guard outer.document == nil else { return nil }
            return try outer.path.appendingMember(keyPath).flatMap { try storedColumn(of: $0) }
        }
        guard case .row = try row(root) else { return nil }
        return try storedColumn(of: keyPath)
    }
}

extension PredicateExpressions.KeyPath: FlattenedOperand {
    func flattenedModel(for translator: QueryTranslator) throws -> FlattenedModel? {
        try translator.flattenedModel(at: keyPath, of: root)
    }
}

extension PredicateExpressions.ForcedUnwrap: FlattenedOperand {
    /// `$0.head!`.
    func flattenedModel(for translator: QueryTranslator) throws -> FlattenedModel? {
        try translator.flattenedModel(inner)
    }
}

extension PredicateExpressions.Variable: FlattenedOperand {
    /// The variable of `$0.head?.name`.
    func flattenedModel(for translator: QueryTranslator) throws -> FlattenedModel? {
        translator.flattened[key]
    }
}

extension PredicateExpressions.OptionalFlatMap: FlattenedOperand {
    /// `$0.deep?.head`.
    func flattenedModel(for translator: QueryTranslator) throws -> FlattenedModel? {
        guard let model = try translator.flattenedModel(wrapped) else { return nil }
        var inner = translator
        inner.flattened[variable.key] = model
        return try inner.flattenedModel(transform)
    }
}
