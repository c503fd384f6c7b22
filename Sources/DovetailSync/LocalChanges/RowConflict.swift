public import DovetailStore

/// A row that was changed here and in a list, in the same attributes.
public struct RowConflict: Hashable, Sendable {
    /// The table of the row, which documents of objects may have several of.
    public let table: String
    /// The values of the key columns.
    public let key: [QueryValue]
    /// The names of the columns that both sides have changed to different values; empty where one side has
    /// deleted the row and the other one changed it.
    public let attributes: [String]
}
