import DovetailModel
import Foundation

// What a condition about the objects of a relationship says of the row that has them: `box` in
// `box.items.contains { $0.weight > box.limit }`. Each part of a predicate that begins with such a variable
// is translated for that row, and is asked there.

/// A row whose relationship leads to another one, as what is said of that sees it.
final class RowAround {
    private let translator: QueryTranslator
    /// Seen from the other row.
    private let row: OuterRow

    fileprivate init(_ translator: QueryTranslator, distance: Int) {
        var translator = translator
        translator.takesOtherVariables = false
        self.translator = translator
        row = OuterRow(translator.entity, distance: distance)
    }

    /// The translation of a part of a predicate that is about this row.
    ///
    /// - Throws: ``QueryError``.
    func expression(_ node: any PredicateExpression) throws -> QueryExpression {
        outer(try translator.expression(node))
    }

    /// The object that a part of a predicate is, for the other row.
    ///
    /// - Throws: ``QueryError``.
    func objects<Node: PredicateExpression>(_ node: Node) throws -> RelatedObjects? {
        try translator.objects(node).map { try seen($0, in: node) }
    }

    /// The objects that a part of a predicate is, for the other row.
    ///
    /// - Throws: ``QueryError``.
    func members<Node: PredicateExpression>(_ node: Node) throws -> RelatedObjects? {
        try translator.members(node).map { try seen($0, in: node) }
    }

    /// Whether a part of a predicate is the whole row, or one of the models that are flattened in it.
    fileprivate func isWhole<Node: PredicateExpression>(_ node: Node) throws -> Bool {
        try translator.row(node) != nil || translator.flattenedModel(node) != nil
    }

    private func outer(_ expression: QueryExpression) -> QueryExpression {
        if case .value = expression { expression } else { .outer(row, expression) }
    }

    /// Objects to which this row leads, as the other one leads to them.
    ///
    /// - Throws: ``QueryError`` where a condition about them names a row of its own.
    private func seen(_ objects: RelatedObjects, in node: Any) throws -> RelatedObjects {
        var objects = objects
        objects.isHolderMissing = objects.isHolderMissing.map(outer)
        objects.parts = try objects.parts.map { part in
            guard part.condition?.asksOuterRows != true else { throw translator.unsupported(node) }
            var part = part
            part.key = outer(part.key)
            return part
        }
        return objects
    }
}

extension QueryTranslator {
    /// A translator for what is said of an object of a relationship, for which a variable stands.
    func inside(
        _ object: RelatedObject,
        of objects: RelatedObjects,
        _ variable: PredicateExpressions.VariableID
    ) -> QueryTranslator {
        var inner = translator(of: object, objects).naming(variable)
        // A row of the join table is between both.
        inner.takesOtherVariables = false
        inner.around = RowAround(self, distance: object.join == nil ? 1 : 2)
        return inner
    }

    /// The row around that a part of a predicate is about; nil where it is about this one, or about several.
    func outer(of node: some PredicateExpression) -> RowAround? {
        guard let around, let variable = node.variableOfRoot, !isRow(variable), !isBound(variable)
        else { return nil }
        return around
    }

    /// The row around that a part of a predicate is, as a whole, or a model that is flattened in it; nil for
    /// what is none.
    func holder(of node: some PredicateExpression) throws -> RowAround? {
        guard let outer = outer(of: node), try outer.isWhole(node) else { return nil }
        return outer
    }
}

/// A part of a predicate that is about one variable only.
private protocol RootedExpression {
    /// That variable; nil for a constant.
    var rootVariable: PredicateExpressions.VariableID? { get }
}

extension PredicateExpression {
    fileprivate var variableOfRoot: PredicateExpressions.VariableID? {
        (self as? any RootedExpression)?.rootVariable
    }
}

extension PredicateExpressions.Variable: RootedExpression {
    fileprivate var rootVariable: PredicateExpressions.VariableID? { key }
}

extension PredicateExpressions.KeyPath: RootedExpression {
    fileprivate var rootVariable: PredicateExpressions.VariableID? { root.variableOfRoot }
}

extension PredicateExpressions.ForcedUnwrap: RootedExpression {
    fileprivate var rootVariable: PredicateExpressions.VariableID? { inner.variableOfRoot }
}

extension PredicateExpressions.ConditionalCast: RootedExpression {
    fileprivate var rootVariable: PredicateExpressions.VariableID? { input.variableOfRoot }
}

extension PredicateExpressions.ForceCast: RootedExpression {
    fileprivate var rootVariable: PredicateExpressions.VariableID? { input.variableOfRoot }
}

extension PredicateExpressions.TypeCheck: RootedExpression {
    fileprivate var rootVariable: PredicateExpressions.VariableID? { input.variableOfRoot }
}

extension PredicateExpressions.StringOperation: RootedExpression {
    fileprivate var rootVariable: PredicateExpressions.VariableID? { root.variableOfRoot }
}

extension PredicateExpressions.PredicateEvaluate: RootedExpression {
    fileprivate var rootVariable: PredicateExpressions.VariableID? { input.variableOfRoot }
}

extension PredicateExpressions.ExpressionEvaluation: RootedExpression {
    fileprivate var rootVariable: PredicateExpressions.VariableID? { input.variableOfRoot }
}
