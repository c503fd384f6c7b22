public import DovetailModel

/// What a backend says has changed since a token.
public struct ListOfChanges<Value: Model & Identifiable> {
    /// The new and changed values, as they are now.
    public var values: [Value]
    /// The identifiers of those that were deleted.
    public var deleted: [Value.ID]
    /// With what the backend is asked the next time.
    public var token: String
    /// Whether the backend has told everything; otherwise it is asked again at once.
    public var isLast: Bool

    /// Makes a list.
    public init(
        _ values: [Value],
        deleted: [Value.ID] = [],
        token: String,
        isLast: Bool = true
    ) {
        self.values = values
        self.deleted = deleted
        self.token = token
        self.isLast = isLast
    }
}

extension ListOfChanges: Sendable where Value: Sendable, Value.ID: Sendable {}
