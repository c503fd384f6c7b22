import DovetailModel
import Foundation

// One extension for each kind of expression, in the order: leaves, comparison, logic, text and
// lists, optionals. Each is one step; the translator finds the next part's extension by itself.

extension PredicateExpressions.Variable: QueryTranslatable {
    /// A variable by itself is the whole model, unless an optional chain bound it to a value.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        if let captured = try translator.captured(self) { return captured }
        guard let expression = translator.variables[key] else {
            throw QueryError(
                expression: "\(self)",
                explanation: "a store compares attributes, not whole models"
            )
        }
        if let column = try transformedColumn(for: translator) {
            throw QueryTranslator.transformed(translator.entity.attributes[column].name)
        }
        return expression
    }
}

extension PredicateExpressions.KeyPath: QueryTranslatable {
    /// `$0.name`, `$0.address.city`, `$0.name.count`, `$0.holder.rawValue`.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        if translator.hasRelationships,
            let expression = try translator.relationship(keyPath, of: root, in: self)
        {
            return expression
        }
        switch try translator.row(root) {
        case .row: return try translator.attribute(at: keyPath)
        case .missing: return .value(.null)
        case .cast(let entity, let condition):
            let value = try translator.cast(to: entity).attribute(at: keyPath)
            return .conditional(condition, value, .value(.null))
        case nil: break
        }
        if let flattened = try translator.flattenedAttribute(keyPath, of: root) { return flattened }
        if let captured = try translator.captured(self) { return captured }
        let collection: CollectionProperty? =
            switch kind {
            case .collectionCount: .count
            case .collectionIsEmpty: .isEmpty
            case .collectionFirst: .first
            case .bidirectionalCollectionLast: .last
            default: nil
            }
        return try translator.part(keyPath, collection, of: root, in: self)
    }
}

extension PredicateExpressions.KeyPath: TransformedOperand {
    func transformedColumn(for translator: QueryTranslator) throws -> Int? {
        guard let column = try translator.storedColumn(of: keyPath, in: root),
            translator.entity.attributes[column].transform != nil
        else { return nil }
        return column
    }
}

extension PredicateExpressions.Value: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .value(try QueryValue(plain: value) ?? translator.constant(value, in: self))
    }
}

extension PredicateExpressions.Constant: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .value(try translator.constant(value, in: self))
    }
}

extension QueryValue {
    /// The form of a constant whose type most columns have; nil for others. It is told by comparing
    /// types, where a cast of a value copies it.
    fileprivate init?<Value>(plain value: Value) {
        // Invariant of each cast: both types are the same one.
        if Value.self == Int.self {
            self = .integer(Int64(unsafeBitCast(value, to: Int.self)))
        } else if Value.self == String.self {
            self = .text(unsafeBitCast(value, to: String.self))
        } else if Value.self == Bool.self {
            self = .bool(unsafeBitCast(value, to: Bool.self))
        } else {
            return nil
        }
    }
}

extension PredicateExpressions.UnaryMinus: QueryTranslatable {
    /// `-5`, which `#Predicate` splits into a sign and a literal, or zero without a number. The negative
    /// of the smallest number is missing, in a constant, too.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        let zero = try translator.constant(0 as Wrapped.Output, in: self)
        let number = try translator.expression(wrapped)
        guard case .value(let value) = number else {
            return .arithmetic(.subtract, .value(zero), number)
        }
        return .value(QueryArithmetic.subtract.result(zero, value))
    }
}

extension PredicateExpressions.NilLiteral: QueryTranslatable {
    /// `nil`: a missing value.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .value(.null)
    }
}

/// What is made to be an optional, to be compared with one.
protocol PromotedOperand {
    /// The type that it had.
    static var promoted: Any.Type { get }
}

extension PredicateExpressions.ConditionalCast: PromotedOperand {
    static var promoted: Any.Type { Input.Output.self }
}

/// `nil`.
protocol NilOperand {}

extension PredicateExpressions.NilLiteral: NilOperand {}

extension PredicateExpressions.Equal: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        try translator.equality(lhs, rhs)
    }
}

extension PredicateExpressions.NotEqual: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        .not(try translator.equality(lhs, rhs))
    }
}

extension PredicateExpressions.Comparison: QueryTranslatable {
    /// An order. A constant on the left of an attribute with a transform changes sides. Documents
    /// are text in columns, whose order is not that of the values, so they are refused, and so are
    /// enums with a raw type.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        let comparison: QueryComparison
        switch op {
        case .lessThan: comparison = .less
        case .lessThanOrEqual: comparison = .lessOrEqual
        case .greaterThan: comparison = .greater
        case .greaterThanOrEqual: comparison = .greaterOrEqual
        @unknown default: throw translator.unsupported(self)
        }
        return try translator.order(comparison, lhs, rhs, in: self)
    }
}

extension PredicateExpressions.Conjunction: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        let left = try translator.expression(lhs)
        if translator.isDecided(left, by: .bool(false)) { return left }
        return .and(left, try translator.expression(rhs))
    }
}

extension PredicateExpressions.Disjunction: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        let left = try translator.expression(lhs)
        if translator.isDecided(left, by: .bool(true)) { return left }
        return .or(left, try translator.expression(rhs))
    }
}

extension PredicateExpressions.Negation: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        // Missing stays missing, so what is negated twice is itself. A chain of them is too deep for SQLite.
        let operand = try translator.expression(wrapped)
        if case .not(let inner) = operand { return inner }
        return .not(operand)
    }
}

extension PredicateExpressions.CollectionContainsCollection: QueryTranslatable {
    /// `$0.name.contains("a")`. Other collections are documents, which no store looks into.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        guard Base.Output.self == String.self, Other.Output.self == String.self else {
            throw translator.unsupported(self)
        }
        return .call(
            .contains,
            [try translator.expression(base), try translator.expression(other)]
        )
    }
}

