/// An element of a document as a value of `any P`, because its type is unknown or it could not be
/// read as its type. It is written back equal.
///
/// `@ModelProtocol(unknown: .preserve)` on `Asset` writes `struct UnknownAsset: Asset,
/// UnknownModel`:
///
/// ```swift
/// @ModelProtocol(unknown: .preserve) protocol Asset { var name: String { get } }
///
/// let assets = try [any Asset](decoding: data, as: .json)     // [{"$type":"Video","name":"v"}]
/// assets[0].name                                              // "v"
/// (assets[0] as? UnknownAsset)?.preserved.typeName            // "Video"
/// ```
///
/// Properties that the protocol asks for are answered from the document, or with
/// ``UnknownDefault/unknownDefault`` where it has no such value. The macro cannot answer functions,
/// settable and static properties, and the requirements of parents without this policy. Those have
/// a default in the protocol, or are written by hand: `extension UnknownAsset { func draw() {} }`.
public protocol UnknownModel: Model, Hashable, Sendable {
    /// The element, and why it was kept.
    var preserved: PreservedElement { get }
    /// Makes a value of what was kept. Called by generated code.
    init(preserved: PreservedElement)
}

extension UnknownModel {
    /// Empty: a preserved element is no type of its own. ``PreservedElement/typeName`` is the name
    /// in its document.
    public static var typeName: String { "" }

    /// Keeps the value under the cursor, whatever it is, without an error to tell why.
    ///
    /// - Complexity: linear in the length of the value's text.
    /// - Throws: ``ModelDecodingError`` for what is no value of the format.
    public init(modelValue reader: inout ModelReader) throws {
        let document = try ModelDocument(modelValue: &reader)
        self.init(preserved: PreservedElement(document: document))
    }

    /// Writes the element as it was read.
    ///
    /// - Complexity: linear in the size of the element.
    /// - Throws: ``ModelEncodingError`` for what the writer's format has no form for.
    public func encode(to writer: inout ModelWriter) throws {
        try preserved.document.encode(to: &writer)
    }

    /// Whether both have equal documents and the same type name.
    public static func == (left: Self, right: Self) -> Bool {
        left.preserved == right.preserved
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(preserved)
    }
}
