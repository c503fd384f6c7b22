import DovetailModel
import Foundation

// The expressions that are Dovetail's own, and casts.

extension PredicateExpressions.StringHasSuffix: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .call(.hasSuffix, [try translator.expression(root), try translator.expression(suffix)])
    }
}

extension PredicateExpressions.StringLowercased: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .call(.lowercased, [try translator.expression(root)])
    }
}

extension PredicateExpressions.StringUppercased: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .call(.uppercased, [try translator.expression(root)])
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .call(.containsFolded, [try translator.expression(root), try translator.expression(other)])
    }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .call(
            .compareCaseInsensitive,
            [try translator.expression(root), try translator.expression(other)]
        )
    }
}

extension PredicateExpressions.StringLocalizedCompare: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .call(
            .compareLocalized,
            [try translator.expression(root), try translator.expression(other)]
        )
    }
}

extension QueryTranslator {
    /// The translations of predicates whose variables stand for those of another one. A variable
    /// without a meaning is the row.
    fileprivate func filters<each Input>(
        _ predicates: [Predicate<repeat each Input>],
        of variables: repeat PredicateExpressions.Variable<each Input>
    ) throws -> [QueryExpression] {
        // The compiler crashes where a closure has the pack.
        var keys: [PredicateExpressions.VariableID] = []
        repeat keys.append((each variables).key)
        var filters: [QueryExpression] = []
        for predicate in predicates {
            var inner = self
            var own: [PredicateExpressions.VariableID] = []
            repeat own.append((each predicate.variable).key)
            for (key, other) in zip(own, keys) { inner.variables[key] = self.variables[other] }
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

extension PredicateExpressions.PredicateEvaluate: QueryTranslatable {
    /// `adults.evaluate($0)`, also of an element or an embedded model.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        var inner = translator
        inner.variables[predicate.variable.key] =
            translator.isModel(input) ? nil : try translator.expression(input)
        return try inner.expression(predicate.expression)
    }
}

extension PredicateExpressions.PredicateAll: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        let parts = try translator.filters(predicates, of: repeat each variable)
        return QueryExpression.joined(parts[...]) { .and($0, $1) } ?? .value(.bool(true))
    }
}

extension PredicateExpressions.PredicateAny: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        let parts = try translator.filters(predicates, of: repeat each variable)
        return QueryExpression.joined(parts[...]) { .or($0, $1) } ?? .value(.bool(false))
    }
}

extension PredicateExpressions.PredicateNot: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .not(try translator.filters([predicate], of: repeat each variable)[0])
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
