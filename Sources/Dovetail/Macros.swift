/// Makes a struct or an enum a model: it can be written to and read from documents, and a struct
/// with an `id` can be stored.
///
/// An enum with a raw type is written as its raw value, any other as an object with one field, which
/// is named after the case and holds its values: `{"circle":{"radius":2}}`.
///
/// - Parameters:
///   - naming: how names of properties, cases and labels become names in documents.
///   - typeName: the name of the type in documents and stores; the Swift name unless given.
///   - aliases: names that are read as this type too, but never written.
///   - unknownFields: what becomes of fields that a struct or class does not declare: they are
///     passed over, refused with an error that names the field, or kept in a property
///     `unknownFields` that the macro adds, ``UnknownFields``.
///   - version: the version of the type's shape. Above 1 it is written as `$version`, and documents
///     of older versions go through ``Model/migrate(_:from:)``.
///   - readsNewer: whether documents of a newer version are read with what is known of them instead
///     of refused.
///
/// A class has to be final. It is written and read like a struct.
///
/// A struct is read fastest when its own initializers stand in an extension and its defaults are
/// literals, so that it keeps the memberwise initializer of the compiler.
@attached(
    member,
    names: named(init(modelValue:)),
    named(_$Types),
    named(unknownFields)
)
@attached(
    extension,
    conformances: ModelValue,
    Model,
    ModelKey,
    KeyedModel,
    RawModel,
    names: named(typeName),
    named(typeAliases),
    named(modelVersion),
    named(modelAttributes),
    named(columnType),
    named(unknownFieldsPolicy),
    named(init(modelValue:)),
    named(encode(to:)),
    named(id),
    named(ID),
    named(modelIdentifier(of:)),
    named(_$keep),
    named(_isRegistered),
    named(_hasHooks)
)
public macro Model(
    naming: AttributeNaming = .asDeclared,
    typeName: String? = nil,
    aliases: [String] = [],
    version: Int = 1,
    readsNewer: Bool = false,
    unknownFields: UnknownPolicy = .skip
) =
    #externalMacro(module: "DovetailMacros", type: "ModelMacro")

/// Makes a protocol a model type: `any P` can stand in properties, in collections and at the root
/// of a document, and every conforming model is found with nothing to set up.
///
/// A refined protocol has what it does not say itself from its first parent that is a model
/// protocol; a closed list is not handed down.
///
/// - Parameters:
///   - typeKey: the field that holds a conformer's type name; `$type` unless given.
///   - aliases: further names of that field when documents are read.
///   - tagging: whether the type's name stands in the object, beside it or around it.
///   - tag: whether names are strings, whole numbers, booleans or lists of strings in documents.
///   - unknown: what becomes of elements of an unknown type, and of those that cannot be read. Not
///     handed down to protocols that refine this one.
///   - conformers: the only types that are taken, in any module; generic ones may be among them.
///     Without a list every `@Model` type that conforms is taken, but no generic one.
@attached(
    member,
    names: named(typeName),
    named(init(modelValue:)),
    named(encode(to:)),
    named(_boxed(from:)),
    named(_isRegistered)
)
@attached(peer, names: suffixed(Model), prefixed(Unknown), named(_dovetailCoding))
@attached(extension, names: named(encoded(as:)), arbitrary)
public macro ModelProtocol(
    typeKey: String? = nil,
    aliases: [String] = [],
    tagging: ModelTagging = .internal,
    tag: ModelTagKind = .string,
    unknown: UnknownPolicy = .throw,
    conformers: Any.Type...
) = #externalMacro(module: "DovetailMacros", type: "ModelProtocolMacro")

/// Says more about a stored property of a model, or names a case of an enum without a raw type.
///
/// - Parameters:
///   - options: ``AttributeOption``s, such as `.primaryKey`; a case has none.
///   - name: the name in documents and stores. A dot separates nested objects, `\.` is a dot:
///     `"profile.avatar.url"` is the field `url` of the object `avatar` in the object `profile`. An
///     object that is absent or null is one without fields; one whose fields are all left out is
///     not written. The column is named by the whole path, `"profile.avatar.url"`.
///   - aliases: further names or paths under which documents may have the value. Only `name` is
///     written; two of them in one document are a repeated field.
///   - unknown: what becomes of elements of a model protocol that are of an unknown type or cannot
///     be read, other than the protocol says. `.skip` works for the elements of any array, set or
///     dictionary, `.preserve` where the protocol says it too.
@attached(peer)
public macro Attribute(
    _ options: AttributeOption...,
    name: String? = nil,
    aliases: [String] = [],
    unknown: UnknownPolicy? = nil
) = #externalMacro(module: "DovetailMacros", type: "MarkerMacro")

/// Marks the case of an enum with a raw type that stands for raw values which no case has.
///
/// ```swift
/// @Model enum Status: Int { case open, closed; @Fallback case unknown = -1 }
/// ```
///
/// In an enum without a raw type the case keeps the string that no case has and writes it back:
///
/// ```swift
/// @Model enum Status { case open, closed; @Fallback case other(String) }
/// ```
///
/// The cases are strings then, and have no values; `@Attribute(name:)` and `naming:` name them.
///
/// A value of another kind than the raw type's is an error still, and so is an unknown name as the
/// key of a dictionary. The case is written as its own raw value.
@attached(peer)
public macro Fallback() = #externalMacro(module: "DovetailMacros", type: "MarkerMacro")

/// Keeps a property out of documents and stores. It needs a default value.
@attached(peer)
public macro Transient() = #externalMacro(module: "DovetailMacros", type: "MarkerMacro")
