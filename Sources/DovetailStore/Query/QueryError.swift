/// Why a predicate or an order could not be put to a store. Nothing was read.
public struct QueryError: Error, Hashable, Sendable {
    /// The part of the predicate that is not understood, as Foundation prints it.
    public let expression: String
    /// The cause and the remedy.
    public let explanation: String

    /// Makes an error of its parts.
    public init(expression: String, explanation: String) {
        self.expression = expression
        self.explanation = explanation
    }
}

extension QueryError: CustomStringConvertible {
    /// The expression and the cause in one line.
    public var description: String { "\(expression): \(explanation)" }
}
