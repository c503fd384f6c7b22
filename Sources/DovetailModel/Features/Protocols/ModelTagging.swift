/// Where a document says which conformer of a protocol a value is.
///
/// ```swift
/// @ModelProtocol(tagging: .adjacent(tag: "t", content: "c")) protocol Shape {}
/// @Model struct Circle: Shape { var radius: Double }
///
/// let shapes: [any Shape] = [Circle(radius: 1)]
/// try shapes.encoded(as: .json)       // [{"t":"Circle","c":{"radius":1}}]
/// ```
///
/// The forms are named as in [serde](https://serde.rs/enum-representations.html). A protocol that
/// says nothing has the tagging of its first parent that is a model protocol, or else ``internal``.
public enum ModelTagging: Hashable, Sendable {
    /// A field of the object itself: `{"$type":"Circle","radius":1}`. It may be anywhere in the
    /// object; it is written first, where it is found fastest. A value that is no object, such as a
    /// raw enum, cannot be written: the error is a ``ModelEncodingError`` with the reason
    /// `noObject`.
    case `internal`
    /// A field beside the value, which may be of any kind: `{"t":"Circle","c":{"radius":1}}`.
    /// Either field may come first; a value that comes before its tag is gone over twice.
    case adjacent(tag: String, content: String)
    /// The name of the one field around the value, which may be of any kind:
    /// `{"Circle":{"radius":1}}`.
    case external
}

/// What kind of value names a type in documents.
///
/// ```swift
/// @ModelProtocol(typeKey: "kind", tagKind: .integer) protocol Shape {}
/// @Model(typeName: "3") struct Circle: Shape { var radius: Double }
///
/// let shapes: [any Shape] = [Circle(radius: 1)]
/// try shapes.encoded(as: .json)       // [{"kind":3,"radius":1}]
/// ```
///
/// In external tagging it is the name of a field, so it is always a string there. A conformer whose
/// name is not of the kind cannot be written: the error is a ``ModelEncodingError`` with the reason
/// `notRepresentable`.
public enum ModelTagKind: Hashable, Sendable {
    /// A string.
    case string
    /// A whole number. The conformers are named by its digits: `@Model(typeName: "3")`.
    case integer
    /// True or false. The conformers are named by these words: `@Model(typeName: "true")`.
    case boolean
    /// A string, or a list of strings, as the `@type` of JSON-LD. In a list the first name counts
    /// that a conformer has. A property that is named like the type key keeps the list.
    case stringOrList

    /// Whether names are strings or lists of them, so that the fast paths may look for a string.
    var isText: Bool { self == .string || self == .stringOrList }
}

/// How the conformers of one protocol are told apart in documents: what `@ModelProtocol` says
/// together with what its parents say. A coding has it as ``ProtocolCoding/tagging``.
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

    /// Where documents have the name.
    public let form: Form
    /// The field that holds the name when it is written; without meaning for external tagging.
    public let typeKey: StaticString
    /// Further fields that may hold the name when it is read; they are never written.
    public let aliases: [StaticString]
    /// The field of the value in adjacent tagging; empty in other forms.
    public let content: StaticString
    /// What names are in documents.
    public let kind: ModelTagKind

    /// The tagging of protocols that say nothing: `$type` inside the object.
    public static let standard = ConformerTagging(inheriting: [])

    /// Makes the tagging of a protocol. A parameter that is nil is taken from the first parent that
    /// is a model protocol, or else from ``standard``. Called by generated code.
    ///
    /// - Parameter parents: the tagging of each parent; nil for one that is no model protocol.
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
        // Fields are inherited within one form only: the tag beside a content is no field of an
        // object.
        let inherited = parent.flatMap { $0.form == form ? $0 : nil }
        self.typeKey = typeKey ?? inherited?.typeKey ?? "$type"
        self.aliases = aliases ?? (typeKey == nil ? inherited?.aliases ?? [] : [])
        self.content = content ?? inherited?.content ?? ""
        self.kind = kind ?? parent?.kind ?? .string
    }
}
