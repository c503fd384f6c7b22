import DovetailModel
import Foundation

// A constant is compared with an attribute that has a transform in its stored form. Where the
// stored form cannot hold the constant, the comparison is changed so that the store answers as the
// values do that are read from it: when 10.5 is stored as 10, `$0.x < 10.5` becomes `x <= 10`.

/// An expression that may be an attribute with a transform. Key paths are; everything else is not.
protocol TransformedOperand {
    func transformedColumn(for translator: QueryTranslator) throws -> Int?
}

extension QueryTranslator {
    /// The expression for the attribute in a column.
    func attribute(_ column: Int) -> QueryExpression {
        let stored = QueryExpression.attribute(
            column,
            isOptional: entity.attributes[column].isOptional
        )
        return entity.knownCases[column].map { stored.read(as: $0) } ?? stored
    }

    /// The column of an attribute with a transform; nil for every other expression.
    ///
    /// - Throws: ``QueryError`` for a requirement of a protocol that has no column.
    func transformedColumn<Node: PredicateExpression>(_ node: Node) throws -> Int? {
        guard entity.hasTransforms, NodeType.of(Node.self).mayBeTransformed else { return nil }
        return try (node as? any TransformedOperand)?.transformedColumn(for: self)
    }

    /// `left == right`, where either side may be an attribute with a transform.
    ///
    /// - Throws: ``QueryError`` for parts that no store understands, and for an attribute with a
    ///   transform that is not compared with a constant.
    func equality<Left: PredicateExpression, Right: PredicateExpression>(
        _ left: Left,
        _ right: Right
    ) throws -> QueryExpression {
        if let isNil = try isMissing(left, right) ?? isMissing(right, left) { return isNil }
        if let hasKey = try keyEquality(left, right) { return hasKey }
        if let column = try transformedColumn(left) {
            return try equality(column, try value(of: right, column), in: right)
        }
        if let column = try transformedColumn(right) {
            return try equality(column, try value(of: left, column), in: left)
        }
        if let found = try branches(left, asking: { try self.equality($0, right) }) {
            return found
        }
        if let found = try branches(right, asking: { try self.equality(left, $0) }) {
            return found
        }
        var (lhs, rhs) = (try expression(left), try expression(right))
        if NodeType.of(Left.self).hasTwoNothings || NodeType.of(Right.self).hasTwoNothings {
            rhs = try compared(rhs, right, with: lhs)
            lhs = try compared(lhs, left, with: rhs)
        }
        // What is no number equals nothing, and nil neither.
        if isNaN(left, lhs) { return .isIn(rhs, []) }
        if isNaN(right, rhs) { return .isIn(lhs, []) }
        let equal = QueryExpression.equal(lhs, rhs)
        // A number that is made of others is missing where it is none.
        guard lhs.isOptional, rhs.isOptional,
            NodeType.of(Left.self).mayBeNaN || NodeType.of(Right.self).mayBeNaN
        else { return equal }
        return .and(equal, .not(.equal(lhs, .value(.null))))
    }

    /// What of values that tell null from nothing is compared with another one: documents with documents, as a
    /// column has them, and of what is inside of a document the value itself.
    ///
    /// - Throws: ``QueryError`` where it would depend on whether there is null or nothing inside of a document,
    ///   and for a document beside what is none.
    func compared(
        _ expression: QueryExpression,
        _ node: some PredicateExpression,
        with other: QueryExpression
    ) throws -> QueryExpression {
        if case .value = other { return expression }
        let isDocument = other.kind(in: entity) == .document
        guard case .value(let constant) = expression else {
            if isDocument == (expression.kind(in: entity) == .document) { return expression }
            throw QueryError(
                expression: "\(node)",
                explanation:
                    "what tells null from nothing (`T??`) is compared with constants, and with "
                    + "what does so, too"
            )
        }
        if case .attribute = other { return expression }
        guard let value = Self.innermost(try node.evaluate(captures.bindings)) else {
            throw QueryError(
                expression: "\(node)",
                explanation: "null and nothing are one inside of a stored document; "
                    + "ask for a value, or of a dictionary whether it has the key"
            )
        }
        return isDocument ? .value(constant) : .value(try self.constant(value, in: node))
    }

