/// An element of a document that was kept as it is, with what is known of it.
///
/// Two are equal when they hold equal documents with one type name.
public struct PreservedElement: Sendable {
    /// The element with all that says its type: members in their order, numbers with their text.
    /// When the type was named elsewhere (``ProtocolCoding/decode(_:as:typeName:)``) it is the
    /// content alone.
    public let document: ModelDocument
    /// Why the element was not read as a type of the program: an unknown name, or a value that is
    /// not as its type declares. Paths and lines in it start at the element; in a binary property
    /// list the path starts at the root.
    public let error: (any Error)?
    /// The name that stood outside of the document.
    private let outerName: String?
    /// How the document says its type; nil when it does not.
    private let tagging: ConformerTagging?

    /// Keeps a document that says nothing about its type.
    init(document: ModelDocument) {
        self.init(document: document, error: nil, tagging: nil)
    }

    init(
        document: ModelDocument,
        error: (any Error)?,
        tagging: ConformerTagging?,
        outerName: String? = nil
    ) {
        self.document = document
        self.error = error
        self.tagging = tagging
        self.outerName = outerName
    }

    /// The name of its type as the document has it; nil when it has none. Of a list of names it is
    /// the first one.
    ///
    /// - Complexity: linear in the number of members.
    public var typeName: String? {
        guard let tagging else { return outerName }
        if tagging.form == .external {
            return document.members.flatMap { $0.count == 1 ? $0[0].key : nil }
        }
        let tag = tagging.keys.lazy.compactMap { document[key: $0] }.first
        let name = tag?.arrayValue?.first ?? tag
        return name?.stringValue ?? name?.numberText
    }

    /// The value without what says its type: for internal tagging the object without the type key,
    /// else the value beside or inside of the tag; nil where there is none.
    ///
    /// - Complexity: linear in the number of members.
    public var content: ModelDocument? {
        guard let tagging else { return document }
        switch tagging.form {
        case .internal:
            guard let members = document.members else { return document }
            return .object(members.filter { !tagging.keys.contains($0.key) })
        case .adjacent: return document[key: tagging.content.description]
        case .external: return typeName.flatMap { document[key: $0] }
        }
    }

    /// Writes the value without what says its type.
    @usableFromInline
    func encodeContent(to writer: inout ModelWriter) throws {
        try (content ?? document).encode(to: &writer)
    }

    /// The element as a protocol writes it: the document as it was read where the protocol tells
    /// types apart in the same way, else the content with the name in the protocol's form.
    func document(taggedAs other: ConformerTagging) throws -> ModelDocument {
        if let tagging, tagging.hasForm(of: other) { return document }
        guard let typeName, let content else { return document }
        var name = ModelDocument.string(typeName)
        if other.kind == .integer, other.form != .external, let number = Int64(typeName) {
            name = .integer(number)
        } else if other.kind == .boolean, other.form != .external, let value = Bool(typeName) {
            name = .bool(value)
        }
        let tag = ModelDocument.Member(key: other.typeKey.description, value: name)
        switch other.form {
        case .internal:
            guard let members = content.members else {
                throw ModelEncodingError(
                    reason: .noObject,
                    explanation: "a preserved \(typeName) is no object, which its type key needs"
                )
            }
            // A field that is named like the type key is the type's own, and holds the name.
            let hasKey = members.contains { other.keys.contains($0.key) }
            return hasKey ? content : .object([tag] + members)
        case .adjacent:
            return .object([tag, .init(key: other.content.description, value: content)])
        case .external: return .object([.init(key: typeName, value: content)])
        }
    }
}

extension PreservedElement: Hashable {
    /// Whether both hold the same.
    public static func == (left: PreservedElement, right: PreservedElement) -> Bool {
        left.document == right.document && left.typeName == right.typeName
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(document)
        hasher.combine(typeName)
    }
}

extension ConformerTagging {
    /// The fields that may hold the name.
    fileprivate var keys: [String] { ([typeKey] + aliases).map(\.description) }

    /// Whether a document of the other one is one of this, too.
    fileprivate func hasForm(of other: ConformerTagging) -> Bool {
        guard form == other.form else { return false }
        return form == .external
            || kind == other.kind && keys == other.keys
                && content.description == other.content.description
    }
}
