/// A class whose instances a context keeps: one for each row, related to each other.
///
/// `@Model` writes the conformance of a class; the library's own name for it is `PersistentModel`,
/// which adds what a context does.
public protocol ManagedModel: Model, AnyObject {
    /// The properties that hold other objects, in the order of their declaration.
    ///
    /// Built at each call, as ``Model/modelAttributes`` are.
    static var modelRelationships: [ModelRelationship] { get }

    /// The key that the library gives each instance; nil where the declaration has a primary key.
    static var hiddenKey: ModelAttribute? { get }

    /// The class with `@Model`: the type itself, or for a subclass without the macro the class above it.
    static var modelClass: any ManagedModel.Type { get }

    /// The class with `@Model` from which it inherits; nil for one at the top.
    static var modelSuperclass: (any ManagedModel.Type)? { get }

    /// The class with `@Model` at the top, in whose table all objects are. It is the type itself unless
    /// that inherits from one.
    static var modelRoot: any ManagedModel.Type { get }

    /// The properties that name an object of a class that has subclasses or is one: its identifier, then
    /// its `id`. Empty for others.
    static var modelIdentity: [any AnyKeyPath & Sendable] { get }
}

/// What the macro makes each class conform to that inherits from no class with `@Model`, so that it can
/// tell such a class from others. Nobody else adopts it.
public protocol _ManagedRoot: AnyObject {}

extension ManagedModel {
    /// The type itself.
    public static var modelClass: any ManagedModel.Type { Self.self }

    /// None.
    public static var modelSuperclass: (any ManagedModel.Type)? { nil }

    /// None.
    public static var modelIdentity: [any AnyKeyPath & Sendable] { [] }

    /// The type itself.
    public static var modelRoot: any ManagedModel.Type { Self.self }
}

extension ManagedModel {
    /// What the columns and tables of its relationships are named after: the table, or for a subclass
    /// its own name.
    package static var ownTable: String { modelSuperclass == nil ? modelTable : typeName }

    /// The one column that names a row; nil for a key of several.
    package static var keyColumn: ModelAttribute? {
        if let hiddenKey { return hiddenKey }
        let keys = modelAttributes.filter(\.isPrimaryKey)
        return keys.count == 1 ? keys[0] : nil
    }
}
