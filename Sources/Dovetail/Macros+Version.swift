/// Makes a struct, enum or class a model, as the macro of the same name does, with the version first: of all
/// parameters these two are the ones that many models of one program share.
///
/// ```swift
/// @Model(version: 2, naming: .snakeCase)
/// struct Person { var fullName: String }
/// ```
///
/// - Parameters:
///   - version: the version of the form in documents.
///   - naming: how names of properties become names in documents.
@attached(
    member,
    conformances: _ManagedRoot,
    names: named(init(modelValue:)),
    named(init(_$fields:)),
    named(init()),
    named(_$Types),
    named(unknownFields),
    named(persistentBacking),
    named(modelRelationships),
    named(_$take),
    named(CodingKeys),
    named(typeName),
    named(typeAliases),
    named(modelAttributes),
    named(modelDeletion),
    named(modelIndexes),
    named(modelClass),
    named(modelSuperclass),
    named(_$Inherited),
    named(modelIdentity),
    named(encode(to:)),
    named(_$encodeFields),
    named(_$link)
)
@attached(memberAttribute)
@attached(
    extension,
    conformances: ModelValue,
    Model,
    _RawEnum,
    KeyedModel,
    _RawFraction,
    _ManagedRoot,
    ManagedModel,
    PersistentModel,
    names: named(typeName),
    named(typeAliases),
    named(modelVersion),
    named(modelAttributes),
    named(modelTable),
    named(modelDeletion),
    named(modelShard),
    named(modelIndexes),
    named(columnType),
    named(documentKinds),
    named(readsNull),
    named(keepsTypeName),
    named(modelKey),
    named(_fallback),
    named(init(modelKey:)),
    named(_$shapes),
    named(unknownFieldsPolicy),
    named(init(modelValue:)),
    named(encode(to:)),
    named(id),
    named(ID),
    named(modelIdentifier(of:)),
    named(_$keep),
    named(_hasNoParameters),
    named(_hasHooks),
    named(hiddenKey),
    named(modelRoot),
    named(_$link),
    named(_$names)
)
public macro Model(
    version: Int,
    naming: AttributeNaming,
    typeNaming: AttributeNaming = .asDeclared,
    omits: OmittedValues = .nils,
    typeName: String? = nil,
    aliases: [String] = [],
    table: String? = nil,
    readsNewer: Bool = false,
    unknownFields: UnknownPolicy = .skip,
    tagging: CaseTagging = .external,
    payload: CasePayload = .fields,
    writesTypeKey: Bool = false,
    keepsTypeName: Bool = false,
    managed: Bool = true,
    deletion: ModelDeletion = .remove,
    shardedBy: KeyPath<ModelColumns, ModelColumn> = \.none
) =
    #externalMacro(module: "DovetailMacros", type: "ModelMacro")
