/// How many connections a pool has, and how long it waits and keeps them.
///
/// ```swift
/// var settings = PoolSettings()
/// settings.size = 20
/// settings.waitsFor = .seconds(2)
/// ```
public struct PoolSettings: Hashable, Sendable {
    /// The most connections that are open at once; less than one means one.
    public var size = 8
    /// How long a caller waits for one; after it there is a `StoreError` of kind `locked`, or
    /// `cannotOpen` while the server is away.
    public var waitsFor: Duration = .seconds(30)
    /// How long one that nobody uses stays open.
    public var idleTime: Duration = .seconds(300)
    /// How long one may have been unused to be lent without a question to the server, which costs a
    /// round trip.
    public var checksAfter: Duration = .seconds(30)

    /// The defaults of each.
    public init() {}
}
