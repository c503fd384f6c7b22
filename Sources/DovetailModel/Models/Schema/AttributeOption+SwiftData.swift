#if canImport(ObjectiveC)
    public import Foundation
#endif

extension AttributeOption {
    /// The property of an object is observed and makes it changed, and is neither stored nor written to
    /// documents; a rollback leaves it. It needs a default value or an optional type, as a `@Transient` one does.
    ///
    /// ```swift
    /// @Attribute(.ephemeral) var isSelected = false
    /// ```
    ///
    /// In a struct it is `@Transient`.
    public static let ephemeral = AttributeOption()

    /// The value is large. It is stored in a column as other values are; the schema says what it is
    /// (`Schema.Attribute.options`).
    ///
    /// ```swift
    /// @Attribute(.externalStorage) var cover: Data?
    /// ```
    ///
    /// An object that is fetched is without it, and reads it when the property is read for the first time:
    /// one query for one value. That is so of ``DeferrableValue``s in classes, unless the property has
    /// observers or a transform, or the class has hooks or the compiler's `Codable`.
    public static let externalStorage = AttributeOption()

    /// The value stays in the history when its row is deleted. A history keeps all values of deleted
    /// rows, so the option adds nothing; the schema says that it was asked for.
    public static let preserveValueOnDeletion = AttributeOption()

    /// The value is to be found by the system's search. There is none; the schema keeps the option.
    public static let spotlight = AttributeOption()

    /// The value is to be encrypted in iCloud. Nothing is synchronized; the schema keeps the option.
    public static let allowsCloudEncryption = AttributeOption()

    /// The value is stored as the `Data` that a transformer makes of it. Its type need not be a model
    /// value.
    ///
    /// ```swift
    /// @Attribute(.transformable(by: ColorTransformer.self)) var color: Color
    /// ```
    ///
    /// Nil stays nil, and the transformer is not asked. ``ModelTransform`` does the same with types
    /// that the compiler checks: `.transformed(by:)`.
    public static func transformable(by transformer: ValueTransformer.Type) -> AttributeOption {
        AttributeOption()
    }

    /// The same by the name of a transformer, which the macro refuses: write its type.
    public static func transformable(by name: String) -> AttributeOption { AttributeOption() }
}
