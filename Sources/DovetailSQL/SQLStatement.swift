public import DovetailStore

/// The text of a statement and the values of its parameters, in their order.
///
/// The text holds no value, so equal shapes of queries have equal texts: a store can keep one
/// prepared statement for each.
public struct SQLStatement: Hashable, Sendable {
    /// SQL with a parameter in the place of each value.
    public let text: String
    /// What to bind, the first one to parameter 1.
    public let bindings: [SQLBinding]
}

/// What a parameter stands for.
public enum SQLBinding: Hashable, Sendable {
    /// A constant.
    case value(QueryValue)
    /// All values of a long list as one parameter, so that its length is no part of the text.
    case list([QueryValue])
    /// What the database calls back for, with the columns of a row.
    case program(QueryProgram)
}
