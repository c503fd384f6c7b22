/// Where a document says which conformer of a protocol a value is:
/// `@ModelProtocol(tagging: .adjacent(tag: "t", content: "c"))`.
public enum ModelTagging: Hashable, Sendable {
    /// A field of the object itself: `{"$type":"Circle","radius":1}`.
    case `internal`
    /// A field beside the value, which may be of any kind: `{"t":"Circle","c":{"radius":1}}`.
    case adjacent(tag: String, content: String)
    /// The name of the one field around the value, which may be of any kind:
    /// `{"Circle":{"radius":1}}`.
    case external
}

/// What names of types are in documents: `@ModelProtocol(typeKey: "kind", tag: .integer)`.
public enum ModelTagKind: Hashable, Sendable {
    /// A string.
    case string
    /// A whole number. The conformers are named by its digits: `@Model(typeName: "3")`.
    case integer
    /// True or false. The conformers are named by these words: `@Model(typeName: "true")`.
    case boolean
    /// A string, or a list of strings of which the first counts that a conformer has (JSON-LD). A
    /// property that is named like the type key keeps the list.
    case stringOrList

    /// Whether names are strings, or lists of them.
    var isText: Bool { self == .string || self == .stringOrList }
}

/// How the conformers of one protocol are told apart in documents: what `@ModelProtocol` says
/// together with what its parents say.
public struct ConformerTagging: Sendable {
    /// Which of the forms of ``ModelTagging`` it is.
    public enum Form: Hashable, Sendable {
        /// ``ModelTagging/internal``
        case `internal`
        /// ``ModelTagging/adjacent(tag:content:)``
        case adjacent
        /// ``ModelTagging/external``
        case external
    }

    /// Where the name stands.
    public let form: Form
    /// The field that holds the name when it is written; without meaning for external tagging.
    public let typeKey: StaticString
    /// Further fields that may hold the name when it is read.
    public let aliases: [StaticString]
    /// The field of the value in adjacent tagging.
    public let content: StaticString
    /// What names are in documents.
    public let kind: ModelTagKind

    /// The tagging of protocols that say nothing: `$type` inside the object.
    public static let standard = ConformerTagging(inheriting: [])

    /// What is nil is that of the first parent that is a model protocol. Called by generated code.
    public init(
        inheriting parents: [ConformerTagging?],
        typeKey: StaticString? = nil,
        aliases: [StaticString]? = nil,
        form: Form? = nil,
        content: StaticString? = nil,
        kind: ModelTagKind? = nil
    ) {
        let parent = parents.lazy.compactMap { $0 }.first
        let form = form ?? parent?.form ?? .internal
        self.form = form
        // A parent's tag that stands beside the content is no field of the object.
        let inherited = parent.flatMap { $0.form == form ? $0 : nil }
        self.typeKey = typeKey ?? inherited?.typeKey ?? "$type"
        self.aliases = aliases ?? (typeKey == nil ? inherited?.aliases ?? [] : [])
        self.content = content ?? inherited?.content ?? ""
        self.kind = kind ?? parent?.kind ?? .string
    }
}
