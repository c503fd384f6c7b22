public import DovetailStore

/// The text of a statement and the values of its parameters, in their order.
public struct SQLStatement: Hashable, Sendable {
    /// SQL with parameters in place of values.
    public let text: String
    /// What is bound.
    public let bindings: [QueryValue]
}
