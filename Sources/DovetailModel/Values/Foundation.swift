public import Foundation

extension Date: ModelValue {
    /// Dates have a column kind of their own.
    public static var columnType: ColumnType { .date }

    /// Reads an ISO 8601 date-time with its offset (RFC 3339), or a property list's own date.
    ///
    /// - Throws: ``ModelDecodingError`` for anything else.
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readDate()
    }

    /// Writes ISO 8601 in UTC, `2024-03-01T10:20:30.5Z`, with the fewest fractional digits that
    /// give back the equal value; in property lists the date kind.
    ///
    /// - Throws: ``ModelEncodingError`` outside of the years 0 to 9999 where dates are text.
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(self)
    }
}

extension Data: ModelValue {
    /// Bytes have a column kind of their own.
    public static var columnType: ColumnType { .data }

    /// Reads base64 (RFC 4648, section 4), or a property list's own data.
    ///
    /// - Throws: ``ModelDecodingError`` for anything else; white space and missing padding are
    ///   refused.
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readData()
    }

    /// Writes base64 in JSON, in property lists the data kind, in a row a `BLOB`.
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(self)
    }
}

extension URL: ModelValue {
    /// URLs are text.
    public static var columnType: ColumnType { .text }

    /// Reads a string that is a URL, and in property lists also the dictionary that
    /// `PropertyListEncoder` makes of one.
    ///
    /// - Throws: ``ModelDecodingError`` for a string that `URL(string:)` refuses.
    public init(modelValue reader: inout ModelReader) throws {
        if reader.isAtCodableObject {
            self = try reader.readCodable(URL.self)
        } else {
            self = try reader.readText(expected: "URL") { URL(string: $0) }
        }
    }

    /// Writes `absoluteString`.
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(absoluteString)
    }
}

extension UUID: ModelValue {
    /// Identifiers are text.
    public static var columnType: ColumnType { .text }

    /// Reads a string of 36 characters (RFC 9562, section 4), in capital or small letters.
    ///
    /// - Throws: ``ModelDecodingError`` for anything else.
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readUUID()
    }

    /// Writes a string of 36 characters, in capital letters.
    public func encode(to writer: inout ModelWriter) throws {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: UUIDText.length) { text in
            guard let start = text.baseAddress else { return }
            UUIDText.write(self, to: start)
            try writer.write(plain: UnsafeBufferPointer(text))
        }
    }
}

extension UUID: ModelKey {
    /// The identifier that the name spells in 36 characters, in capital or small letters.
    public init?(modelKey: String) {
        var text = modelKey
        guard let value = text.withUTF8({ UUIDText.uuid($0) }) else { return nil }
        self = value
    }

    /// The identifier's 36 characters, in capital letters.
    public var modelKey: String { uuidString }
}

extension ModelReader {
    /// Reads a string and parses it.
    ///
    /// ```swift
    /// init(modelValue reader: inout ModelReader) throws {
    ///     id = try reader.readText(expected: "UUID") { UUID(uuidString: $0) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - expected: what the error asks for, as a noun.
    ///   - parse: gives nil for a string that is none.
    /// - Throws: ``ModelDecodingError`` when there is no string or `parse` gives nil, at the start
    ///   of the string; and what `parse` throws.
    public mutating func readText<Value>(
        expected: String,
        _ parse: (String) throws -> Value?
    ) throws -> Value {
        let start = cursor
        if !isRow, valueKind != .string { throw mismatch(expected) }
        if source != .json, !isRow, try readNonJSONNull() {
            throw nullMismatch(expected, at: start)
        }
        guard let value = try parse(try readString()) else {
            throw error(.typeMismatch, expected: expected, at: start)
        }
        return value
    }

    /// Reads a date: ISO 8601 in a string, or the format's own kind.
    ///
    /// - Complexity: O(1). `2024-03-01T10:20:30Z` is read without a string.
    /// - Throws: ``ModelDecodingError`` when there is no date-time of RFC 3339.
    public mutating func readDate() throws -> Date {
        if source != .json { return try readNonJSONDate() }
        // Such a text is too long for a string to hold inline, so a string would be an allocation.
        if byte == 0x22 {
            var high: UInt64 = 0
            let quote = endOfPlainRun(from: cursor + 1, high: &high)
            if byte(at: quote) == 0x22, high == 0,
                let date = DateText.date(iso8601: bytes(from: cursor + 1, to: quote))
            {
                cursor = quote + 1
                return date
            }
        }
        return try readText(expected: "Date in ISO 8601", DateText.date(iso8601:))
    }

    /// Reads an identifier, from JSON and from rows without a string.
    mutating func readUUID() throws -> UUID {
        if isRow {
            if let text = rowText(), let value = UUIDText.uuid(text) { return value }
        } else if source == .json, byte == 0x22 {
            var high: UInt64 = 0
            let quote = endOfPlainRun(from: cursor + 1, high: &high)
            if byte(at: quote) == 0x22,
                let value = UUIDText.uuid(bytes(from: cursor + 1, to: quote))
            {
                cursor = quote + 1
                return value
            }
        }
        return try readText(expected: "UUID") { UUID(uuidString: $0) }
    }

    /// Reads bytes: base64 in a string, or the format's own kind.
    ///
    /// - Complexity: linear in the bytes.
    /// - Throws: ``ModelDecodingError`` when there is no base64 (RFC 4648, section 4).
    public mutating func readData() throws -> Data {
        if source != .json { return try readNonJSONData() }
        return try readText(expected: "Data in base64") { Data(base64Encoded: $0) }
    }
}
