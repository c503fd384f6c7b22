/// An index over some properties of a model, or a group of them that is unique: what `#Index` and
/// `#Unique` say, and `Model.modelIndexes` lists.
public struct ModelIndex: Hashable, Sendable {
    /// The properties, by their names in Swift, the most significant first.
    public let properties: [String]
    /// Whether no two rows may have the same values in all of them. A group with a NULL is equal to
    /// no other one.
    public let isUnique: Bool

    /// Called by generated code.
    public init(_ properties: [String], isUnique: Bool = false) {
        self.properties = properties
        self.isUnique = isUnique
    }
}
