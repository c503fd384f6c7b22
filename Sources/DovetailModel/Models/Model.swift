/// A declared model: a struct, an enum or a class with `@Model`.
///
/// ```swift
/// @Model struct Owner: Identifiable {
///     var id: Int
///     var name: String
/// }
///
/// let owner = try Owner(decoding: Data(#"{"id":1,"name":"Ada"}"#.utf8), as: .json)
/// ```
///
/// The macro writes the conformance. Extend this protocol to give every model of a program a new
/// member.
public protocol Model: ModelValue {
    /// The name of this type in documents and stores: the value of the type key, and the name of
    /// the table.
    ///
    /// It is the Swift name without the enclosing types unless `@Model(typeName:)` says otherwise,
    /// so renaming a Swift type need not change a file or a table.
    static var typeName: String { get }

    /// Earlier names of this type, which `@Model(aliases:)` gives. They are read in documents but
    /// not written.
    static var typeAliases: [String] { get }

    /// The version of the model's shape, which `@Model(version:)` gives; 1 unless it does.
    ///
    /// Above 1 it is written as the field `$version` of the model's object.
    static var modelVersion: Int { get }

    /// Changes a document of `version` into one of `version + 1`.
    ///
    /// ```swift
    /// static func migrate(_ document: inout ModelDocument, from version: Int) throws {
    ///     if version == 1 { document.rename("title", to: "name") }
    /// }
    /// ```
    ///
    /// Called before an older document is read, once for each step from its version to
    /// ``modelVersion``. The document is the model's own object, without its type key and
    /// `$version`; models inside of it migrate themselves afterwards, each by its own version.
    ///
    /// Without an implementation, and for steps that it does not handle, nothing changes. That is
    /// right where only attributes with defaults were added.
    ///
    /// - Throws: what refuses the document; it arrives as a ``ModelDecodingError`` with the reason
    ///   `rejected`.
    static func migrate(_ document: inout ModelDocument, from version: Int) throws

    /// Changes a document of `version + 1` back into one of `version`, for programs that know no
    /// newer one. See ``encoded(as:version:)``.
    ///
    /// ```swift
    /// static func demote(_ document: inout ModelDocument, to version: Int) throws {
    ///     if version == 1 { document.rename("name", to: "title") }
    /// }
    /// ```
    ///
    /// - Throws: what refuses it; without an implementation ``ModelEncodingError`` with the reason
    ///   `noOlderVersion`.
    static func demote(_ document: inout ModelDocument, to version: Int) throws

    /// The stored attributes in declaration order: what a store makes columns of. Attributes that
    /// lie in one nested object (`@Attribute(name: "a.b")`) follow the first one of them.
    ///
    /// Built at each call; a ``ModelAttribute`` holds a key path. Stores call it once a type.
    static var modelAttributes: [ModelAttribute] { get }

    /// The name of the table: ``typeName``, unless `@Model(table:)` names another.
    static var modelTable: String { get }

    /// The indexes and unique groups of properties that `#Index` and `#Unique` declare.
    static var modelIndexes: [ModelIndex] { get }

    /// What becomes of a row whose value is deleted: what `@Model(deletion:)` says.
    static var modelDeletion: ModelDeletion { get }

    /// The name of the property that decides on which of several servers a row is: what
    /// `@Model(shardedBy:)` says. It is a part of the key. Nil where all rows are together.
    static var modelShard: String? { get }

    /// What becomes of fields that are not declared: what `@Model(unknownFields:)` says.
    static var unknownFieldsPolicy: UnknownPolicy { get }

    /// Whether the name that a document gives a value's type is kept where it is an alias, and written
    /// back: what `@Model(keepsTypeName:)` says.
    static var keepsTypeName: Bool { get }

    /// The identifier of a stored row, made of its key columns alone, so that a row which is no
    /// value of the model any more can still be named. Written for keys of several columns; nil for
    /// others.
    ///
    /// - Throws: ``ModelDecodingError`` when a key column holds something else.
    static func modelIdentifier(of row: ModelKeyRow) throws -> (any Hashable)?
}

extension Model {
    /// None unless the declaration gives some.
    public static var typeAliases: [String] { [] }

    /// The type's name.
    public static var modelTable: String { typeName }

    /// None unless the declaration gives some.
    public static var modelIndexes: [ModelIndex] { [] }

    /// The row is removed.
    public static var modelDeletion: ModelDeletion { .remove }

    /// All rows are together.
    public static var modelShard: String? { nil }

    /// An object, or what the column of a single value holds.
    @inlinable
    public static var documentKinds: DocumentKinds {
        columnType == .document ? .object : DocumentKinds(columnType)
    }

    /// Fields that are not declared are skipped.
    public static var unknownFieldsPolicy: UnknownPolicy { .skip }

    /// The type's name is written, whichever was read.
    public static var keepsTypeName: Bool { false }

    /// A key of one column is the identifier itself.
    public static func modelIdentifier(of row: ModelKeyRow) throws -> (any Hashable)? { nil }

    /// Models that are a single value (raw enums) have no attributes.
    public static var modelAttributes: [ModelAttribute] { [] }

    /// Version 1.
    public static var modelVersion: Int { 1 }

    /// Changes nothing.
    public static func migrate(_ document: inout ModelDocument, from version: Int) throws {}

    /// Always throws: there is no way down.
    public static func demote(_ document: inout ModelDocument, to version: Int) throws {
        throw ModelEncodingError(
            kind: .noOlderVersion,
            explanation: "\(Self.self) gives no way down to version \(version)"
        )
    }
}
