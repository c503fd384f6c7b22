public import DovetailStore

/// How a ``SQLiteStore`` opens a database and works on it.
public struct SQLiteOptions: Sendable {
    /// Whether nothing is ever written. The file has to exist then.
    public var isReadOnly = false
    /// How long a call waits for another connection that holds the database.
    public var busyTimeout: Duration = .seconds(5)
    /// What a save promises when the machine loses power.
    public var durability = StoreDurability.normal
    /// How long a snapshot may be read; nil for as long as its caller likes.
    public var longestSnapshot: Duration?
    /// Whether the whole file is looked at while it is opened.
    public var checksIntegrity = false
    /// Reports each statement.
    public var trace: StoreTrace?
    /// Whether changes are kept, and for how long; nil leaves it as it is in the database.
    public var history: StoreHistory?

    /// The defaults of each.
    public init() {}
}
