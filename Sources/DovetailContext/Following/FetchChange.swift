/// What one commit has changed in the result of a fetch: an element of ``FetchChanges``.
///
/// An item is the ``PersistentIdentifier`` of an object, or a value.
public struct FetchChange<Item: Sendable>: Sendable {
    /// An element that was in the result before, and still is.
    public struct Update: Sendable {
        /// What it is now.
        public let item: Item
        /// The names of the properties that have another value: at least one. Those of a relationship
        /// to one object are among them; lists are not, since their rows are those of others.
        public let attributes: [String]
    }

    /// What is in the result and was not before: it is new, or the predicate holds now. In the order of
    /// the descriptor.
    public internal(set) var inserted: [Item] = []
    /// What has changed and is still in the result, in the order of the descriptor.
    public internal(set) var updated: [Update] = []
    /// What was in the result and is no more: it is deleted, or the predicate does not hold any more.
    /// Values are what they were last.
    public internal(set) var deleted: [Item] = []

    /// Whether nothing has changed. True at most of the first one, where the result has no items.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
