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
    /// Nowhere: `{"radius":1}`. The conformers are listed by `conformers:`. The kind of the value says
    /// which can be meant, then the fields that they want; then they are tried in the order of the
    /// list. The error of a value that is none of them says of each why not.
    case untagged
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
    /// A string, a number or a truth value, whichever the name looks like:
    /// `@Model(typeName: "1.1")` is the number 1.1, and `@Model(typeName: "circle")` a string. A
    /// string is read for each of them.
    case scalar

    /// Whether names may be strings, so that the fast paths may look for one.
    var isText: Bool { self == .string || self == .stringOrList || self == .scalar }
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
        /// ``ModelTagging/untagged``
        case untagged
    }

    /// Where documents have the name.
    public let form: Form
    /// The field that holds the name when it is written; without meaning for external tagging.
    public let typeKey: StaticString
    /// The names inside of the type key, where it is a path: `kind` of `meta.kind`.
    let path: [StaticString]
    /// The tags of the protocols above, of which this one is a conformer; the outermost is first.
    let outer: [OuterTag]
    /// Whether a protocol above has a tagging that a level cannot be in.
    let isMisplaced: Bool
    /// Further fields that may hold the name when it is read; they are never written.
    public let aliases: [StaticString]
    /// The field of the value in adjacent tagging; empty in other forms.
    public let content: StaticString
    /// What names are in documents.
    public let kind: ModelTagKind

    /// Whether the name may be a string in a field of the object, so that the fast paths may look for
    /// it by its bytes.
    var hasTextKey: Bool { kind.isText && path.isEmpty }

    /// The tagging of protocols that say nothing: `$type` inside the object.
    public static let standard = ConformerTagging(inheriting: [])

    /// Makes the tagging of a protocol. A parameter that is nil is taken from the first parent that
    /// is a model protocol, or else from ``standard``. Called by generated code.
    ///
    /// - Parameters:
    ///   - parents: the tagging of each parent; nil for one that is no model protocol.
    ///   - path: the names inside of the type key.
    ///   - level: the name as a conformer of the first parent.
    public init(
        inheriting parents: [ConformerTagging?],
        typeKey: StaticString? = nil,
        path: [StaticString]? = nil,
        level: StaticString? = nil,
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
        self.path = path ?? (typeKey == nil ? inherited?.path ?? [] : [])
        var outer = parent?.outer ?? []
        if let level, let parent {
            let (key, aliases) = (parent.typeKey, parent.aliases)
            outer.append(OuterTag(key: key, aliases: aliases, name: level, kind: parent.kind))
        }
        self.outer = outer
        isMisplaced =
            parent?.isMisplaced ?? false
            || level != nil && (form != .internal || parent?.form != .internal)
            || !outer.isEmpty && (form != .internal || parent?.path.isEmpty == false)
        self.aliases = aliases ?? (typeKey == nil ? inherited?.aliases ?? [] : [])
        self.content = content ?? inherited?.content ?? ""
        self.kind = kind ?? parent?.kind ?? .string
    }
}
