import DovetailModel
import Foundation

// What may be an attribute with a transform, and is not written as one: `$0.born!`, the variable of
// `if let born = $0.born`, and `$0.born ?? $0.hired`. A choice between values is asked by asking each of them.

/// An expression that is one of two others: `a ?? b`, `c ? a : b`.
protocol BranchingOperand {
    /// Whether one of the others may be an attribute with a transform.
    ///
    /// - Throws: ``QueryError``.
    func isTransformed(by translator: QueryTranslator) throws -> Bool

    /// What a question is for the one that it is.
    ///
    /// - Throws: ``QueryError``, and what `question` throws.
    func branches(
        by translator: QueryTranslator,
        asking question: (any PredicateExpression) throws -> QueryExpression
    ) throws -> QueryExpression
}

extension QueryTranslator {
    /// What a question is for an expression that may be one of several, of which one is an attribute with a
    /// transform; nil for all others.
    ///
    /// - Throws: ``QueryError``, and what `question` throws.
    func branches<Node: PredicateExpression>(
        _ node: Node,
        asking question: (any PredicateExpression) throws -> QueryExpression
    ) throws -> QueryExpression? {
        guard entity.hasTransforms, NodeType.of(Node.self).mayBranch,
            let branching = node as? any BranchingOperand, try branching.isTransformed(by: self)
        else { return nil }
        return try branching.branches(by: self, asking: question)
    }

    /// Whether an expression is, or may be, an attribute with a transform.
    fileprivate func isTransformed(_ node: some PredicateExpression) throws -> Bool {
        try transformedColumn(node) != nil
            || (node as? any BranchingOperand)?.isTransformed(by: self) == true
    }

    /// What a store has of an expression, which is missing where the value is.
    ///
    /// - Throws: ``QueryError``.
    func stored(_ node: some PredicateExpression) throws -> QueryExpression {
        try transformedColumn(node).map { attribute($0) } ?? expression(node)
    }

    /// Lets a variable stand for what an expression is.
    ///
    /// - Returns: What a store has of the expression.
    /// - Throws: ``QueryError``.
    mutating func bind(
        _ variable: PredicateExpressions.VariableID,
        to node: some PredicateExpression
    ) throws -> QueryExpression {
        let operand = try stored(node)
        variables[variable] = operand
        return operand
    }
}

/// `a ?? b`.
protocol CoalescingOperand: BranchingOperand {
    associatedtype LHS: PredicateExpression
    associatedtype RHS: PredicateExpression
    var lhs: LHS { get }
    var rhs: RHS { get }
}

extension CoalescingOperand {
    func isTransformed(by translator: QueryTranslator) throws -> Bool {
        try translator.isTransformed(lhs) || translator.isTransformed(rhs)
    }

    func branches(
        by translator: QueryTranslator,
        asking question: (any PredicateExpression) throws -> QueryExpression
    ) throws -> QueryExpression {
        .conditional(
            .equal(try translator.stored(lhs), .value(.null)),
            try question(rhs),
            try question(lhs)
        )
    }
}

extension PredicateExpressions.NilCoalesce: CoalescingOperand {}
extension PredicateExpressions.FirstPresent: CoalescingOperand {}

extension PredicateExpressions.Conditional: BranchingOperand {
    func isTransformed(by translator: QueryTranslator) throws -> Bool {
        try translator.isTransformed(trueBranch) || translator.isTransformed(falseBranch)
    }

    func branches(
        by translator: QueryTranslator,
        asking question: (any PredicateExpression) throws -> QueryExpression
    ) throws -> QueryExpression {
        .conditional(
            try translator.expression(test),
            try question(trueBranch),
            try question(falseBranch)
        )
    }
}

extension PredicateExpressions.ForcedUnwrap: TransformedOperand {
    /// `$0.born!`, which is missing where there is none, and is neither before nor after anything.
    func transformedColumn(for translator: QueryTranslator) throws -> Int? {
        try translator.transformedColumn(inner)
    }
}

extension PredicateExpressions.ConditionalCast: TransformedOperand {
    /// The cast of what has the type already.
    func transformedColumn(for translator: QueryTranslator) throws -> Int? {
        guard Input.Output.self == Desired.self || Input.Output.self == Desired?.self else {
            return nil
        }
        return try translator.transformedColumn(input)
    }
}

extension PredicateExpressions.Variable: TransformedOperand {
    /// The variable of `if let born = $0.born`.
    func transformedColumn(for translator: QueryTranslator) throws -> Int? {
        // Nothing else that is bound is the stored form of such an attribute.
        guard case .attribute(let column, _) = translator.variables[key],
            translator.entity.attributes[column].transform != nil
        else { return nil }
        return column
    }
}
