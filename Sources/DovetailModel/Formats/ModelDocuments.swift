public import Foundation

// Whole documents: the entry points that generated code is reached through.
//
// Every pair of `init(decoding:as:)` and `encoded(as:)` makes one reader or one writer and hands it
// to the type, its array or its dictionary. What differs is only the root: a value, an array, an
// object of values of one type, and the same of conformers of a model protocol.

extension ModelValue {
    /// Reads a document.
    ///
    /// ```swift
    /// let owner = try Owner(decoding: data, as: .json)
    /// ```
    ///
    /// The whole of `data` is the document; anything but white space after it is an error.
    ///
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    @inlinable
    public init(decoding data: Data, as format: ModelFormat) throws {
        self = try ModelReader.decode(data, as: format) { try Self(modelValue: &$0) }
    }

    /// Writes a document.
    ///
    /// ```swift
    /// let data = try owner.encoded(as: .json)
    /// // {"id":2,"name":"Grace","pets":[]}
    /// ```
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
    /// No type key is written. For `any P` of a model protocol `P` the form with the key is chosen.
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
    /// ```swift
    /// let owners = try [Owner](decoding: data, as: .json)
    /// ```
    ///
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected: for one broken
    ///   element nothing is read, and its path starts with its index, `[1731].name`.
    @inlinable
    public init(decoding data: Data, as format: ModelFormat) throws {
        self = try ModelReader.decode(data, as: format) { try Self(modelValue: &$0) }
    }

    /// Writes a document that is an array.
    ///
    /// ```swift
    /// let data = try owners.encoded(as: .json)
    /// // [{"id":1,"name":"Ada","pets":[]},{"id":2,"name":"Grace","pets":[]}]
    /// ```
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
    /// ```swift
    /// let pets = try [any Pet](decoding: data, as: .json)
    /// ```
    ///
    /// The type key of each element (`$type` unless the protocol says otherwise) selects the type.
    ///
    /// - Parameter table: leave it out. The macro in its default finds the protocol's conformers.
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    public init(
        decoding data: Data,
        as format: ModelFormat,
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        self = try ModelReader.decode(data, as: format) { try table.decodeArray(&$0) }
    }

    /// Writes a document that is an array of conformers of a model protocol.
    ///
    /// ```swift
    /// let data = try ([Dog(name: "Rex")] as [any Pet]).encoded(as: .json)
    /// // [{"$type":"Dog","name":"Rex","tricks":[]}]
    /// ```
    ///
    /// - Parameter table: leave it out. The macro in its default finds the protocol's conformers.
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
    public func encoded(
        as format: ModelFormat,
        by table: RootCoding<Element> = #_rootCoding
    ) throws -> Data {
        try ModelWriter.encode(as: format) { try table.encodeArray(self, &$0) }
    }
}

extension Dictionary where Key: ModelKey, Value: ModelValue {
    /// Reads a document that is an object whose members are all of one kind.
    ///
    /// ```swift
    /// let owners = try [String: Owner](decoding: data, as: .json)
    /// ```
    ///
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    @inlinable
    public init(decoding data: Data, as format: ModelFormat) throws {
        self = try ModelReader.decode(data, as: format) { try Self(modelValue: &$0) }
    }

    /// Writes an object, its members in the order of their names, so that equal dictionaries give
    /// equal documents.
    ///
    /// ```swift
    /// let data = try ["b": 2, "a": 1].encoded(as: .json)
    /// // {"a":1,"b":2}
    /// ```
    ///
    /// - Complexity: linear in the size of the document, and O(*n* log *n*) for the names.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
    @inlinable
    public func encoded(as format: ModelFormat) throws -> Data {
        try ModelWriter.encode(as: format) { try self.encode(to: &$0) }
    }
}

