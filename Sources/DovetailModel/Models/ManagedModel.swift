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
}

extension ManagedModel {
    /// The one column that names a row; nil for a key of several.
    package static var keyColumn: ModelAttribute? {
        if let hiddenKey { return hiddenKey }
        let keys = modelAttributes.filter(\.isPrimaryKey)
        return keys.count == 1 ? keys[0] : nil
    }
}
