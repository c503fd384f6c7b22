public import Foundation

/// The coding of `any P` for a protocol with `@ModelProtocol`.
///
/// The macro writes the conformance beside the protocol, as a type named after it (`AssetModel` for
/// `Asset`). It also reads and writes whole documents:
///
/// ```swift
/// let asset = try AssetModel.decode(data, as: .json)
/// let event = try WebhookEventModel.decode(body, as: .json, typeName: "issues")
/// ```
public protocol ProtocolCoding: ModelCoding {
    /// How conformers are told apart in documents.
    static var tagging: ConformerTagging { get }
    /// The conformers, found once.
    static var conformers: ConformerTable<Value> { get }
    /// The type of a value.
    static func modelType(of value: Value) -> Any.Type
    /// The name that stands for a value's type in documents.
    static func typeName(of value: Value) -> String
    /// Writes a value without saying its type.
    static func encodeContent(_ value: Value, to writer: inout ModelWriter) throws
    /// Reads a value whose type is known from elsewhere.
    static func decode(typeName name: String, from reader: inout ModelReader) throws -> Value
}

extension ProtocolCoding {
    /// Finds the conformer and lets it read the value.
    ///
    /// - Complexity: linear; what stands before the type key is gone over twice.
    /// - Throws: ``ModelDecodingError`` without a known type, and what the conformer throws.
    @inlinable
    public static func decode(from reader: inout ModelReader) throws -> Value {
        try conformers.decode(from: &reader)
    }

    /// Lets the conformer of this name read the value.
    ///
    /// - Complexity: linear.
    /// - Throws: ``ModelDecodingError``, with the reason `unknownType` when no conformer has the
    ///   name.
    @inlinable
    public static func decode(
        typeName name: String,
        from reader: inout ModelReader
    ) throws -> Value {
        try conformers.decode(typeName: name, from: &reader)
    }

    /// Writes a value together with the name of its type.
    ///
    /// - Throws: ``ModelEncodingError`` for a value that cannot carry the name, and what the
    ///   conformer throws.
    @inlinable
    public static func encode(_ value: Value, to writer: inout ModelWriter) throws {
        let conformer = try conformers.names.conformer(of: modelType(of: value))
        guard conformer._withUnsafeGuaranteedRef({ $0.isPlain }) else {
            return try encodeUnusual(value, of: conformer, to: &writer)
        }
        writer.tagNextObject(conformer)
        try encodeContent(value, to: &writer)
        try writer.expectTagWritten()
    }

    /// All forms but the type key in an object that has no field of its name.
    @usableFromInline
    static func encodeUnusual(
        _ value: Value,
        of conformer: Unmanaged<Conformer>,
        to writer: inout ModelWriter
    ) throws {
        let known = conformer.takeUnretainedValue()
        if let failure = known.failure { throw failure }
        if known.isUnknown, let unknown = value as? any UnknownModel {
            let document = try unknown.preserved.document(taggedAs: conformers.names.tagging)
            return try document.encode(to: &writer)
        }
        if writer.destination != .json, writer.destination != .row {
            try encodeUnusualPropertyList(value, of: known, to: &writer)
        } else if known.isInternal {
            let scope = writer.beginValue()
            writer.tagNextObject(conformer)
            try encodeContent(value, to: &writer)
            try writer.expectTagWritten()
            if known.declaresTypeKey {
                try writer.mergeTypeKey(of: known, among: conformers.names, from: scope)
            }
            try writer.expectNoRefusedCase(of: known, from: scope)
            try writer.endValue(scope)
        } else {
            let scope = try writer.beginObject()
            writer.append(known.token)
            try writer.writeContent(of: known, among: conformers.names) {
                try encodeContent(value, to: &$0)
            }
            try writer.endObject(scope)
        }
    }
}

extension ProtocolCoding {
    /// The same in property lists. A field that is named like the type key is found in a document
    /// of the object.
    private static func encodeUnusualPropertyList(
        _ value: Value,
        of conformer: Conformer,
        to writer: inout ModelWriter
    ) throws {
        guard conformer.isInternal else {
            let scope = try writer.beginObject()
            try writer.writeOtherContentTag(of: conformer)
            try writer.writeContent(of: conformer, among: conformers.names) {
                try encodeContent(value, to: &$0)
            }
            return try writer.endObject(scope)
        }
        var part = ModelWriter(
            treeWithin: writer.remainingDepth,
            isPropertyList: writer.isPropertyList
        )
        part.tagNextObject(.passUnretained(conformer))
        try encodeContent(value, to: &part)
        try part.expectTagWritten()
        let document = part.finishTree()
        try document.expectNoRefusedCase(of: conformer, among: conformers.names)
        try document.mergingTypeKey(of: conformer, among: conformers.names).encode(to: &writer)
    }
}

// Whole documents.

extension ProtocolCoding {
    /// Reads a document that is one conformer.
    ///
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    @inlinable
    public static func decode(_ data: Data, as format: ModelFormat) throws -> Value {
        try ModelReader.decode(data, as: format) { try decode(from: &$0) }
    }

    /// Reads a document whose type is known from elsewhere: a header, a column, a folder's name.
    ///
    /// The document itself is not asked, whatever the protocol's tagging.
    ///
    /// - Parameter name: the name of a conformer, or an alias of it.
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError``, with the reason `unknownType` when no conformer has the
    ///   name.
    @inlinable
    public static func decode(
        _ data: Data,
        as format: ModelFormat,
        typeName name: String
    ) throws -> Value {
        try ModelReader.decode(data, as: format) {
            try decode(typeName: name, from: &$0)
        }
    }

    /// Writes a document that is one conformer with the name of its type.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for values that have no form.
    @inlinable
    public static func encode(_ value: Value, as format: ModelFormat) throws -> Data {
        try ModelWriter.encode(as: format) { try encode(value, to: &$0) }
    }

    /// Writes a document that does not say its type; keep ``typeName(of:)`` elsewhere.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for values that have no form.
    @inlinable
    public static func encodeContent(_ value: Value, as format: ModelFormat) throws -> Data {
        try ModelWriter.encode(as: format) { writer in
            guard let unknown = value as? any UnknownModel else {
                return try encodeContent(value, to: &writer)
            }
            try unknown.preserved.encodeContent(to: &writer)
        }
    }
}
