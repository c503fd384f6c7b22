/// What `@Attribute` can say about a property besides its name.
///
/// ```swift
/// @Model struct Line {
///     @Attribute(.primaryKey) var order: Int
///     @Attribute(.primaryKey) var position: Int
///     @Attribute(.omittedWhenEmpty) var notes: [String]
/// }
/// ```
///
/// The macro reads the options in the source; at run time they are empty values and cost nothing.
public struct AttributeOption: Sendable {
    /// The property is the primary key, or a part of it when several properties say so: `PRIMARY
    /// KEY` in SQL.
    public static let primaryKey = AttributeOption()
    /// The property is neither written to documents nor stored.
    public static let transient = AttributeOption()
    /// A collection or string that is empty is left out of documents, and an absent field is an
    /// empty one, whatever the default is. Rows keep the empty value, so the column is not NULL.
    public static let omittedWhenEmpty = AttributeOption()
    /// An optional that is nil is written as null instead of being left out. An absent field is nil
    /// as well; `T??` tells the two apart.
    ///
    /// ```swift
    /// @Attribute(.nullWhenNil) var nextCursor: String?        // {"nextCursor":null}
    /// ```
    public static let nullWhenNil = AttributeOption()

    /// The fields of the property's model, which says `@Model(flattenable: true)`, are fields of this
    /// one, in any order, and its columns are columns of this table.
    ///
    /// ```swift
    /// @Attribute(.flattened) var head: LayerHead
    /// @Attribute(.flattened, prefix: "value") var value: Value?      // an enum: valueString, valueCode
    /// ```
    ///
    /// An optional is nil where no field of the model has a value.
    public static let flattened = AttributeOption()

    /// The value is read and written through a ``ModelTransform``; nil stays nil.
    ///
    /// ```swift
    /// @Attribute(.transformed(by: SecondsSince1970.self)) var createdAt: Date
    /// ```
    public static func transformed<Transform: ModelTransform>(
        by transform: Transform.Type
    ) -> AttributeOption {
        AttributeOption()
    }

    /// What an array, a set or a dictionary holds is read and written through a ``ModelTransform``,
    /// also in nested ones. The column is JSON.
    ///
    /// ```swift
    /// @Attribute(.transformed(elementsBy: SecondsSince1970.self)) var visits: [Date]
    /// ```
    public static func transformed<Transform: ModelTransform>(
        elementsBy transform: Transform.Type
    ) -> AttributeOption {
        AttributeOption()
    }
}

/// How `@Model(naming:)` derives the names in documents from the names of properties.
/// `@Attribute(name:)` overrides it.
public enum AttributeNaming: Sendable {
    /// `createdAt` stays `createdAt`.
    case asDeclared
    /// `createdAt` becomes `created_at`.
    case snakeCase
    /// The same with each run of digits as a word: `thumb360W` becomes `thumb_360_w`, where
    /// ``snakeCase`` gives `thumb360_w`.
    case snakeCaseWithDigits
    /// `createdAt` becomes `created-at`.
    case kebabCase
    /// `createdAt` becomes `CreatedAt`.
    case pascalCase
}
