/// Makes a struct, an enum or a class a model: it can be read from documents and written to
/// them, and a struct or class with an `id` can be stored.
///
/// ```swift
/// @Model(naming: .snakeCase) struct Owner: Identifiable {
///     var id: Int
///     var firstName: String
///     var pets: [any Pet] = []
/// }
/// let owner = try Owner(decoding: data, as: .json)    // {"id":1,"first_name":"Ada"}
/// ```
///
/// A stored property is a field of the document and a column of the table. The field of an optional
/// property, or of one with a default value, may be absent. A store makes this table of the model
/// above:
///
/// ```sql
/// CREATE TABLE "Owner" (
///     "id" INTEGER NOT NULL PRIMARY KEY,
///     "first_name" TEXT NOT NULL,
///     "pets" TEXT NOT NULL
/// ) STRICT
/// ```
///
/// An enum with a raw type is written as its raw value. Any other enum is written as an object with
/// one field, which is named after the case and holds its values: `{"circle":{"radius":2}}`.
///
/// The macro reads the declaration only: it sees no types of other files, no inherited properties
/// and no meaning of a `typealias`. What it cannot handle is an error at the line that causes it,
/// with a remedy.
///
/// - Complexity: the generated code reads a document in one pass and writes it in one.
/// - Parameters:
///   - naming: how names of properties, cases and labels become names in documents.
///     A raw enum of strings has its cases named so, where they give no raw value of their own.
///   - typeNaming: how the Swift name of the type becomes its name in documents and stores, where none
///     is given.
///   - omits: which values all attributes leave out of documents.
///   - typeName: the name of the type in documents and stores; the Swift name unless given.
///   - aliases: further names that documents may give this type, such as names that it had before.
///     They are never written.
///   - table: the name of the table in a store; that of the type unless given. An enum has none.
///   - unknownFields: what becomes of fields that a struct or class does not declare. `.skip`
///     passes over them, `.throw` refuses them with a ``ModelDecodingError`` that names the field,
///     and `.preserve` keeps them in a property `unknownFields` that the macro adds, of the type
///     ``UnknownFields``.
///   - version: the version of the type's shape. Above 1 it is written as `$version`, and documents
///     of older versions go through ``Model/migrate(_:from:)``.
///   - readsNewer: whether a document of a newer version is read with the fields that are known.
///     Otherwise it is refused with a ``ModelDecodingError`` whose reason is `futureVersion`.
///   - tagging: whether the case of an enum without a raw type is the name around its values,
///     `.external`, or told by the values alone, `.untagged`. Then a case with one value that has no
///     label is that value in documents, one with others is an object of them, and one without values
///     is null.
///   - payload: how an enum without a raw type writes a case with one value that has no label:
///     `.fields` as an object, `{"page":{"_0":"x"}}`, `.bare` as the value, `{"page":"x"}`.
///   - writesTypeKey: whether a struct is written with the type key of its model protocol, which has
///     internal tagging, also where its own type is declared. The key may be absent when it is read.
///   - keepsTypeName: whether an alias by which a document names the type is kept among the fields that
///     are not declared, and written back instead of the name.
///   - managed: whether a context keeps the instances of a class. It has no effect elsewhere.
///   - deletion: whether the row of a deleted value is removed, or stays with the date of its deletion
///     (``ModelDeletion``). A class says it for those that inherit from it.
///   - shardedBy: the property that decides on which of several servers a row is, as in `\.tenant`. It is a
///     part of the key, so every change and every fetch by key names it, and of every unique group. See
///     `Documentation/Scale.md`.
///
/// The instances of a class are managed objects, ``PersistentModel``: a context keeps one for each row.
/// It may have subclasses, each with `@Model` of its own, whose objects are in the table of the class
/// at the top. With `managed: false`, and where it is generic, a class is written and read like a struct,
/// and has to be final. A class that declares no initializer, and whose properties all have values, gets `init()`,
/// as it has without the macro.
///
/// A struct is read fastest when the macro can call its memberwise initializer. The compiler writes
/// one when the struct's own initializers are in an extension. The macro uses it when the defaults
/// are literals, `.member` expressions or empty collections. `Documentation/Architecture.md` has
/// the other conditions.
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
    naming: AttributeNaming = .asDeclared,
    typeNaming: AttributeNaming = .asDeclared,
    omits: OmittedValues = .nils,
    typeName: String? = nil,
    aliases: [String] = [],
    table: String? = nil,
    version: Int = 1,
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

