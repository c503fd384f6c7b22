/// Makes a struct or an enum a model: it can be written to and read from documents, and a struct
/// with an `id` can be stored.
///
/// An enum with a raw type is written as its raw value, any other as an object with one field, which
/// is named after the case and holds its values: `{"circle":{"radius":2}}`.
///
/// - Parameters:
///   - naming: how names of properties, cases and labels become names in documents.
///   - typeName: the name of the type in documents and stores; the Swift name unless given.
///
/// A class has to be final. It is written and read like a struct.
@attached(member, names: named(init(modelValue:)), named(_$Types))
@attached(
    extension,
    conformances: ModelValue,
    Model,
    ModelKey,
    Identifiable,
    Sendable,
    Encodable,
    Decodable,
    names: named(typeName),
    named(modelAttributes),
    named(init(modelValue:)),
    named(encode(to:)),
    named(id),
    named(ID),
    named(_$registration),
    named(_$protocols)
)
public macro Model(naming: AttributeNaming = .asDeclared, typeName: String? = nil) =
    #externalMacro(module: "DovetailMacros", type: "ModelMacro")

/// Makes a protocol a model type: `any P` can stand in properties, in collections and at the root
/// of a document, and every conforming model is found with nothing to set up.
///
/// - Parameter typeKey: the field that holds a conformer's type name. A protocol without one has
///   its parent's, and else `$type`.
@attached(member, names: named(typeName), named(init(modelValue:)), named(encode(to:)))
@attached(peer, names: suffixed(Model), named(_dovetailCoding))
@attached(extension, names: named(encoded(as:)))
public macro ModelProtocol(typeKey: String? = nil) =
    #externalMacro(module: "DovetailMacros", type: "ModelProtocolMacro")

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
