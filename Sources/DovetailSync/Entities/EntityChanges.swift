/// What ``ModelContext/synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)`` changed of an entity: which rows, and how
/// many stayed as they were.
///
/// ```swift
/// let changes = try context.synchronize(users)
/// print(changes)              // 2 inserted, 1 updated, 0 deleted, 997 unchanged
/// for id in changes.updated { … }
/// ```
///
/// A value that is given twice counts once. The numbers say what will be written; it is written by
/// `save()`.
public struct EntityChanges<ID: Hashable> {
    /// The identifiers of values that were new, in the order in which they were given.
    public private(set) var inserted: [ID]
    /// The identifiers of values with at least one different column, in the order in which the
    /// store gave the rows.
    public private(set) var updated: [ID]
    /// The identifiers of values that were not given any more, in the order in which the store gave
    /// the rows.
    public private(set) var deleted: [ID]
    /// How many stored values were given and are equal in every column.
    public private(set) var unchanged: Int
    /// Of a plan that is applied, the identifiers of values in its scope that somebody has added since it was
    /// made: they are in neither list nor plan, and stay.
    public internal(set) var appeared: [ID] = []

    init(inserted: [ID] = [], updated: [ID] = [], deleted: [ID] = [], unchanged: Int = 0) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
        self.unchanged = unchanged
    }

    /// Adds what was changed after this.
    mutating func append(_ later: EntityChanges) {
        inserted += later.inserted
        updated += later.updated
        deleted += later.deleted
        unchanged += later.unchanged
    }

    /// Whether no row had to be changed. Then at most the token of a list of changes is written.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension EntityChanges: Sendable where ID: Sendable {}

extension EntityChanges: CustomStringConvertible {
    /// The four numbers in one line.
    public var description: String {
        "\(inserted.count) inserted, \(updated.count) updated, \(deleted.count) deleted, "
            + "\(unchanged) unchanged"
    }
}
