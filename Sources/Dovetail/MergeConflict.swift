public import DovetailContext
import DovetailSync

/// A row that was changed here and in a list or a document of objects, kept by `synchronize(…, localChanges: .merge(conflicts: .keep))`
/// until somebody decides.
///
/// ```swift
/// let container = try ModelContainer(for: User.self, MergeConflict.self)
/// try context.synchronize(users, localChanges: .merge(conflicts: .keep))
/// try context.save()
/// for conflict in try context.fetch(FetchDescriptor<MergeConflict>()) {
///     print(conflict)                             // User.name
///     try context.resolve(conflict, taking: .remote)
/// }
/// try context.save()
/// ```
///
/// Until then the row is what it is here. A conflict is forgotten when a later list has the same value as the
/// row. A model like others: it is in the container where it is named there, and has a table of its own.
@Model public struct MergeConflict: KeptConflictModel, Identifiable, Hashable, Sendable {
    /// A side of a merge.
    public enum Side: Sendable {
        /// What is stored here.
        case local
        /// What the list has.
        case remote
    }

    /// The table, the key and the attribute, as text.
    public let id: String
    /// The table of the row.
    public let table: String
    /// The key of the row, as a JSON array of its columns.
    public let key: String
    /// The column, or the relationship to objects without a name that are inside of this one; nil for a row that one
    /// side has deleted and the other one changed.
    public let attribute: String?
    /// The columns before both changes, as a JSON object; nil where there was no row, and for a relationship.
    public let base: String?
    /// The columns that the list has, as a JSON object; nil where it has no row. Of a relationship it has the text of
    /// what the document says.
    public let remote: String?
}

extension MergeConflict: CustomStringConvertible {
    /// The table and the column, without what they hold.
    public var description: String { attribute.map { "\(table).\($0)" } ?? table }
}

extension ModelContext {
    /// Decides a conflict when the context is saved: the row is what it is here, or what the list had. An object
    /// of a class changes at once, is deleted, or is there again, with the one that it is inside of.
    ///
    /// - Complexity: a look into the index of the key; for an object, one for each that its row refers to. For
    ///   objects without a name inside of it, linear in their number and in that of the changed rows of their classes.
    /// - Throws: ``StoreError``, of kind `invalidSchema` for a conflict of another container, and of
    ///   `foreignKeyViolation` for an object whose row refers to one that is not there and has to be, and
    ///   `unsupported` for one without a name that was put into two others meanwhile;
    ///   ``ModelDecodingError`` for a row whose columns cannot be read.
    public func resolve(_ conflict: MergeConflict, taking side: MergeConflict.Side) throws {
        try resolveConflict(
            [
                conflict.id, conflict.table, conflict.key, conflict.attribute, conflict.base,
                conflict.remote,
            ],
            takingRemote: side == .remote
        )
    }
}