extension Dictionary where Key: ModelKey {
    /// Reads a document that is an object whose members are conformers of a model protocol.
    ///
    /// ```swift
    /// let pets = try [String: any Pet](decoding: data, as: .json)
    /// ```
    ///
    /// - Parameter table: leave it out. The macro in its default finds the protocol's conformers.
    /// - Complexity: linear in the size of `data`.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    public init(
        decoding data: Data,
        as format: ModelFormat,
        by table: RootCoding<Value> = #_rootCoding
    ) throws {
        self = try ModelReader.decode(data, as: format) { reader in
            try reader.readDictionary { try table.decodeMember(&$0) }
        }
    }

    /// Writes an object whose members are conformers of a model protocol, in the order of their
    /// names.
    ///
    /// - Parameter table: leave it out. The macro in its default finds the protocol's conformers.
    /// - Complexity: linear in the size of the document, and O(*n* log *n*) for the names.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for.
    public func encoded(
        as format: ModelFormat,
        by table: RootCoding<Value> = #_rootCoding
    ) throws -> Data {
        try ModelWriter.encode(as: format) { writer in
            try writer.writeDictionary(self) { try table.encodeElement($0, &$1) }
        }
    }
}

extension ModelReader {
    /// Runs `body` with a reader over `data` and checks that it read all of it.
    ///
    /// What `init(decoding:as:)` calls. Call it for a root that no initializer is made for:
    ///
    /// ```swift
    /// let isTrue = try ModelReader.decode(data, as: .json) { try $0.readBool() }
    /// ```
    ///
    /// `data` is not copied; the reader points into it and cannot leave `body`. XML in UTF-16 or
    /// UTF-32 is the exception: it is copied to UTF-8 first. A binary property list has a root and
    /// no order of bytes, so nothing can follow it.
    ///
    /// - Complexity: that of `body`, which is at most linear in the size of `data` for models.
    /// - Throws: what `body` throws, and ``ModelDecodingError`` when something follows.
    @inlinable
    public static func decode<Value>(
        _ data: Data,
        as format: ModelFormat,
        _ body: (inout ModelReader) throws -> Value
    ) throws -> Value {
        guard format.isJSON else { return try decodeNonJSON(data, as: format, body) }
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

    /// Reads a document that is not JSON: a property list, told by its first bytes whatever the
    /// format says, or a tree that a format of the program has made.
    @usableFromInline
    static func decodeNonJSON<Value>(
        _ data: Data,
        as format: ModelFormat,
        _ body: (inout ModelReader) throws -> Value
    ) throws -> Value {
        if case .other(let other) = format.kind {
            return try decode(tree: try other.decode(data), body)
        }
        return try data.withUnsafeBytes { raw in
            try raw.withMemoryRebound(to: UInt8.self) { bytes in
                // As in `PropertyListDecoder`: the first bytes decide, not the format's name.
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

    /// Reads an XML property list in UTF-8.
    ///
    /// - Parameter encoding: the encoding that the bytes were converted from, which the XML
    ///   declaration may name; nil when they were UTF-8 from the start.
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
    ///
    /// A mark is not part of JSON, but a parser may ignore one (RFC 8259, section 8.1).
    ///
    /// - Throws: ``ModelDecodingError`` that says `invalidEncoding`.
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
    /// What `encoded(as:)` calls. `body` has to write exactly one value.
    ///
    /// ```swift
    /// let data = try ModelWriter.encode(as: .json) { try owner.encode(to: &$0) }
    /// ```
    ///
    /// `body` runs a second time when a model's hook refuses to be written into a format other than
    /// JSON: the path of the refused model is taken from a document of JSON.
    ///
    /// - Complexity: that of `body`, and what ``ModelFormat/json(pretty:sortedKeys:)`` adds.
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
            // Objects of a binary property list get their places at the end, so its writer knows no
            // path. That of JSON does: it finds the same refusal again, and where it is.
            var again = ModelWriter(.json)
            do { try body(&again) } catch let placed as ModelEncodingError
                where placed.kind == error.kind
            { throw placed }
            throw error
        }
        return try writer.written(as: format)
    }
}
