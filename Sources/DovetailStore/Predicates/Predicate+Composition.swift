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
            PredicateExpressions.PredicateJoin<repeat each Input>(
                predicates: predicates,
                needsAll: true,
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
            PredicateExpressions.PredicateJoin<repeat each Input>(
                predicates: predicates,
                needsAll: false,
                variable: (repeat each input)
            )
        }
    }

    /// The predicate that holds where another one does not.
    ///
    /// - Complexity: that of the other predicate for each evaluation.
    public static func not(_ predicate: Self) -> Self {
        Self { (input: repeat PredicateExpressions.Variable<each Input>) in
            PredicateExpressions.build_Negation(
                PredicateExpressions.PredicateJoin<repeat each Input>(
                    predicates: [predicate],
                    needsAll: true,
                    variable: (repeat each input)
                )
            )
        }
    }
}

extension PredicateExpressions {
    /// All of a list of predicates, or one of them, hold for one input: `Predicate.all(_:)` and
    /// `Predicate.any(_:)`.
    public struct PredicateJoin<each Input>: StandardPredicateExpression, CustomStringConvertible {
        /// Whether it holds.
        public typealias Output = Bool

        /// The predicates, each with a variable of its own.
        public let predicates: [Predicate<repeat each Input>]
        /// Whether all of them have to hold, and not one only.
        public let needsAll: Bool
        /// What they are put to.
        public let variable: (repeat Variable<each Input>)

        /// The expression over predicates and the variable that holds their input.
        public init(
            predicates: [Predicate<repeat each Input>],
            needsAll: Bool,
            variable: (repeat Variable<each Input>)
        ) {
            self.predicates = predicates
            self.needsAll = needsAll
            self.variable = variable
        }

        /// Whether the predicates hold for the input that `bindings` has.
        ///
        /// - Throws: what a predicate throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let input = (repeat try (each variable).evaluate(bindings))
            for predicate in predicates
            where try predicate.evaluate(repeat each input) != needsAll {
                return !needsAll
            }
            return needsAll
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

        /// What is joined, and how.
        public var description: String {
            "\(needsAll ? "All" : "Any")(\(predicates.map { $0.expression }))"
        }
    }
}
