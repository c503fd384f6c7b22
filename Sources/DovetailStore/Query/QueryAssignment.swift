/// A column that is set to what an expression is for the row before.
public struct QueryAssignment: Hashable, Sendable {
    /// The position of the attribute. It is none of the key.
    public let column: Int
    /// The new value.
    public let value: QueryExpression

    /// Sets a column.
    public init(_ column: Int, _ value: QueryExpression) {
        self.column = column
        self.value = value
    }
}
