/// An element of a document that stands for itself as a value of `any P`, because its type is not
/// known or it could not be read as its type.
///
/// `@ModelProtocol(unknown: .preserve)` on `Asset` writes `struct UnknownAsset: Asset,
/// UnknownModel`. What the protocol asks for is answered from the document, or with
/// ``UnknownDefault/unknownDefault`` where it has nothing of the kind. Requirements that the macro
/// cannot answer (functions, settable and static properties, those of other parents) are answered
/// by hand, in an extension of `UnknownAsset`.
public protocol UnknownModel: Model, Hashable, Sendable {
    /// What was kept.
    var preserved: PreservedElement { get }
    /// Makes a value of what was kept. Called by generated code.
    init(preserved: PreservedElement)
}

extension UnknownModel {
    /// Empty: a preserved element is no type of its own. ``PreservedElement/typeName`` is the name
    /// in its document.
    public static var typeName: String { "" }

    /// Keeps whatever the reader stands at.
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

    /// Whether both hold the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.preserved == right.preserved
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(preserved)
    }
}