    /// What is in an optional of optionals; nil where there is nothing.
    private static func innermost(_ value: Any) -> Any? {
        var value = value
        while let optional = value as? any OptionalValue {
            guard !optional.isNil, let inner = Mirror(reflecting: optional).children.first else {
                return nil
            }
            value = inner.value
        }
        return value as? ModelDocument == .null ? nil : value
    }

    /// Whether a constant is no number, which its translation does not tell from nil.
    private func isNaN(
        _ node: some PredicateExpression,
        _ expression: QueryExpression
    ) -> Bool {
        guard case .value(.null) = expression,
            isCaptured(node)
        else { return false }
        return (try? node.evaluate(captures.bindings)).map { Self.isNaN($0) } ?? false
    }

    /// `($0 as? Photo) == nil`, which is known for the rows of one model, and `$0.owner == nil` or
    /// `($0.owner as? Person) == nil` of an object. Nil for other expressions.
    private func isMissing<Literal: PredicateExpression>(
        _ cast: some PredicateExpression,
        _ literal: Literal
    ) throws -> QueryExpression? {
        guard requirements != nil || hasRelationships || entity.classTable != nil,
            NodeType.of(Literal.self).isNil
        else { return nil }
        if let objects = try objects(cast) { return objects.isNothing }
        if let members = try members(cast) { return members.isHolderMissing ?? .no }
        guard requirements != nil || entity.classTable != nil, let row = try row(cast) else {
            return nil
        }
        return switch row {
        case .row: .no
        case .missing: .yes
        case .cast(_, let condition): .not(condition)
        }
    }

    /// Whether a value is one of a list.
    ///
    /// - Throws: ``QueryError`` for a constant that no column can hold, or the transform of one refuses.
    func isIn(
        _ values: some Sequence,
        _ element: some PredicateExpression,
        in node: Any
    ) throws -> QueryExpression {
        if let column = try transformedColumn(element) {
            return try isIn(values, in: node, column: column)
        }
        if let hasKey = try hasKey(among: values, element) { return hasKey }
        // No `??`: CONTRIBUTING.md says what the compiler makes of a case in one whose values throw.
        if let found = try branches(element, asking: { try self.isIn(values, $0, in: node) }) {
            return found
        }
        let constants = try constants(values, in: node)
        return .isIn(try expression(element), QueryList(constants))
    }

    /// Whether the value of a column is one of a list. A constant that the stored form cannot hold
    /// is in no row, so it is left out.
    ///
    /// - Throws: ``QueryError`` for a constant that the transform refuses.
    private func isIn(
        _ values: some Sequence,
        in node: Any,
        column: Int
    ) throws -> QueryExpression {
        var stored: [QueryValue] = []
        for value in values {
            let (form, rounding) = try constant(value, in: node, column)
            if rounding == .exact { stored.append(form) }
        }
        return .isIn(attribute(column), QueryList(stored))
    }

    /// A comparison of the order of a column with a constant.
    ///
    /// A stored form that is the constant rounded down is less than the constant, and no other one
    /// is between the two: what is less than the constant is at most that form. Rounded up is the
    /// mirror of it.
    ///
    /// - Throws: ``QueryError`` when the transform keeps no order, or refuses the constant.
    func comparison(
        _ column: Int,
        _ comparison: QueryComparison,
        _ node: some PredicateExpression
    ) throws -> QueryExpression {
        try requireOrder(of: column)
        let constant = try value(of: node, column)
        let (rounded, form) = try bound(constant, comparison, in: node, column)
        return .comparison(rounded, attribute(column), .value(form))
    }

