/// What `@Attribute` can say about a property besides its name.
public struct AttributeOption: Sendable {
    /// The property is the primary key, or one part of it when several properties say so.
    public static let primaryKey = AttributeOption()
    /// The property is neither written to documents nor stored.
    public static let transient = AttributeOption()
}

/// How `@Model` makes names in documents of names of properties.
public enum AttributeNaming: Sendable {
    /// `createdAt` stays `createdAt`.
    case asDeclared
    /// `createdAt` becomes `created_at`.
    case snakeCase
    /// `createdAt` becomes `created-at`.
    case kebabCase
    /// `createdAt` becomes `CreatedAt`.
    case pascalCase
}
