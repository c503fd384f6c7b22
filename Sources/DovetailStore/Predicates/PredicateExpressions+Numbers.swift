import DovetailModel
import Foundation

// Arithmetic, ranges and choices.

extension QueryTranslator {
    /// The kind of column that values of a type have; of an optional that of what it wraps. A plain
    /// `Codable` value is a document.
    static func kind(of type: Any.Type) -> ColumnType? {
        if let optional = type as? any OptionalValue.Type { return kind(of: optional.wrapped) }
        if let type = type as? any ModelValue.Type { return type.columnType }
        return isPlainCodable(type) ? .document : nil
    }

    /// An operation on two numbers.
    ///
    /// - Throws: ``QueryError`` for operands that are no numbers in a column.
    fileprivate func arithmetic<Left: PredicateExpression, Right: PredicateExpression>(
        _ operation: QueryArithmetic,
        _ left: Left,
        _ right: Right,
        in node: Any
    ) throws -> QueryExpression {
        switch NodeType.of(Left.self).kind {
        case .integer?, .double?, .decimal?: break
        default: throw unsupported(node)
        }
        return .arithmetic(operation, try expression(left), try expression(right))
    }

    /// A comparison of the order of two values, either of which may be an attribute with a transform.
    ///
    /// - Throws: ``QueryError`` for values without an order: documents and enums with a raw type.
    func order<Left: PredicateExpression>(
        _ comparison: QueryComparison,
        _ left: Left,
        _ right: some PredicateExpression,
        in node: Any? = nil
    ) throws -> QueryExpression {
        let type = NodeType.of(Left.self)
        guard !type.isRawModel else { throw Self.noOrder(of: "\(node ?? left)") }
        if let column = try transformedColumn(left) {
            return try self.comparison(column, comparison, right)
        }
        if let column = try transformedColumn(right) {
            return try self.comparison(column, comparison.reversed, left)
        }
        let leftFound = try branches(left) { try order(comparison, $0, right, in: node) }
        if let leftFound { return leftFound }
        let rightFound = try branches(right) { try order(comparison, left, $0, in: node) }
        if let rightFound { return rightFound }
        let (lhs, rhs) = (try expression(left), try expression(right))
        guard type.kind != .document else { throw unsupported(node ?? left) }
        return .comparison(comparison, lhs, rhs)
    }

    /// Whether a value lies between two others. The bounds are constants or expressions.
    fileprivate func isInside(
        _ element: some PredicateExpression,
        from lower: some PredicateExpression,
        to upper: some PredicateExpression,
        _ last: QueryComparison
    ) throws -> QueryExpression {
        .and(
            try order(.greaterOrEqual, element, lower),
            try order(last, element, upper)
        )
    }
}

extension PredicateExpressions.Arithmetic: QueryTranslatable {
    /// `$0.width + 2`, `-` and `*`.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        let operation: QueryArithmetic
        switch op {
        case .add: operation = .add
        case .subtract: operation = .subtract
        case .multiply: operation = .multiply
        @unknown default: throw translator.unsupported(self)
        }
        return try translator.arithmetic(operation, lhs, rhs, in: self)
    }
}

extension PredicateExpressions.IntDivision: QueryTranslatable {
    /// `$0.count / 2`, without the part after the point.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        try translator.arithmetic(.divide, lhs, rhs, in: self)
    }
}

extension PredicateExpressions.IntRemainder: QueryTranslatable {
    /// `$0.count % 2`.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        try translator.arithmetic(.remainder, lhs, rhs, in: self)
    }
}

extension PredicateExpressions.FloatDivision: QueryTranslatable {
    /// `$0.ratio / 2`.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        try translator.arithmetic(.divide, lhs, rhs, in: self)
    }
}

extension PredicateExpressions.Conditional: QueryTranslatable {
    /// `$0.isOpen ? $0.due : $0.closed`, and `if` with `else`.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        let test = try translator.expression(test)
        if case .value(let known) = test {
            return try known == .bool(true)
                ? translator.expression(trueBranch) : translator.expression(falseBranch)
        }
        return .conditional(
            test,
            try translator.expression(trueBranch),
            try translator.expression(falseBranch)
        )
    }
}

extension PredicateExpressions.ForcedUnwrap: QueryTranslatable {
    /// `$0.nickname!`, which is missing where there is none: a store does not end the program.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        try translator.captured(self) ?? translator.expression(inner)
    }
}

/// A range that is made in a predicate.
private protocol BuiltRange {
    /// Whether the value of an element lies in it.
    func contains(
        _ element: some PredicateExpression,
        by translator: QueryTranslator
    ) throws -> QueryExpression
}

extension PredicateExpressions.ClosedRange: BuiltRange {
    fileprivate func contains(
        _ element: some PredicateExpression,
        by translator: QueryTranslator
    ) throws -> QueryExpression {
        try translator.isInside(element, from: lower, to: upper, .lessOrEqual)
    }
}

extension PredicateExpressions.Range: BuiltRange {
    fileprivate func contains(
        _ element: some PredicateExpression,
        by translator: QueryTranslator
    ) throws -> QueryExpression {
        try translator.isInside(element, from: lower, to: upper, .less)
    }
}

/// A range that was captured, as its bounds.
private protocol CapturedRange {
    func contains(
        _ element: some PredicateExpression,
        by translator: QueryTranslator
    ) throws -> QueryExpression
}

extension ClosedRange: CapturedRange {
    fileprivate func contains(
        _ element: some PredicateExpression,
        by translator: QueryTranslator
    ) throws -> QueryExpression {
        try translator.isInside(
            element,
            from: PredicateExpressions.Value(lowerBound),
            to: PredicateExpressions.Value(upperBound),
            .lessOrEqual
        )
    }
}

extension Range: CapturedRange {
    fileprivate func contains(
        _ element: some PredicateExpression,
        by translator: QueryTranslator
    ) throws -> QueryExpression {
        try translator.isInside(
            element,
            from: PredicateExpressions.Value(lowerBound),
            to: PredicateExpressions.Value(upperBound),
            .less
        )
    }
}

extension PartialRangeFrom: CapturedRange {
    fileprivate func contains(
        _ element: some PredicateExpression,
        by translator: QueryTranslator
    ) throws -> QueryExpression {
        try translator.order(.greaterOrEqual, element, PredicateExpressions.Value(lowerBound))
    }
}

extension PartialRangeThrough: CapturedRange {
    fileprivate func contains(
        _ element: some PredicateExpression,
        by translator: QueryTranslator
    ) throws -> QueryExpression {
        try translator.order(.lessOrEqual, element, PredicateExpressions.Value(upperBound))
    }
}

extension PartialRangeUpTo: CapturedRange {
    fileprivate func contains(
        _ element: some PredicateExpression,
        by translator: QueryTranslator
    ) throws -> QueryExpression {
        try translator.order(.less, element, PredicateExpressions.Value(upperBound))
    }
}

extension PredicateExpressions.RangeExpressionContains: QueryTranslatable {
    /// `(1...5).contains($0.stars)`, with bounds of any kind.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        if let range = range as? any BuiltRange {
            return try range.contains(element, by: translator)
        }
        guard let captured = range as? any ConstantExpression<RangeExpression.Output>,
            let range = captured.value as? any CapturedRange
        else { throw translator.unsupported(self) }
        return try range.contains(element, by: translator)
    }
}
