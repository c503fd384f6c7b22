/// A property of a class that holds another object, or several: what `@Relationship` says, or what
/// the type of the property says alone.
///
/// ```swift
/// @Model final class Box {
///     @Relationship(deleteRule: .cascade, inverse: \Item.box) var items: [Item] = []
/// }
/// Box.modelRelationships[0].isToMany      // true
/// ```
public struct ModelRelationship: Sendable {
    /// The name of the property.
    public let name: String
    /// The property.
    public let keyPath: any AnyKeyPath & Sendable
    /// The class of the other objects.
    public let target: any ManagedModel.Type
    /// Whether it holds several.
    public let isToMany: Bool
    /// Whether it may hold none.
    public let isOptional: Bool
    /// What becomes of the other objects when this one is deleted.
    public let deleteRule: DeleteRule
    /// The property of the other class that leads back, as it is written; nil where it is not.
    public let inverse: (any AnyKeyPath & Sendable)?
    /// The position of the property among those that may be relationships, by which accessors name
    /// it.
    public let slot: Int

    /// Describes a relationship. Called by generated code.
    public init(
        _ name: String,
        _ keyPath: any AnyKeyPath & Sendable,
        to target: any ManagedModel.Type,
        isToMany: Bool,
        isOptional: Bool,
        deleteRule: DeleteRule,
        inverse: (any AnyKeyPath & Sendable)?,
        slot: Int
    ) {
        self.name = name
        self.keyPath = keyPath
        self.target = target
        self.isToMany = isToMany
        self.isOptional = isOptional
        self.deleteRule = deleteRule
        self.inverse = inverse
        self.slot = slot
    }
}