    /// What the stored forms of a column are compared with for a constant, and how.
    ///
    /// - Throws: ``QueryError`` when the transform refuses the constant.
    package func bound(
        _ value: Any,
        _ comparison: QueryComparison,
        in node: Any,
        _ column: Int
    ) throws -> (QueryComparison, QueryValue) {
        let (form, rounding) = try constant(value, in: node, column)
        let rounded: QueryComparison =
            switch (rounding, comparison) {
            case (.down, .less), (.down, .lessOrEqual): .lessOrEqual
            case (.down, .greater), (.down, .greaterOrEqual): .greater
            case (.up, .less), (.up, .lessOrEqual): .less
            case (.up, .greater), (.up, .greaterOrEqual): .greaterOrEqual
            default: comparison
            }
        return (rounded, form)
    }

    /// The column at a key path whose attribute has a transform; nil for all others.
    ///
    /// - Throws: ``QueryError`` for a requirement of a protocol that has no column.
    package func transformedColumn(at keyPath: AnyKeyPath) throws -> Int? {
        guard entity.hasTransforms, let column = try storedColumn(of: keyPath),
            entity.attributes[column].transform != nil
        else { return nil }
        return column
    }

    /// - Throws: ``QueryError`` when the stored forms are not in the order of the values.
    func requireOrder(of column: Int) throws {
        let attribute = entity.attributes[column]
        if Self.isRawModel(type(of: attribute.keyPath as AnyKeyPath).valueType) {
            throw Self.noOrder(of: attribute.name)
        }
        guard let transform = attribute.transform, !transform.keepsOrder else { return }
        throw QueryError(
            expression: attribute.name,
            explanation: "its transform does not keep the order of values"
        )
    }

    /// Whether values are enums with a raw type, or optional ones. Swift has no order for them, so
    /// one that is `Comparable` has an order of its own, which its raw values do not tell.
    static func isRawModel(_ type: Any.Type) -> Bool {
        if let optional = type as? any OptionalValue.Type { return isRawModel(optional.wrapped) }
        return type is any RawModel.Type
    }

    /// The error for the order of an enum.
    static func noOrder(of expression: String) -> QueryError {
        QueryError(
            expression: expression,
            explanation: "a store has the raw values of an enum and not its order; sort or filter "
                + "the values that were fetched"
        )
    }

    /// `column == value`. What the stored form cannot hold equals no row: an empty list.
    private func equality(_ column: Int, _ value: Any, in node: Any) throws -> QueryExpression {
        let (form, rounding) = try constant(value, in: node, column)
        if rounding != .exact { return .isIn(attribute(column), []) }
        return .equal(attribute(column), .value(form))
    }

    /// What a row would hold for a constant, and what the stored form makes of it.
    private func constant(
        _ value: Any,
        in node: Any,
        _ column: Int
    ) throws -> (QueryValue, AttributeTransform.Rounding) {
        guard let transform = entity.attributes[column].transform else { throw unsupported(node) }
        do {
            guard let form = try QueryValue(value, by: transform) else { throw unsupported(node) }
            return (entity.compared(form), try transform.rounding(of: value))
        } catch let error as ModelEncodingError {
            throw QueryError(expression: "\(node)", explanation: error.explanation)
        }
    }

    /// The value of a constant. An expression that depends on the row has none, because it is
    /// evaluated without one.
    ///
    /// - Throws: ``QueryError`` for such an expression.
    private func value(of node: some PredicateExpression, _ column: Int) throws -> Any {
        guard let value = try? node.evaluate(captures.bindings) else {
            throw QueryError(
                expression: "\(node)",
                explanation: "\(entity.attributes[column].name) is stored through a transform; "
                    + "compare it with constants only"
            )
        }
        return value
    }
}

extension QueryComparison {
    /// The comparison with its sides exchanged: `a < b` is `b > a`.
    var reversed: QueryComparison {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
