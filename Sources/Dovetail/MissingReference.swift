import DovetailSync

/// A reference to a row that is not there yet, kept by `synchronize(…, unknownReferences: .keep)` until it
/// is.
///
/// ```swift
/// let container = try ModelContainer(for: User.self, Team.self, MissingReference.self)
/// try context.synchronize(users, unknownReferences: .keep)
/// try context.save()
/// for missing in try context.fetch(FetchDescriptor<MissingReference>()) {
///     print(missing)                  // User.teamID: no Team
/// }
/// ```
///
/// A model like others: it is in the container where it is named there, and has a table of its own.
@Model public struct MissingReference: KeptReferenceModel, Identifiable, Hashable, Sendable {
    /// All that it says, as text.
    public let id: String
    /// The table of the row that holds nil instead; of an object its class.
    public let source: String
    /// The key of that row, as a JSON array of its columns; of an object, the attribute by which documents
    /// name those of its class.
    public let sourceKey: String
    /// The column, or the relationship.
    public let attribute: String
    /// The table that is referred to; where the source is an object, the class.
    public let target: String
    /// The key of the row that is not there, as a JSON array.
    public let targetKey: String
}

extension MissingReference: CustomStringConvertible {
    /// What refers to what, without the keys.
    public var description: String { "\(source).\(attribute): no \(target)" }
}
