/// A column that is set to what an expression is for the row before.
public struct QueryAssignment: Hashable, Sendable {
    /// The position of the attribute. It is none of the key.
    public let column: Int
    /// The new value.
    public let value: QueryExpression
    /// Where it holds there is no such value: a number would be outside of its type. Nil for a value that is
    /// there for every row.
    public let refused: QueryExpression?

    /// Sets a column.
    ///
    /// - Parameter refused: What no row may say whose column is set; nil where all of them may be.
    public init(_ column: Int, _ value: QueryExpression, refused: QueryExpression? = nil) {
        self.column = column
        self.value = value
        self.refused = refused
    }
}