extension PredicateExpressions.SequenceStartsWith: QueryTranslatable {
    /// `$0.name.starts(with: "a")`, of texts.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        guard Base.Output.self == String.self, Prefix.Output.self == String.self else {
            throw translator.unsupported(self)
        }
        return .call(
            .hasPrefix,
            [try translator.expression(base), try translator.expression(prefix)]
        )
    }
}

extension PredicateExpressions.SequenceContains: QueryTranslatable {
    /// `[1, 2].contains($0.id)`, where the list is a captured constant, and
    /// `$0.tags.contains("new")` of an embedded collection.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        guard let list = sequence as? any ConstantExpression<LHS.Output> else {
            if translator.isCaptured(sequence),
                let values = try? sequence.evaluate(translator.captures.bindings)
            {
                return try translator.isIn(values, element, in: self)
            }
            let (array, inner, value) = try translator.elements(
                of: sequence,
                LHS.Output.Element.self
            )
            var wanted = try inner.expression(element)
            if NodeType.of(RHS.self).hasTwoNothings {
                wanted = try inner.compared(wanted, element, with: value)
            }
            return .quantified(
                .any,
                array,
                element: translator.depth,
                QueryExpression.equal(value, wanted).withoutFallback
            )
        }
        return try translator.isIn(list.value, element, in: self)
    }
}

extension PredicateExpressions.NilCoalesce: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        try translator.requireOneNothing(LHS.self, lhs)
        let left = try translator.expression(lhs)
        if case .value(let known) = left, known != .null { return left }
        return .coalesce(left, try translator.expression(rhs))
    }
}

extension PredicateExpressions.OptionalFlatMap: QueryTranslatable {
    /// `$0.nickname?.contains("a")`.
    ///
    /// Most operators give a missing value for a missing one, so the inner expression can be used
    /// as it is. One that would give a value, such as equality, is asked only where there is one.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        if let outer = try translator.holder(of: wrapped) { return try outer.expression(self) }
        switch try translator.row(wrapped) {
        case .row: return try translator.naming(variable.key).expression(transform)
        case .missing: return .value(.null)
        case .cast(let entity, let condition):
            let inner = translator.naming(variable.key).cast(to: entity)
            return .conditional(condition, try inner.expression(transform), .value(.null))
        case nil: break
        }
        try translator.requireOneNothing(LHS.self, wrapped)
        var inner = translator
        if let objects = try translator.objects(wrapped) {
            inner.objects[variable.key] = objects
            let expression = try inner.expression(transform)
            if let key = objects.onlyIdentifier, expression.isMissing(with: key) {
                return expression
            }
            return .conditional(objects.isNothing, .value(.null), expression)
        }
        // A list is never missing, but for that of an object which is.
        if let members = try translator.members(wrapped) {
            inner.lists[variable.key] = members
            let expression = try inner.expression(transform)
            guard let isMissing = members.isHolderMissing else { return expression }
            return .conditional(isMissing, .value(.null), expression)
        }
        if let model = try translator.flattenedModel(wrapped) {
            inner.flattened[variable.key] = model
            let expression = try inner.expression(transform)
            // It is missing where all of its columns are.
            let columns = translator.columns(of: model)
            if columns.contains(where: { expression.isMissing(with: $0) }) { return expression }
            let missing = columns.map { QueryExpression.equal($0, .value(.null)) }
            guard let isMissing = missing.conjunction else { return expression }
            return .conditional(isMissing, .value(.null), expression)
        }
        // A captured value that is compared by what is in it. Nil has its own form.
        if translator.isCaptured(wrapped), QueryTranslator.kind(of: Wrapped.self) == .document,
            let value = try? wrapped.evaluate(translator.captures.bindings)
        {
            inner.captures.bind(variable, to: value)
            return try inner.expression(transform)
        }
        let operand = try inner.bind(variable.key, to: wrapped)
        if translator.isDecided(operand, by: .null) { return operand }
        let expression = try inner.expression(transform)
        if expression.isMissing(with: operand) { return expression }
        return .conditional(.equal(operand, .value(.null)), .value(.null), expression)
    }
}

extension [QueryExpression] {
    /// All of them; nil for none.
    fileprivate var conjunction: QueryExpression? {
        first.map { first in dropFirst().reduce(first) { .and($0, $1) } }
    }
}

extension QueryExpression {
    /// Whether the value is missing wherever that of `operand`, a part of it, is missing. False
    /// where that is not certain.
    ///
    /// - Complexity: at each level linear in the size of the expression, because both are compared.
    fileprivate func isMissing(with operand: QueryExpression) -> Bool {
        if self == operand { return true }
        return switch self {
        case .attribute, .value, .equal, .isIn, .conditional, .element: false
        case .comparison(_, let left, let right), .arithmetic(_, let left, let right):
            left.isMissing(with: operand) || right.isMissing(with: operand)
        case .call(_, let arguments): arguments.contains { $0.isMissing(with: operand) }
        case .member(let base, _, _), .quantified(_, let base, _, _):
            base.isMissing(with: operand)
        // In SQL, false AND missing is false, and true OR missing is true.
        case .and(let left, let right), .or(let left, let right), .coalesce(let left, let right):
            left.isMissing(with: operand) && right.isMissing(with: operand)
        case .not(let inner): inner.isMissing(with: operand)
        case .related(let relation, let key, _):
            if case .related(relation, key, _) = operand {
                relation.question == .value
            } else {
                relation.question == .value && key.isMissing(with: operand)
            }
        case .outer(let row, let expression):
            if case .outer(row, let other) = operand {
                expression.isMissing(with: other)
            } else {
                false
            }
        }
    }
}
