/// Why a predicate or an order could not be put to a store. Nothing was read.
///
/// ```swift
/// let short = FetchDescriptor<User>(predicate: #Predicate { $0.name.count == 3 })
/// _ = try context.fetch(short)        // throws: no store counts characters
/// ```
public struct QueryError: Error, Hashable, Sendable {
    /// The part of the predicate that is not understood, as Foundation prints it.
    public let expression: String
    /// The cause and the remedy.
    public let explanation: String

    /// Makes an error, for stores that cannot express a part of a query.
    public init(expression: String, explanation: String) {
        self.expression = expression
        self.explanation = explanation
    }
}

extension QueryError: CustomStringConvertible {
    /// The expression and the cause in one line.
    public var description: String { "\(expression): \(explanation)" }
}
