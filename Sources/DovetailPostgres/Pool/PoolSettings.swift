/// How many connections a pool has, and how long it waits and keeps them.
public struct PoolSettings: Hashable, Sendable {
    /// The most connections that are open at once.
    public var size = 8
    /// How long a caller waits for one; after it there is a `StoreError` of kind `locked`.
    public var waitsFor: Duration = .seconds(30)
    /// How long one that nobody uses stays open.
    public var idleTime: Duration = .seconds(300)

    /// The defaults of each.
    public init() {}
}
