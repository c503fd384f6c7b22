import DovetailModel
import Foundation

// What may be an attribute with a transform, and is not written as one: `$0.born!`, the variable of
// `if let born = $0.born`, and `$0.born ?? $0.hired`. A choice between values is asked by asking each of them.

/// An expression that is one of two others: `a ?? b`, `c ? a : b`.
protocol BranchingOperand {
    associatedtype First: PredicateExpression
    associatedtype Second: PredicateExpression
    /// The others.
    var branches: (first: First, second: Second) { get }

    /// Whether it is the first of them.
    ///
    /// - Throws: ``QueryError``.
    func isFirst(by translator: QueryTranslator) throws -> QueryExpression
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
            let branching = node as? any BranchingOperand, try isTransformed(branching)
        else { return nil }
        return try asked(branching, question)
    }

    private func asked(
        _ operand: some BranchingOperand,
        _ question: (any PredicateExpression) throws -> QueryExpression
    ) throws -> QueryExpression {
        let (first, second) = operand.branches
        return .conditional(
            try operand.isFirst(by: self),
            try question(first),
            try question(second)
        )
    }

    /// Whether one of the others is, or may be, an attribute with a transform.
    private func isTransformed(_ operand: some BranchingOperand) throws -> Bool {
        let (first, second) = operand.branches
        return try isTransformed(first) || isTransformed(second)
    }

    private func isTransformed(_ node: some PredicateExpression) throws -> Bool {
        if try transformedColumn(node) != nil { return true }
        guard let branching = node as? any BranchingOperand else { return false }
        return try isTransformed(branching)
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

extension PredicateExpressions.NilCoalesce: BranchingOperand {
    var branches: (first: LHS, second: RHS) { (lhs, rhs) }

    func isFirst(by translator: QueryTranslator) throws -> QueryExpression {
        .not(.equal(try translator.stored(lhs), .value(.null)))
    }
}

extension PredicateExpressions.FirstPresent: BranchingOperand {
    var branches: (first: LHS, second: RHS) { (lhs, rhs) }

    func isFirst(by translator: QueryTranslator) throws -> QueryExpression {
        .not(.equal(try translator.stored(lhs), .value(.null)))
    }
}

extension PredicateExpressions.Conditional: BranchingOperand {
    var branches: (first: If, second: Else) { (trueBranch, falseBranch) }

    func isFirst(by translator: QueryTranslator) throws -> QueryExpression {
        try translator.expression(test)
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
