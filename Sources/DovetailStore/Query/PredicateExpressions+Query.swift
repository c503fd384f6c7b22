import DovetailModel
import Foundation

// One extension an expression, in the order: leaves, comparison, logic, text and lists, optionals.

extension PredicateExpressions.Variable: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        guard let expression = translator.variables[key] else {
            throw QueryError(
                expression: "\(self)",
                explanation: "a store compares attributes, not whole models"
            )
        }
        return expression
    }
}

extension PredicateExpressions.KeyPath: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        guard root is PredicateExpressions.Variable<Root.Output> else {
            throw translator.unsupported(self)
        }
        let column = try translator.column(of: keyPath)
        return .attribute(column, isOptional: translator.entity.attributes[column].isOptional)
    }
}

extension PredicateExpressions.Value: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        guard let value = value as? any ModelValue else { throw translator.unsupported(self) }
        return .value(try QueryValue(value))
    }
}

extension PredicateExpressions.UnaryMinus: QueryTranslatable {
    /// `-5`, which `#Predicate` takes apart into a sign and a literal.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        guard wrapped is PredicateExpressions.Value<Wrapped.Output>,
            let value = try evaluate(PredicateBindings()) as? any ModelValue
        else { throw translator.unsupported(self) }
        return .value(try QueryValue(value))
    }
}

extension PredicateExpressions.NilLiteral: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .value(.null)
    }
}

extension PredicateExpressions.Equal: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .equal(try translator.expression(lhs), try translator.expression(rhs))
    }
}

extension PredicateExpressions.NotEqual: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .not(.equal(try translator.expression(lhs), try translator.expression(rhs)))
    }
}

extension PredicateExpressions.Comparison: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        let comparison: QueryComparison
        switch op {
        case .lessThan: comparison = .less
        case .lessThanOrEqual: comparison = .lessOrEqual
        case .greaterThan: comparison = .greater
        case .greaterThanOrEqual: comparison = .greaterOrEqual
        @unknown default: throw translator.unsupported(self)
        }
        return .comparison(
            comparison,
            try translator.expression(lhs),
            try translator.expression(rhs)
        )
    }
}

extension PredicateExpressions.Conjunction: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .and(try translator.expression(lhs), try translator.expression(rhs))
    }
}

extension PredicateExpressions.Disjunction: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .or(try translator.expression(lhs), try translator.expression(rhs))
    }
}

extension PredicateExpressions.Negation: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .not(try translator.expression(wrapped))
    }
}

extension PredicateExpressions.CollectionContainsCollection: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        guard Base.Output.self == String.self, Other.Output.self == String.self else {
            throw translator.unsupported(self)
        }
        return .contains(try translator.expression(base), try translator.expression(other))
    }
}

extension PredicateExpressions.SequenceStartsWith: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        guard Base.Output.self == String.self, Prefix.Output.self == String.self else {
            throw translator.unsupported(self)
        }
        return .hasPrefix(try translator.expression(base), try translator.expression(prefix))
    }
}

extension PredicateExpressions.SequenceContains: QueryTranslatable {
    /// `[1, 2].contains($0.id)`: a captured list, not a stored one.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        guard let list = sequence as? PredicateExpressions.Value<LHS.Output> else {
            throw translator.unsupported(self)
        }
        let values = try list.value.map { element in
            guard let value = element as? any ModelValue else {
                throw translator.unsupported(self)
            }
            return try QueryValue(value)
        }
        return .isIn(try translator.expression(element), values)
    }
}

extension PredicateExpressions.NilCoalesce: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .coalesce(try translator.expression(lhs), try translator.expression(rhs))
    }
}

extension PredicateExpressions.OptionalFlatMap: QueryTranslatable {
    /// Operators give a missing value for a missing one, so the inner expression can stand alone.
    /// Equality does not, and is refused.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        var inner = translator
        inner.variables[variable.key] = try translator.expression(wrapped)
        let expression = try inner.expression(transform)
        guard expression.isOptional else { throw translator.unsupported(self) }
        return expression
    }
}
