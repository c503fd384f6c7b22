public import Foundation

/// The coding of `any P` for a protocol with `@ModelProtocol`.
///
/// The macro writes a type beside the protocol that conforms (`AssetModel` for `Asset`). Properties
/// and collections use it without a word in the program. A program names it to read and write
/// single values, and for names of types from outside of the document:
///
/// ```swift
/// let asset = try AssetModel.decode(data, as: .json)
/// let event = try WebhookEventModel.decode(body, as: .json, typeName: "issues")
/// ```
public protocol ProtocolCoding: ModelCoding {
    /// How conformers are told apart in documents.
    static var tagging: ConformerTagging { get }
    /// The conformers, found at the first use. There is one table for each protocol.
    static var conformers: ConformerTable<Value> { get }
    /// The properties that the protocol requires, by which predicates name columns.
    static var requirements: ModelRequirements { get }
    /// The type of a value.
    static func modelType(of value: Value) -> Any.Type
    /// The name of a value's type in documents. For an element that was kept it is the name in its
    /// document, or the empty string when it has none.
    ///
    /// ```swift
    /// EventModel.typeName(of: event)      // "issues"
    /// ```
    static func typeName(of value: Value) -> String
    /// Writes a value without the name of its type.
    static func encodeContent(_ value: Value, to writer: inout ModelWriter) throws
    /// Reads a value whose type is known from elsewhere.
    static func decode(typeName name: String, from reader: inout ModelReader) throws -> Value
}

extension ProtocolCoding {
    /// An object, in every form of tagging but the one without tags.
    public static var documentKinds: DocumentKinds {
        tagging.form == .untagged ? .any : .object
    }

    /// Finds the conformer and lets it read the value.
    ///
    /// - Complexity: linear; what comes before the type key is gone over twice.
    /// - Throws: ``ModelDecodingError`` with the kind `unknownType` when there is no type key or
    ///   no conformer has the name, `ambiguousType` when several have it, and what the conformer
    ///   throws.
    @inlinable
    public static func decode(from reader: inout ModelReader) throws -> Value {
        try conformers.decode(from: &reader)
    }

    /// Lets the conformer of this name read the value.
    ///
    /// - Complexity: linear.
    /// - Throws: ``ModelDecodingError``, with the kind `unknownType` when no conformer has the
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
    /// - Throws: ``ModelEncodingError`` with the kind `noObject` for a value that cannot carry
    ///   the name, `unknownType` for a type that a closed list lacks, `typeKeyConflict` for a field
    ///   named like the type key that holds something else, `notRepresentable` for a name that the
    ///   kind of tag does not hold, and what the conformer throws.
    @inlinable
    public static func encode(_ value: Value, to writer: inout ModelWriter) throws {
        let conformer = try conformers.conformer(of: modelType(of: value))
        guard conformer._withUnsafeGuaranteedRef({ $0.isPlain }) else {
            return try encodeOnSlowPath(value, of: conformer, to: &writer)
        }
        writer.tagNextObject(conformer)
        try encodeContent(value, to: &writer)
        try writer.expectTagWritten()
    }

    /// The slow path of ``encode(_:to:)``: every form but a type key in an object that has no field
    /// of its name.
    @usableFromInline
    static func encodeOnSlowPath(
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
        if known.form == .untagged {
            let scope = writer.beginValue()
            try encodeContent(value, to: &writer)
            try writer.endValue(scope)
        } else if known.mergesTags {
            let content = try ModelWriter.tree { try encodeContent(value, to: &$0) }
            try known.putTags(into: content, among: conformers.names).encode(to: &writer)
        } else if writer.destination != .json, writer.destination != .row {
            try encodeThroughDocument(value, of: known, to: &writer)
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
    /// The same in property lists and in trees. With internal tagging the object is made as a
    /// ``ModelDocument`` first, where a field that is named like the type key can be removed.
    private static func encodeThroughDocument(
        _ value: Value,
        of conformer: Conformer,
        to writer: inout ModelWriter
    ) throws {
        guard conformer.isInternal else {
            let scope = try writer.beginObject()
            try writer.writeNonJSONContentTag(of: conformer)
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
    /// ```swift
    /// let asset = try AssetModel.decode(Data(#"{"$type":"ColorAsset","red":2}"#.utf8), as: .json)
    /// asset is ColorAsset     // true
    /// ```
    ///
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    @inlinable
    public static func decode(_ data: Data, as format: ModelFormat) throws -> Value {
        try ModelReader.decode(data, as: format) { try decode(from: &$0) }
    }

    /// Reads a conformer from a document in memory.
    ///
    /// ```swift
    /// let document = try ModelDocument(decoding: data, as: .json)
    /// let first = try AssetModel.decode(document["assets[0]"] ?? nil)
    /// ```
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelDecodingError`` with a path, but without line and column.
    @inlinable
    public static func decode(_ document: ModelDocument) throws -> Value {
        try ModelReader.decode(tree: document) { try decode(from: &$0) }
    }

    /// The document that a conformer is written as, with the name of its type.
    ///
    /// ```swift
    /// try AssetModel.document(of: asset)      // {"$type":"ColorAsset","red":2}
    /// ```
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError``, as encoding to a writer does.
    @inlinable
    public static func document(of value: Value) throws -> ModelDocument {
        try ModelWriter.tree { try encode(value, to: &$0) }
    }

    /// Reads a document whose type is known from elsewhere: a header, a column, a folder's name.
    ///
    /// The document itself is not asked, whatever the protocol's tagging.
    ///
    /// ```swift
    /// // The name comes from the header X-GitHub-Event.
    /// let event = try WebhookEventModel.decode(body, as: .json, typeName: "issues")
    /// ```
    ///
    /// - Parameter name: the name of a conformer, or an alias of it.
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError``, with the kind `unknownType` when no conformer has the
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
    /// ```swift
    /// let data = try AssetModel.encode(asset, as: .json)      // {"$type":"ColorAsset","red":2}
    /// ```
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError``, as encoding to a writer does, and for values that the format
    ///   has no form for.
    @inlinable
    public static func encode(_ value: Value, as format: ModelFormat) throws -> Data {
        try ModelWriter.encode(as: format) { try encode(value, to: &$0) }
    }

    /// Writes a document that does not say its type; keep ``typeName(of:)`` elsewhere.
    ///
    /// ```swift
    /// let name = EventModel.typeName(of: event)
    /// let body = try EventModel.encodeContent(event, as: .json)
    /// let again = try EventModel.decode(body, as: .json, typeName: name)
    /// ```
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
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
