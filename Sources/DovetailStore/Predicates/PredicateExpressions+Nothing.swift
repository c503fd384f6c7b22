public import Foundation

// `$0.owner == nil` where values of the type cannot be compared, as those of `any P`. Foundation's own
// `==` is for types that are `Equatable`, and is taken for these.

extension PredicateExpressions {
    /// `$0.owner == nil`. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_Equal<Root, Wrapped>(
        lhs: Root,
        rhs: NilLiteral<Wrapped>
    ) -> IsNothing<Root, Wrapped> {
        IsNothing(root: lhs)
    }

    /// `$0.owner != nil`. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_NotEqual<Root, Wrapped>(
        lhs: Root,
        rhs: NilLiteral<Wrapped>
    ) -> Negation<IsNothing<Root, Wrapped>> {
        build_Negation(IsNothing(root: lhs))
    }

    /// Whether an optional is nil, whatever it may hold.
    ///
    /// - Complexity: O(1) for each evaluation.
    public struct IsNothing<Root: PredicateExpression, Wrapped>: PredicateExpression
    where Root.Output == Wrapped? {
        /// Whether it is nil.
        public typealias Output = Bool

        /// The optional.
        public let root: Root

        /// The expression over another one.
        public init(root: Root) {
            self.root = root
        }

        /// The answer for the values that `bindings` has.
        ///
        /// - Throws: what the inner expression throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try root.evaluate(bindings) == nil
        }
    }
}

extension PredicateExpressions.IsNothing: QueryTranslatable {
    /// Of an object it is asked for its key, which says as much.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        if let objects = try translator.objects(root) { return objects.isNothing }
        if let members = try translator.members(root) { return members.isHolderMissing ?? .no }
        return .equal(try translator.expression(root), .value(.null))
    }
}

extension PredicateExpressions.IsNothing: Sendable where Root: Sendable {}

extension PredicateExpressions.IsNothing: Codable where Root: Codable {
    /// Writes the part as a list of one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(root)
    }

    /// Reads what ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        root = try container.decode(Root.self)
    }
}

extension PredicateExpressions.IsNothing: StandardPredicateExpression
where Root: StandardPredicateExpression {}

extension PredicateExpressions.IsNothing: CustomStringConvertible {
    /// The name of the expression and its part.
    public var description: String { "IsNothing(root: \(root))" }
}
