import DovetailModel
import Foundation

// The expressions that are Dovetail's own, and casts.

extension PredicateExpressions.StringOperation: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .call(Operation.function, [try translator.expression(root)])
    }
}

extension PredicateExpressions.StringRelation: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .call(
            Relation.function,
            [try translator.expression(root), try translator.expression(other)]
        )
    }
}

extension QueryTranslator {
    /// The translations of predicates whose variables stand for those of another one.
    fileprivate func filters<each Input>(
        _ predicates: [Predicate<repeat each Input>],
        of variables: repeat PredicateExpressions.Variable<each Input>
    ) throws -> [QueryExpression] {
        try checkNesting()
        // The compiler crashes where a closure has the pack.
        var keys: [PredicateExpressions.VariableID] = []
        repeat keys.append((each variables).key)
        var filters: [QueryExpression] = []
        for predicate in predicates {
            var inner = self
            var own: [PredicateExpressions.VariableID] = []
            repeat own.append((each predicate.variable).key)
            for (key, other) in zip(own, keys) {
                if isRow(other) { inner = inner.naming(key) }
                inner.variables[key] = self.variables[other]
                inner.objects[key] = objects[other]
            }
            filters.append(try inner.expression(predicate.expression))
        }
        return filters
    }
}

extension QueryExpression {
    /// The operands as a tree of halves, so that what goes down into it does not go as deep as there
    /// are operands; nil without one.
    fileprivate static func joined(
        _ operands: ArraySlice<QueryExpression>,
        _ combine: (QueryExpression, QueryExpression) -> QueryExpression
    ) -> QueryExpression? {
        guard operands.count > 1 else { return operands.first }
        let middle = operands.startIndex + operands.count / 2
        guard let left = joined(operands[..<middle], combine),
            let right = joined(operands[middle...], combine)
        else { return nil }
        return combine(left, right)
    }
}

extension QueryTranslator {
    /// What was made elsewhere, with a variable of its own for the input that it is put to.
    fileprivate func evaluated(
        _ expression: any PredicateExpression,
        _ variable: PredicateExpressions.VariableID,
        for input: some PredicateExpression
    ) throws -> QueryExpression {
        try checkNesting()
        switch try row(input) {
        case .row: return try naming(variable).expression(expression)
        case .missing: return .value(.null)
        case .cast(let entity, let condition):
            let inner = naming(variable).cast(to: entity)
            return .conditional(condition, try inner.expression(expression), .value(.null))
        case nil: break
        }
        var inner = self
        if let objects = try objects(input) {
            inner.objects[variable] = objects
        } else {
            _ = try inner.bind(variable, to: input)
        }
        return try inner.expression(expression)
    }
}

extension PredicateExpressions.PredicateEvaluate: QueryTranslatable {
    /// `adults.evaluate($0)`, also of an element, an embedded model or an object of a relationship.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        try translator.evaluated(predicate.expression, predicate.variable.key, for: input)
    }
}

extension PredicateExpressions.ExpressionEvaluation: QueryTranslatable {
    /// `total.evaluate($0)`, of the same.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        try translator.evaluated(expression.expression, expression.variable.key, for: input)
    }
}

extension PredicateExpressions.PredicateJoin: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        let parts = try translator.filters(predicates, of: repeat each variable)
        let filter = QueryExpression.joined(parts[...]) {
            needsAll ? .and($0, $1) : .or($0, $1)
        }
        return filter ?? .value(.bool(needsAll))
    }
}

extension PredicateExpressions.ConditionalCast: QueryTranslatable {
    /// A cast to the type that the value has: what compares a value with an optional. Others ask for a
    /// type that no column knows.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        guard Input.Output.self == Desired.self || Input.Output.self == Desired?.self else {
            throw translator.unsupported(self)
        }
        return try translator.expression(input)
    }
}
