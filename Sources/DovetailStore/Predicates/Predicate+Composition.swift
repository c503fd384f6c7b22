public import Foundation

extension Predicate {
    /// The predicate that holds where every one of a list holds. An empty list holds everywhere.
    ///
    /// ```swift
    /// let found: Predicate<User> = .all([adults, named("Ada")])
    /// ```
    ///
    /// - Complexity: linear in the number of predicates. An evaluation ends at the first one that
    ///   does not hold.
    public static func all(_ predicates: [Self]) -> Self {
        Self { (input: repeat PredicateExpressions.Variable<each Input>) in
            PredicateExpressions.PredicateAll<repeat each Input>(
                predicates: predicates,
                variable: (repeat each input)
            )
        }
    }

    /// The predicate that holds where at least one of a list holds. An empty list holds nowhere.
    ///
    /// - Complexity: linear in the number of predicates. An evaluation ends at the first one that
    ///   holds.
    public static func any(_ predicates: [Self]) -> Self {
        Self { (input: repeat PredicateExpressions.Variable<each Input>) in
            PredicateExpressions.PredicateAny<repeat each Input>(
                predicates: predicates,
                variable: (repeat each input)
            )
        }
    }

    /// The predicate that holds where another one does not.
    ///
    /// - Complexity: that of the other predicate for each evaluation.
    public static func not(_ predicate: Self) -> Self {
        Self { (input: repeat PredicateExpressions.Variable<each Input>) in
            PredicateExpressions.PredicateNot<repeat each Input>(
                predicate: predicate,
                variable: (repeat each input)
            )
        }
    }
}

extension PredicateExpressions {
    /// All of a list of predicates hold for one input: `Predicate.all(_:)`.
    public struct PredicateAll<each Input>: StandardPredicateExpression, CustomStringConvertible {
        /// Whether it holds.
        public typealias Output = Bool

        /// The predicates, each with a variable of its own.
        public let predicates: [Predicate<repeat each Input>]
        /// What they are put to.
        public let variable: (repeat Variable<each Input>)

        /// The expression over predicates and the variable that holds their input.
        public init(
            predicates: [Predicate<repeat each Input>],
            variable: (repeat Variable<each Input>)
        ) {
            self.predicates = predicates
            self.variable = variable
        }

        /// Whether every predicate holds for the input that `bindings` has.
        ///
        /// - Throws: what a predicate throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let input = (repeat try (each variable).evaluate(bindings))
            return try predicates.allSatisfy { try $0.evaluate(repeat each input) }
        }

        /// Always refuses.
        ///
        /// - Throws: `EncodingError`, because Foundation's predicates cannot be written on Linux.
        public func encode(to encoder: any Encoder) throws {
            throw notEncodable(self, encoder)
        }

        /// Always refuses.
        ///
        /// - Throws: `DecodingError`, because Foundation's predicates cannot be read on Linux.
        public init(from decoder: any Decoder) throws {
            throw notDecodable(decoder)
        }

        /// The name of the expression and its predicates.
        public var description: String {
            "PredicateAll(\(predicates.map { $0.expression }))"
        }
    }

    /// One of a list of predicates holds for one input: `Predicate.any(_:)`.
    public struct PredicateAny<each Input>: StandardPredicateExpression, CustomStringConvertible {
        /// Whether it holds.
        public typealias Output = Bool

        /// The predicates, each with a variable of its own.
        public let predicates: [Predicate<repeat each Input>]
        /// What they are put to.
        public let variable: (repeat Variable<each Input>)

        /// The expression over predicates and the variable that holds their input.
        public init(
            predicates: [Predicate<repeat each Input>],
            variable: (repeat Variable<each Input>)
        ) {
            self.predicates = predicates
            self.variable = variable
        }

        /// Whether a predicate holds for the input that `bindings` has.
        ///
        /// - Throws: what a predicate throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let input = (repeat try (each variable).evaluate(bindings))
            return try predicates.contains { try $0.evaluate(repeat each input) }
        }

        /// Always refuses.
        ///
        /// - Throws: `EncodingError`, because Foundation's predicates cannot be written on Linux.
        public func encode(to encoder: any Encoder) throws {
            throw notEncodable(self, encoder)
        }

        /// Always refuses.
        ///
        /// - Throws: `DecodingError`, because Foundation's predicates cannot be read on Linux.
        public init(from decoder: any Decoder) throws {
            throw notDecodable(decoder)
        }

        /// The name of the expression and its predicates.
        public var description: String {
            "PredicateAny(\(predicates.map { $0.expression }))"
        }
    }

    /// A predicate does not hold for an input: `Predicate.not(_:)`.
    public struct PredicateNot<each Input>: StandardPredicateExpression, CustomStringConvertible {
        /// Whether it holds.
        public typealias Output = Bool

        /// The predicate, with a variable of its own.
        public var predicate: Predicate<repeat each Input> { held[0] }
        /// The one predicate. Without the array the program crashes where Swift 6.3 makes the
        /// metadata of a type with a pack that stores another one with it.
        private let held: [Predicate<repeat each Input>]
        /// What it is put to.
        public let variable: (repeat Variable<each Input>)

        /// The expression over a predicate and the variable that holds its input.
        public init(
            predicate: Predicate<repeat each Input>,
            variable: (repeat Variable<each Input>)
        ) {
            held = [predicate]
            self.variable = variable
        }

        /// Whether the predicate does not hold for the input that `bindings` has.
        ///
        /// - Throws: what the predicate throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let input = (repeat try (each variable).evaluate(bindings))
            return try !predicate.evaluate(repeat each input)
        }

        /// Always refuses.
        ///
        /// - Throws: `EncodingError`, because Foundation's predicates cannot be written on Linux.
        public func encode(to encoder: any Encoder) throws {
            throw notEncodable(self, encoder)
        }

        /// Always refuses.
        ///
        /// - Throws: `DecodingError`, because Foundation's predicates cannot be read on Linux.
        public init(from decoder: any Decoder) throws {
            throw notDecodable(decoder)
        }

        /// The name of the expression and its predicate.
        public var description: String { "PredicateNot(\(predicate.expression))" }
    }
}
