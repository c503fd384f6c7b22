/// Makes a struct or a raw enum a model: it can be written to and read from documents, and a
/// struct with an `id` can be stored.
///
/// - Parameters:
///   - naming: how names of properties become names in documents.
///   - typeName: the name of the type in documents and stores; the Swift name unless given.
///   - aliases: names that are read as this type too, but never written.
@attached(
    extension,
    conformances: Model,
    ModelKey,
    Identifiable,
    Sendable,
    Encodable,
    Decodable,
    names: named(typeName),
    named(typeAliases),
    named(modelAttributes),
    named(init(modelValue:)),
    named(encode(to:)),
    named(id),
    named(ID),
    named(_$registration)
)
public macro Model(
    naming: AttributeNaming = .asDeclared,
    typeName: String? = nil,
    aliases: [String] = []
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
///   - tag: whether names are strings, whole numbers or lists of strings in documents.
///   - conformers: the only types that are taken, in any module; generic ones may be among them.
///     Without a list every `@Model` type that conforms is taken, but no generic one.
@attached(member, names: named(typeName), named(init(modelValue:)), named(encode(to:)))
@attached(peer, names: suffixed(Model), named(_dovetailCoding))
@attached(extension, names: named(encoded(as:)))
public macro ModelProtocol(
    typeKey: String? = nil,
    aliases: [String] = [],
    tagging: ModelTagging = .internal,
    tag: ModelTagKind = .string,
    conformers: Any.Type...
) = #externalMacro(module: "DovetailMacros", type: "ModelProtocolMacro")

/// Says more about a stored property of a model.
///
/// - Parameters:
///   - options: ``AttributeOption``s, such as `.primaryKey`.
///   - name: the name in documents and stores.
@attached(peer)
public macro Attribute(_ options: AttributeOption..., name: String? = nil) =
    #externalMacro(module: "DovetailMacros", type: "MarkerMacro")

/// Keeps a property out of documents and stores. It needs a default value.
@attached(peer)
public macro Transient() = #externalMacro(module: "DovetailMacros", type: "MarkerMacro")
