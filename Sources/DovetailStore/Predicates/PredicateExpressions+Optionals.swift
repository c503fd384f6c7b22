public import Foundation

// `$0.nickname ?? $0.name` where both are optionals. Foundation's own `??` has a right side that is none.

extension PredicateExpressions {
    /// `a ?? b` of two optionals. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_NilCoalesce<LHS, RHS, Wrapped>(
        lhs: LHS,
        rhs: RHS
    ) -> FirstPresent<LHS, RHS, Wrapped> {
        FirstPresent(lhs: lhs, rhs: rhs)
    }

    /// The first of two optionals, or the second where the first is nil.
    ///
    /// - Complexity: O(1) for each evaluation.
    public struct FirstPresent<
        LHS: PredicateExpression,
        RHS: PredicateExpression,
        Wrapped
    >: PredicateExpression where LHS.Output == Wrapped?, RHS.Output == Wrapped? {
        /// What both are.
        public typealias Output = Wrapped?

        /// The optional that is asked first.
        public let lhs: LHS
        /// The one that is taken where that is nil.
        public let rhs: RHS

        /// The expression over two others.
        public init(lhs: LHS, rhs: RHS) {
            self.lhs = lhs
            self.rhs = rhs
        }

        /// The answer for the values that `bindings` has.
        ///
        /// - Throws: what the inner expressions throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Wrapped? {
            try lhs.evaluate(bindings) ?? rhs.evaluate(bindings)
        }
    }
}

extension PredicateExpressions.FirstPresent: QueryTranslatable {
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        try translator.requireOneNothing(LHS.self, lhs)
        return .coalesce(try translator.expression(lhs), try translator.expression(rhs))
    }
}

extension PredicateExpressions.FirstPresent: Sendable where LHS: Sendable, RHS: Sendable {}

extension PredicateExpressions.FirstPresent: Codable where LHS: Codable, RHS: Codable {
    /// Writes the parts as a list of two.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(lhs)
        try container.encode(rhs)
    }

    /// Reads what ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        lhs = try container.decode(LHS.self)
        rhs = try container.decode(RHS.self)
    }
}

extension PredicateExpressions.FirstPresent: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}

extension PredicateExpressions.FirstPresent: CustomStringConvertible {
    /// The name of the expression and its parts.
    public var description: String { "FirstPresent(lhs: \(lhs), rhs: \(rhs))" }
}