/// What all models inside of a declaration say, unless they say something else themselves.
///
/// ```swift
/// @ModelDefaults(naming: .snakeCase, omits: .empty, unknownFields: .preserve)
/// enum API {
///     @Model struct Charge { var createdAt: Date; var lineItems: [String] }
///     @Model(naming: .asDeclared) struct Legacy { var createdAt: Date }
/// }
/// ```
///
/// Declarations further inside win over those around them. Models in extensions of the declaration are
/// not inside of it: a macro sees what is written around a model and nothing else. `unknownFields:`
/// holds for structs alone, and not for those that can be flattened. The parameters are those of ``Model(naming:typeNaming:omits:typeName:aliases:table:version:readsNewer:unknownFields:tagging:payload:writesTypeKey:keepsTypeName:managed:deletion:shardedBy:)``.
@attached(peer)
public macro ModelDefaults(
    naming: AttributeNaming = .asDeclared,
    typeNaming: AttributeNaming = .asDeclared,
    omits: OmittedValues = .nils,
    unknownFields: UnknownPolicy = .skip
) = #externalMacro(module: "DovetailMacros", type: "ModelDefaultsMacro")

/// Makes a protocol a model type: `any P` can be the type of a property, an element of a collection
/// or the root of a document. Every conforming model of the program is found with nothing to set
/// up.
///
/// ```swift
/// @ModelProtocol protocol Pet { var name: String { get } }
/// @Model struct Dog: Pet { var name: String }
/// @Model struct Parrot: Pet { var name: String; var words: Int }
///
/// let pets = try [any Pet](decoding: data, as: .json)     // [{"$type":"Dog","name":"Rex"}]
/// ```
///
/// The macro adds requirements that every model fulfils, and writes a type beside the protocol,
/// here `PetModel`, a ``ProtocolCoding``; for a protocol inside of `API` it is `API.PetModel`. With `unknown: .preserve` it also writes `UnknownPet`,
/// which holds an element that no conformer could read.
///
/// A protocol that refines a model protocol inherits from the first such parent what it does not
/// say itself: the type key, its aliases, the tagging and the kind of tag. It inherits neither the
/// policy for unknown elements nor the list of conformers.
///
/// - Complexity: the first use of `any P` looks at each conformance in the program once. After
///   that, finding the type of a value is one look-up by name.
/// - Parameters:
///   - typeKey: the field that holds a conformer's type name; `$type` unless given. A dot separates
///     nested objects, as in `@Attribute(name:)`: `"meta.kind"`.
///   - typeName: the name by which the protocol itself is a conformer of the one it refines, whose
///     key then leads to this one's: `{"object":"block","type":"paragraph"}`.
///   - default: the conformer that an object without a type key is read as. It is written with its
///     key.
///   - aliases: further names of that field when documents are read.
///   - tagging: whether the type's name is in the object, beside it or around it.
///   - tagKind: whether names are strings, whole numbers, booleans or lists of strings in documents.
///   - unknown: what becomes of elements of an unknown type, and of those that cannot be read.
///   - wrapper: whether a ``ProtocolWrapper`` is written beside the protocol, here `AnyPet`: a value
///     that generic models can hold, as `Page<AnyPet>`.
///   - conformers: the only types that are read and written as `any P`, from any module. They may
///     be generic. Without a list every `@Model` type that conforms is a conformer, and a generic
///     type cannot conform.
@attached(
    member,
    names: named(typeName),
    named(init(modelValue:)),
    named(encode(to:)),
    named(_boxed(from:)),
    named(_hasNoParameters)
)
@attached(peer, names: suffixed(Model), prefixed(Unknown), prefixed(Any))
@attached(extension, names: named(encoded(as:)), named(_dovetailCoding), arbitrary)
public macro ModelProtocol(
    typeKey: String? = nil,
    typeName: String? = nil,
    default: (any Model.Type)? = nil,
    aliases: [String] = [],
    tagging: ModelTagging = .internal,
    tagKind: ModelTagKind = .string,
    unknown: UnknownPolicy = .throw,
    wrapper: Bool = false,
    conformers: Any.Type...
) = #externalMacro(module: "DovetailMacros", type: "ModelProtocolMacro")

