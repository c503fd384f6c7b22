/// Makes a struct or an enum a model whose fields may stand among those of another one, where a property
/// of the type has `@Attribute(.flattened)`.
///
/// ```swift
/// @Model(flattenable: true) struct LayerHead { var name: String; var opacity = 1.0 }
/// @Model(flattenable: true) enum Value { case string(String), quantity(Quantity) }
///
/// @Model struct TextLayer {
///     @Attribute(.flattened) var head: LayerHead
///     @Attribute(.flattened, prefix: "value") var value: Value?
///     var text: String
/// }
/// // {"name":"Title","opacity":1,"valueString":"x","text":"Hello"}
/// ```
///
/// The macro writes a ``FlattenableModel``, which has slots for its fields. Each case of an enum is one
/// field, and has one value without a label, which is written bare, also where the enum is alone:
/// `{"string":"x"}`. What the object says beside the fields belongs to the model around it: the version,
/// and fields that are not declared.
///
/// - Complexity: as any other model; a field of a flattened one is asked for in each of them.
/// - Parameters:
///   - flattenable: whether it can be flattened.
///   - naming: how names of properties and cases become names in documents. That of the model around it
///     changes nothing.
///   - typeName: the name of the type in documents and stores; the Swift name unless given.
///   - aliases: further names that documents may give this type.
///   - table: the name of the table in a store, where a struct has one of its own.
///   - version: 1. The model around it has the version.
///   - readsNewer: the same.
///   - unknownFields: what becomes of fields that are not declared where the model is alone: they are
///     skipped, or refused with `.throw`.
@attached(
    member,
    names: named(_$Types),
    named(unknownFields)
)
@attached(
    extension,
    conformances: ModelValue,
    Model,
    KeyedModel,
    FlattenableModel,
    names: named(typeName),
    named(typeAliases),
    named(modelVersion),
    named(modelAttributes),
    named(modelTable),
    named(modelIndexes),
    named(unknownFieldsPolicy),
    named(init),
    named(encode(to:)),
    named(encodeFields(to:names:)),
    named(id),
    named(ID),
    named(modelIdentifier(of:)),
    named(FieldSlots),
    named(flattenedFields),
    named(flattenedAttributes),
    named(_$names),
    named(_$keep),
    named(_hasNoParameters),
    named(_hasHooks)
)
public macro Model(
    flattenable: Bool,
    naming: AttributeNaming = .asDeclared,
    typeNaming: AttributeNaming = .asDeclared,
    omits: OmittedValues = .nils,
    typeName: String? = nil,
    aliases: [String] = [],
    table: String? = nil,
    version: Int = 1,
    readsNewer: Bool = false,
    unknownFields: UnknownPolicy = .skip
) =
    #externalMacro(module: "DovetailMacros", type: "ModelMacro")
