/// A declared model: a struct, enum or class with `@Model`.
///
/// Conformance is written by the macro. Extend this protocol to give every model of a program a
/// new member.
public protocol Model: ModelValue {
    /// The name that stands for this type in documents and stores.
    ///
    /// It is the Swift name without the enclosing types unless `@Model(typeName:)` says otherwise,
    /// so renaming a Swift type need not change a file or a table.
    static var typeName: String { get }

    /// Names that stand for this type when a document is read, but are not written: those it had
    /// before. `@Model(aliases:)` gives them.
    static var typeAliases: [String] { get }

    /// The version of the model's shape, which `@Model(version:)` gives; 1 unless it does.
    ///
    /// Above 1 it is written as the field `$version` of the model's object.
    static var modelVersion: Int { get }

    /// Changes a document of `version` into one of `version + 1`.
    ///
    /// Called before an older document is read, once a step, from its version to the one before
    /// ``modelVersion``. The document is the model's own object, without its type key and
    /// `$version`; models inside of it migrate themselves afterwards, each by its own version.
    ///
    /// Without an implementation, or for steps that it passes over, nothing is changed, which is
    /// right where attributes with defaults were added.
    ///
    /// - Throws: what refuses the document; it arrives as a ``ModelDecodingError``.
    static func migrate(_ document: inout ModelDocument, from version: Int) throws

    /// Changes a document of `version + 1` back into one of `version`, for programs that know no
    /// newer one. See ``encoded(as:version:)``.
    ///
    /// - Throws: what refuses it; without an implementation ``ModelEncodingError`` with the reason
    ///   `noOlderVersion`.
    static func demote(_ document: inout ModelDocument, to version: Int) throws

    /// The stored attributes in declaration order: what a store makes columns of. Attributes that
    /// lie in one nested object (`@Attribute(name: "a.b")`) follow the first one of them.
    ///
    /// Built at each call; a ``ModelAttribute`` holds a key path. Stores call it once a type.
    static var modelAttributes: [ModelAttribute] { get }

    /// What becomes of fields that are not declared: what `@Model(unknownFields:)` says.
    static var unknownFieldsPolicy: UnknownPolicy { get }

    /// The identifier of a stored row, made of its key columns and nothing else, so that a row which
    /// is no value of the model any more can still be named. Written for keys of several columns;
    /// nil for others.
    ///
    /// - Throws: ``ModelDecodingError`` when a key column holds something else.
    static func modelIdentifier(of row: ModelKeyRow) throws -> (any Hashable)?
}

extension Model {
    /// None unless the declaration gives some.
    public static var typeAliases: [String] { [] }

    /// Fields that are not declared are passed over.
    public static var unknownFieldsPolicy: UnknownPolicy { .skip }

    /// A key of one column is the identifier itself.
    public static func modelIdentifier(of row: ModelKeyRow) throws -> (any Hashable)? { nil }

    /// Models that are a single value (raw enums) have no attributes.
    public static var modelAttributes: [ModelAttribute] { [] }

    /// The first one.
    public static var modelVersion: Int { 1 }

    /// Changes nothing.
    public static func migrate(_ document: inout ModelDocument, from version: Int) throws {}

    /// There is no way down.
    public static func demote(_ document: inout ModelDocument, to version: Int) throws {
        throw ModelEncodingError(
            reason: .noOlderVersion,
            explanation: "\(Self.self) gives no way down to version \(version)"
        )
    }
}
