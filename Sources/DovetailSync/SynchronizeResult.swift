/// What `synchronize` changed.
public struct SynchronizeResult<ID: Hashable> {
    /// The identifiers of values that were new, in the order in which they were given.
    public let inserted: [ID]
    /// The identifiers of values with at least one different column, in the order of the store.
    public let updated: [ID]
    /// The identifiers of values that were not given any more, in the order of the store.
    public let deleted: [ID]
    /// How many values were equal in every column.
    public let unchanged: Int

    /// Whether nothing had to be changed.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension SynchronizeResult: Sendable where ID: Sendable {}

extension SynchronizeResult: CustomStringConvertible {
    /// The four numbers in one line.
    public var description: String {
        "\(inserted.count) inserted, \(updated.count) updated, \(deleted.count) deleted, "
            + "\(unchanged) unchanged"
    }
}
