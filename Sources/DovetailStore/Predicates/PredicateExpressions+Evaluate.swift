public import Foundation

extension PredicateExpressions {
    /// `try adults.evaluate($0)`: whether another predicate holds.
    ///
    /// - Complexity: that of the predicate for each evaluation.
    public struct PredicateEvaluate<Input: PredicateExpression>: PredicateExpression {
        /// Whether it holds.
        public typealias Output = Bool

        /// The other predicate.
        public let predicate: Predicate<Input.Output>
        /// What it is put to: the model, or a part of it.
        public let input: Input

        /// The expression over a predicate and its input.
        public init(predicate: Predicate<Input.Output>, input: Input) {
            self.predicate = predicate
            self.input = input
        }

        /// Whether the predicate holds for the input that `bindings` has.
        ///
        /// - Throws: what the predicate or the inner expression throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try predicate.evaluate(input.evaluate(bindings))
        }
    }

    /// `try predicate.evaluate($0)`. Written by `#Predicate`.
    public static func build_evaluate<Input>(
        _ predicate: Value<Predicate<Input.Output>>,
        _ input: Input
    ) -> PredicateEvaluate<Input> {
        PredicateEvaluate(predicate: predicate.value, input: input)
    }

    /// The same of what ``build_Constant(_:)`` makes of a predicate.
    public static func build_evaluate<Input>(
        _ predicate: Constant<Predicate<Input.Output>>,
        _ input: Input
    ) -> PredicateEvaluate<Input> {
        PredicateEvaluate(predicate: predicate.value, input: input)
    }
}

extension PredicateExpressions.PredicateEvaluate: Sendable where Input: Sendable {}

extension PredicateExpressions.PredicateEvaluate: Codable where Input: Codable {
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

extension PredicateExpressions.PredicateEvaluate: StandardPredicateExpression
where Input: StandardPredicateExpression {}

extension PredicateExpressions.PredicateEvaluate: CustomStringConvertible {
    /// The name of the expression and its parts.
    public var description: String {
        "PredicateEvaluate(predicate: \(predicate.expression), input: \(input))"
    }
}

extension PredicateExpressions {
    /// `try total.evaluate($0)`: the value of an expression that was made elsewhere.
    ///
    /// - Complexity: that of the expression for each evaluation.
    public struct ExpressionEvaluation<Input: PredicateExpression, Output>: PredicateExpression {
        /// What is made elsewhere.
        public let expression: Expression<Input.Output, Output>
        /// What it is put to: the model, or a part of it.
        public let input: Input

        /// The expression over another one and its input.
        public init(expression: Expression<Input.Output, Output>, input: Input) {
            self.expression = expression
            self.input = input
        }

        /// The value for the input that `bindings` has.
        ///
        /// - Throws: what the expression or the inner one throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Output {
            try expression.evaluate(input.evaluate(bindings))
        }
    }

    /// `try expression.evaluate($0)`. Written by `#Predicate`.
    public static func build_evaluate<Input, Output>(
        _ expression: Value<Expression<Input.Output, Output>>,
        _ input: Input
    ) -> ExpressionEvaluation<Input, Output> {
        ExpressionEvaluation(expression: expression.value, input: input)
    }

    /// The same of what ``build_Constant(_:)`` makes of an expression.
    public static func build_evaluate<Input, Output>(
        _ expression: Constant<Expression<Input.Output, Output>>,
        _ input: Input
    ) -> ExpressionEvaluation<Input, Output> {
        ExpressionEvaluation(expression: expression.value, input: input)
    }
}

extension PredicateExpressions.ExpressionEvaluation: Sendable where Input: Sendable {}

extension PredicateExpressions.ExpressionEvaluation: Codable where Input: Codable {
    /// Always refuses.
    ///
    /// - Throws: `EncodingError`, because Foundation's expressions cannot be written on Linux.
    public func encode(to encoder: any Encoder) throws {
        throw PredicateExpressions.notEncodable(self, encoder)
    }

    /// Always refuses.
    ///
    /// - Throws: `DecodingError`, because Foundation's expressions cannot be read on Linux.
    public init(from decoder: any Decoder) throws {
        throw PredicateExpressions.notDecodable(decoder)
    }
}

extension PredicateExpressions.ExpressionEvaluation: StandardPredicateExpression
where Input: StandardPredicateExpression {}

extension PredicateExpressions.ExpressionEvaluation: CustomStringConvertible {
    /// The name of the expression and its parts.
    public var description: String {
        "ExpressionEvaluation(expression: \(expression.expression), input: \(input))"
    }
}

extension PredicateExpressions {
    /// The error for an expression that holds whole predicates or expressions.
    static func notEncodable(_ node: Any, _ encoder: any Encoder) -> EncodingError {
        EncodingError.invalidValue(
            node,
            EncodingError.Context(
                codingPath: encoder.codingPath,
                debugDescription: "a predicate that holds another one cannot be encoded"
            )
        )
    }

    /// The error for an expression that holds whole predicates or expressions.
    static func notDecodable(_ decoder: any Decoder) -> DecodingError {
        DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "a predicate that holds another one cannot be decoded"
            )
        )
    }
}
