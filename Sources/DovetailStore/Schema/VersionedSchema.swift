public import DovetailModel

/// The models of a program at one of its versions.
///
/// ```swift
/// enum LibraryV1: VersionedSchema {
///     static var versionIdentifier: Schema.Version { .init(1, 0, 0) }
///     static var models: [any Model.Type] { [Book.self] }
///
///     @Model struct Book: Identifiable { var id: Int; var title: String }
/// }
/// typealias Book = LibraryV1.Book
///
/// let container = try ModelContainer(for: Schema(versionedSchema: LibraryV1.self))
/// ```
///
/// Enums, structs and classes may conform; both members may be computed, `static let`, or `static var`
/// where the language allows one. The models of two versions usually have the same names, so they are
/// nested in their version, and each container has those of one.
public protocol VersionedSchema: SendableMetatype {
    /// What a list of models holds: `any Model.Type`, or the metatype of a protocol that refines
    /// `Model`. It follows from how ``models`` is declared.
    associatedtype _ListedModel = any Model.Type

    /// The models of the version.
    static var models: [_ListedModel] { get }

    /// What the version is called.
    static var versionIdentifier: Schema.Version { get }
}

extension VersionedSchema {
    /// What ``models`` lists, and the names of what is no model.
    fileprivate static var listed: (models: [any Model.Type], strangers: [String]) {
        var models: [any Model.Type] = []
        var strangers: [String] = []
        for element in Self.models {
            if let model = element as? any Model.Type {
                models.append(model)
            } else {
                strangers.append(String(reflecting: element))
            }
        }
        return (models, strangers)
    }
}

extension Schema {
    /// The models of a version.
    ///
    /// ```swift
    /// let schema = Schema(versionedSchema: LibraryV1.self)
    /// schema.version                      // 1.0.0
    /// ```
    ///
    /// - Complexity: linear in the number of attributes.
    public init(versionedSchema: any VersionedSchema.Type) {
        let (models, strangers) = versionedSchema.listed
        self.init(models, version: versionedSchema.versionIdentifier, strangers: strangers)
    }

    /// Describes models, each written out.
    ///
    /// ```swift
    /// let schema = Schema(User.self, Product.self, version: Schema.Version(2, 0, 0))
    /// ```
    ///
    /// It is otherwise ``init(_:version:)-([Model.],_)``.
    ///
    /// - Complexity: linear in the number of attributes.
    public init(_ models: any Model.Type..., version: Version = Version(1, 0, 0)) {
        self.init(models, version: version)
    }
}
