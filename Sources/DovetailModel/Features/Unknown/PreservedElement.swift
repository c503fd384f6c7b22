/// An element of a document that was kept as it is, with what is known of it.
///
/// ```swift
/// let assets = try [any Asset](decoding: data, as: .json)
/// if let kept = (assets[0] as? UnknownAsset)?.preserved {
///     print(kept.typeName ?? "no type", kept.document)
///     if let error = kept.error { print(error) }
/// }
/// ```
///
/// An element is written back with every member in its order, and numbers with their text. Two are
/// equal when they have equal documents and the same type name; the error does not count.
public struct PreservedElement: Sendable {
    /// The element with all that says its type: members in their order, numbers with their text.
    /// When the type was named elsewhere (``ProtocolCoding/decode(_:as:typeName:)``) it is the
    /// content alone.
    public let document: ModelDocument
    /// Why the element was not read as a type of the program: an unknown name, or a value that is
    /// not as its type declares. Nil when it was read as its ``UnknownModel``.
    ///
    /// Path and line start at the element in JSON and in XML property lists. In a binary property
    /// list and in formats of your own the path starts at the root.
    public let error: (any Error)?
    /// The type's name, when it came from outside of the document.
    private let outerName: String?
    /// How the document says its type; nil when it does not. Not both of this and `outerName`.
    private let tagging: ConformerTagging?

    /// Keeps a document that says nothing about its type.
    /// See ``UnknownModel/init(modelValue:)``.
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

    /// The name of its type as the document has it, a number or truth value as text; nil when it
    /// has none. Of a list of names it is the first one.
    ///
    /// - Complexity: linear in the number of members.
    public var typeName: String? {
        guard let tagging, tagging.form != .untagged else { return outerName }
        if tagging.form == .external {
            return document.members.flatMap { $0.count == 1 ? $0[0].key : nil }
        }
        let tag = tagging.keys.lazy.compactMap { document[key: $0] }.first
        let name = tag?.arrayValue?.first ?? tag
        return name?.stringValue ?? name?.numberText
    }

    /// The value without what says its type: the object without its type key, the value beside the
    /// tag, or the value under the name, by the protocol's tagging; nil when there is none.
    ///
    /// ```swift
    /// kept.document       // {"$type":"Video","length":1.50}
    /// kept.content        // {"length":1.50}
    /// ```
    ///
    /// - Complexity: linear in the number of members.
    public var content: ModelDocument? {
        guard let tagging else { return document }
        switch tagging.form {
        case .internal:
            guard let members = document.members else { return document }
            return .object(members.filter { !tagging.keys.contains($0.key) })
        case .untagged: return document
        case .adjacent: return document[key: tagging.content.description]
        case .external: return typeName.flatMap { document[key: $0] }
        }
    }

    /// Writes the value without what says its type, or all of the document when that has no
    /// content.
    @usableFromInline
    func encodeContent(to writer: inout ModelWriter) throws {
        try (content ?? document).encode(to: &writer)
    }

    /// The element as a protocol with another tagging writes it. Where the forms are the same it is
    /// the document as it was read, otherwise the content with the name in the other form. A
    /// document without a name stays as it is.
    ///
    /// - Throws: ``ModelEncodingError`` with the kind `noObject` when the type key needs an
    ///   object and the content is none.
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
                    kind: .noObject,
                    explanation: "a preserved \(typeName) is no object, which its type key needs"
                )
            }
            // A field that is named like the type key is the type's own, and holds the name; or it is the
            // tag of a level, and the element has its own tag after it.
            guard members.contains(where: { other.keys.contains($0.key) }) else {
                return .object([tag] + members)
            }
            let key = other.typeKey.description
            let isBelow = tagging?.outer.contains { $0.key.description == key } ?? false
            return isBelow ? document : content
        case .adjacent:
            return .object([tag, .init(key: other.content.description, value: content)])
        case .external: return .object([.init(key: typeName, value: content)])
        case .untagged: return content
        }
    }
}

extension PreservedElement: Hashable {
    /// Whether both have equal documents and the same type name.
    ///
    /// - Complexity: linear in the size of the documents.
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

    /// Whether a document with the other tagging is one with this, too.
    fileprivate func hasForm(of other: ConformerTagging) -> Bool {
        guard form == other.form else { return false }
        return form == .external
            || kind == other.kind && keys == other.keys
                && content.description == other.content.description
    }
}
