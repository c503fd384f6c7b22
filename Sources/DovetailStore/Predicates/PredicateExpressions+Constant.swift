public import Foundation

extension PredicateExpressions {
    /// A captured value of a type that is `Sendable` and not `Codable`, such as an enum with values in its
    /// cases. Foundation's `Value` can be part of a predicate only where its type is both.
    public struct Constant<Output: Sendable>: StandardPredicateExpression, CustomStringConvertible {
        /// The value.
        public let value: Output

        /// The expression of a value.
        public init(_ value: Output) {
            self.value = value
        }

        /// The value, whatever the row is.
        public func evaluate(_ bindings: PredicateBindings) -> Output { value }

        /// The value.
        public var description: String { "\(value)" }

        /// Always refuses.
        ///
        /// - Throws: `EncodingError`, because Foundation's predicates cannot be written on Linux.
        public func encode(to encoder: any Encoder) throws {
            throw PredicateExpressions.notEncodable(self, encoder)
        }

        /// Always refuses.
        ///
        /// - Throws: `DecodingError`, because Foundation's predicates cannot be read on Linux.
        public init(from decoder: any Decoder) throws {
            throw PredicateExpressions.notDecodable(decoder)
        }
    }

    /// A captured value. Written by `#Predicate`.
    public static func build_Constant<Output: Codable & Sendable>(
        _ value: Output
    ) -> Value<Output> {
        Value(value)
    }

    /// The expression itself. Nothing writes it: Foundation's `build_Arg` has this form, too, and without it the
    /// compiler (6.3) takes a constant beside an optional for no optional, and casts it.
    public static func build_Constant<Expression: PredicateExpression>(
        _ expression: Expression
    ) -> Expression {
        expression
    }

    /// A captured value that is not `Codable`. Written by `#Predicate`.
    ///
    /// Without it the compiler does not refuse one: it crashes while it looks for the words (6.3).
    @_disfavoredOverload
    public static func build_Constant<Output: Sendable>(_ value: Output) -> Constant<Output> {
        Constant(value)
    }
}

/// An expression that is a captured value.
protocol ConstantExpression<Output>: PredicateExpression {
    var value: Output { get }
}

extension PredicateExpressions.Value: ConstantExpression {}
extension PredicateExpressions.Constant: ConstantExpression {}
