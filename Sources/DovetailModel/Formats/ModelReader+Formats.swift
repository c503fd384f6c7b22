public import Foundation

// Where reading a document of a format begins and ends.

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
        if case .custom(let custom) = format.kind {
            return try decode(tree: try custom.decode(data), body)
        }
        return try data.withUnsafeBytes { raw in
            try raw.withMemoryRebound(to: UInt8.self) { bytes in
                // As in `PropertyListDecoder`: the first bytes decide, not the format's name.
                if BinaryPropertyListInput.hasSignature(bytes) {
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
