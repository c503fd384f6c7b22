public import Foundation

// Whole documents: the entry points that generated code is reached through.

extension ModelValue {
    /// Reads a document.
    ///
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    @inlinable
    public init(decoding data: Data, as format: ModelFormat) throws {
        self = try ModelReader.decode(data, as: format) { try Self(modelValue: &$0) }
    }

    /// Writes a document.
    ///
    /// - Parameter type: leave it out. It keeps this form to concrete types: a value that is
    ///   declared as `any P` of a model protocol is written with its type key instead.
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
    @inlinable
    public func encoded(as format: ModelFormat, _ type: Self.Type = Self.self) throws -> Data {
        try ModelWriter.encode(as: format) { try self.encode(to: &$0) }
    }

    /// Writes a document, for values whose type is only known at run time: `any Model`.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
    @_disfavoredOverload
    @inlinable
    public func encoded(as format: ModelFormat) throws -> Data {
        try ModelWriter.encode(as: format) { try self.encode(to: &$0) }
    }
}

extension Array where Element: ModelValue {
    /// Reads a document that is an array.
    ///
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    @inlinable
    public init(decoding data: Data, as format: ModelFormat) throws {
        self = try ModelReader.decode(data, as: format) { try Self(modelValue: &$0) }
    }

    /// Writes a document that is an array.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
    @inlinable
    public func encoded(as format: ModelFormat) throws -> Data {
        try ModelWriter.encode(as: format) { try self.encode(to: &$0) }
    }
}

extension Array {
    /// Reads a document that is an array of conformers of a model protocol.
    ///
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    public init(
        decoding data: Data,
        as format: ModelFormat,
        by table: ModelTable<Element> = #_modelTable
    ) throws {
        self = try ModelReader.decode(data, as: format) { try table.decodeArray(&$0) }
    }

    /// Writes a document that is an array of conformers of a model protocol.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
    public func encoded(
        as format: ModelFormat,
        by table: ModelTable<Element> = #_modelTable
    ) throws -> Data {
        try ModelWriter.encode(as: format) { try table.encodeArray(self, &$0) }
    }
}

extension Dictionary where Key: ModelKey, Value: ModelValue {
    /// Reads a document that is an object whose members are all of one kind.
    ///
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    @inlinable
    public init(decoding data: Data, as format: ModelFormat) throws {
        self = try ModelReader.decode(data, as: format) { try Self(modelValue: &$0) }
    }

    /// Writes an object, its members in the order of their names.
    ///
    /// - Complexity: linear in the size of the document, and the sorting of the names.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
    @inlinable
    public func encoded(as format: ModelFormat) throws -> Data {
        try ModelWriter.encode(as: format) { try self.encode(to: &$0) }
    }
}

extension Dictionary where Key: ModelKey {
    /// Reads a document that is an object whose members are conformers of a model protocol.
    ///
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    public init(
        decoding data: Data,
        as format: ModelFormat,
        by table: ModelTable<Value> = #_modelTable
    ) throws {
        self = try ModelReader.decode(data, as: format) { reader in
            try reader.readDictionary { try table.decodeMember(&$0) }
        }
    }

    /// Writes an object whose members are conformers of a model protocol, in the order of their
    /// names.
    ///
    /// - Complexity: linear in the size of the document, and the sorting of the names.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
    public func encoded(
        as format: ModelFormat,
        by table: ModelTable<Value> = #_modelTable
    ) throws -> Data {
        try ModelWriter.encode(as: format) { writer in
            try writer.writeDictionary(self) { try table.encodeElement($0, &$1) }
        }
    }
}

extension ModelReader {
    /// Runs `body` with a reader over `data` and checks that it read all of it.
    ///
    /// - Throws: what `body` throws, and ``ModelDecodingError`` when something follows.
    @inlinable
    public static func decode<Value>(
        _ data: Data,
        as format: ModelFormat,
        _ body: (inout ModelReader) throws -> Value
    ) throws -> Value {
        guard format.isJSON else { return try decodeOther(data, as: format, body) }
        return try data.withUnsafeBytes { raw in
            try raw.withMemoryRebound(to: UInt8.self) { bytes in
                var reader = ModelReader(json: bytes)
                try reader.skipByteOrderMark()
                reader.skipWhitespace()
                let value = try body(&reader)
                try reader.expectEnd()
                return value
            }
        }
    }

    /// Reads a document that is no JSON.
    @usableFromInline
    static func decodeOther<Value>(
        _ data: Data,
        as format: ModelFormat,
        _ body: (inout ModelReader) throws -> Value
    ) throws -> Value {
        if case .other(let other) = format.kind {
            return try decode(tree: try other.decode(data), body)
        }
        return try data.withUnsafeBytes { raw in
            try raw.withMemoryRebound(to: UInt8.self) { bytes in
                // Like Foundation's decoder, either form is read as what it is.
                if BinaryPropertyListInput.isOne(bytes) {
                    var reader = try ModelReader(binaryPropertyList: bytes, of: data)
                    return try body(&reader)
                }
                guard let encoding = XMLEncoding(of: bytes) else {
                    return try decodeXML(bytes, body)
                }
                return try encoding.utf8(of: bytes).withUnsafeBytes { raw in
                    try raw.withMemoryRebound(to: UInt8.self) {
                        try decodeXML($0, from: encoding, body)
                    }
                }
            }
        }
    }

    /// Reads an XML property list.
    ///
    /// - Parameter encoding: what it was in before; nil for UTF-8.
    private static func decodeXML<Value>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from encoding: XMLEncoding? = nil,
        _ body: (inout ModelReader) throws -> Value
    ) throws -> Value {
        var reader = ModelReader(xmlPropertyList: bytes)
        let isInPlist = try reader.enterXMLDocument(from: encoding)
        let value = try body(&reader)
        try reader.leaveXMLDocument(isInPlist: isInPlist)
        return value
    }

    /// Moves over a UTF-8 byte order mark. Documents in UTF-16 and UTF-32 are refused: their first
    /// bytes are a mark of their own or contain zeros (RFC 4627, section 3).
    @usableFromInline
    package mutating func skipByteOrderMark() throws {
        let first = word(at: cursor)
        if first & 0xFF_FFFF == 0xBF_BBEF {
            cursor += 3
            return
        }
        let isUTF16 = first & 0xFFFF == 0xFEFF || first & 0xFFFF == 0xFFFE
        let hasZeros = end - cursor >= 2 && (byte == 0 || byte(at: cursor + 1) == 0)
        guard !isUTF16, !hasZeros else {
            throw error(
                .invalidEncoding,
                expected: "UTF-8",
                found: "another encoding",
                at: cursor
            )
        }
    }
}

extension ModelWriter {
    /// Runs `body` with a writer and gives the document it wrote.
    ///
    /// - Throws: what `body` throws, and ``ModelEncodingError`` for a document that cannot be laid
    ///   out as the format says.
    @inlinable
    public static func encode(
        as format: ModelFormat,
        _ body: (inout ModelWriter) throws -> Void
    ) throws -> Data {
        var writer = ModelWriter(format)
        do {
            try body(&writer)
        } catch let error as ModelEncodingError where error.isWithoutPath && !format.isJSON {
            // Where the objects of a binary property list will stand is only known at the end.
            var again = ModelWriter(.json)
            do { try body(&again) } catch let placed as ModelEncodingError
                where placed.reason == error.reason
            { throw placed }
            throw error
        }
        return try writer.written(as: format)
    }
}
