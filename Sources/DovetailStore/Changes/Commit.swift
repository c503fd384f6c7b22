public import DovetailModel

/// What a store says about a save.
///
/// ```swift
/// @Model struct Note: Identifiable {
///     @Attribute(.primaryKey, .generated) var id: Int64?
///     var text: String
/// }
/// context.insert(Note(id: nil, text: "milk"))
/// try context.save()
/// context.lastCommit.keys(of: Note.self)      // [1]
/// ```
public struct Commit: Hashable, Sendable {
    /// The number of the commit in the history (``HistoryCommit/number``); nil where none is kept,
    /// and inside of a transaction.
    public var number: Int64?
    /// The rows that were not written, because somebody else has changed them; empty after a save,
    /// which throws instead.
    public var conflicts: [ChangeConflict] = []
    /// The keys by table.
    private var keys: [String: [Int64]] = [:]

    /// Nothing was given.
    public init() {}

    /// The keys of the values of a model with a generated key that were inserted or upserted, in
    /// the order of the values: those that the database gave, and those that the values had. Empty
    /// for other models.
    ///
    /// - Complexity: O(1).
    public func keys(of model: any Model.Type) -> [Int64] {
        keys[model.modelTable] ?? []
    }

    /// Adds the key of a row that was written.
    public mutating func add(_ key: Int64, of entity: EntityBinding) {
        keys[entity.table, default: []].append(key)
    }

    /// Adds what a later part of the same transaction was given.
    package mutating func append(_ other: Commit) {
        keys.merge(other.keys) { $0 + $1 }
        conflicts += other.conflicts
    }
}
