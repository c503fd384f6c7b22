public import DovetailStore

/// The text of a statement and the values of its parameters, in their order.
///
/// The text holds no value, so equal shapes of queries have equal texts: a store can keep one
/// prepared statement for each.
public struct SQLStatement: Hashable, Sendable {
    /// SQL with a parameter in the place of each value.
    public let text: String
    /// The values to bind, the first one to parameter 1.
    public let bindings: [QueryValue]
}