/// Says more about a stored property of a model, or names a case of an enum without a raw type.
///
/// ```swift
/// @Model struct Profile {
///     @Attribute(.primaryKey) var login: String
///     @Attribute(name: "profile.avatar.url", aliases: ["avatar"]) var avatar: URL?
///     @Attribute(.transformed(by: SecondsSince1970.self)) var createdAt: Date
///     @Attribute(unknown: .skip) var pets: [any Pet] = []
///     @Attribute(.unique, name: "e_mail") var email: String
///     @Attribute(.references(Team.self, deleteRule: .cascade)) var teamID: Team.ID
///     @Attribute(satisfies: \(any Account).accountID) var number: Int
///     @Attribute(.flattened, prefix: "billing_") var billing: Address?
/// }
/// ```
///
/// A macro sees the source and not values, so names have to be string literals and options have to
/// be written out. One `@Attribute` may have several options.
///
/// - Parameters:
///   - options: ``AttributeOption``s, such as `.primaryKey`; a case has none.
///   - originalName: the name that the property had in an earlier version. The schema keeps it; a
///     database that has a column of that name instead is refused with words that say so.
///   - hashModifier: what tells two versions of the property from each other. The schema keeps it.
///   - name: the name in documents and stores. A dot separates nested objects, `\.` is a dot:
///     `"profile.avatar.url"` is the field `url` of the object `avatar` in the object `profile`.
///     Reading takes an object that is absent or null for one without fields. Writing leaves out an
///     object whose fields are all left out. The column has the whole path as its name:
///     `"profile.avatar.url"`.
///   - aliases: further names or paths under which documents may have the value. Only `name` is
///     written. Two of these names in one document are an error, as a repeated field is.
///   - prefix: what is put before the names of the fields of a `.flattened` property. After a letter
///     or a digit a name begins with an upper-case letter then: `valueString`.
///   - unknown: replaces the protocol's policy for elements that are of an unknown type or cannot
///     be read. `.skip` works for the elements of any array, set or dictionary, `.preserve` only
///     where the protocol has this policy as well.
///   - satisfies: the requirement of a model protocol that the property stands for in queries over
///     `any P`, as a key path with the protocol: the model computes the required property from this
///     one. The types have to be equal, or differ in that the requirement is an optional of the
///     property's type, or in that one of the two is the raw value of the other. A stored property
///     that has the name of the requirement needs nothing.
@attached(peer)
public macro Attribute(
    _ options: AttributeOption...,
    originalName: String? = nil,
    hashModifier: String? = nil,
    name: String? = nil,
    aliases: [String] = [],
    prefix: String? = nil,
    unknown: UnknownPolicy? = nil,
    satisfies: AnyKeyPath? = nil
) = #externalMacro(module: "DovetailMacros", type: "MarkerMacro")

/// Marks the case of an enum that is read for every raw value that no other case has.
///
/// ```swift
/// @Model enum Status: Int { case open, closed; @Fallback case unknown = -1 }
/// ```
///
/// The case is written as its own raw value, here `-1`, so the unknown value is not kept. In an
/// enum without a raw type the case keeps the string and writes it back:
///
/// ```swift
/// @Model enum Status { case open, closed; @Fallback case other(String) }
/// ```
///
/// The cases of such an enum are strings in documents and text in columns. They have no values of
/// their own; `@Attribute(name:)` and `naming:` name them.
///
/// A value of another kind than the raw type's is still a ``ModelDecodingError``, and so is an
/// unknown name as the key of a dictionary.
@attached(peer)
public macro Fallback() = #externalMacro(module: "DovetailMacros", type: "MarkerMacro")

/// Keeps a property out of documents and stores. It needs a default value, unless it is a `var` of
/// an optional type.
///
/// ```swift
/// @Model struct Article {
///     var title: String
///     @Transient var isSelected = false
/// }
/// ```
@attached(peer)
public macro Transient() = #externalMacro(module: "DovetailMacros", type: "MarkerMacro")
