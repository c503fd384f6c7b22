public import Foundation

extension Date: ModelValue {
    /// Dates have a column kind of their own.
    public static var columnType: ColumnType { .date }

    /// Reads an ISO 8601 date-time with its offset (RFC 3339); a property list's own date, too.
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readDate()
    }

    /// Writes ISO 8601 in UTC.
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(self)
    }
}

extension Data: ModelValue {
    /// Bytes have a column kind of their own.
    public static var columnType: ColumnType { .data }

    /// Reads base64 (RFC 4648, section 4); a property list's own data, too.
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readData()
    }

    /// Writes base64.
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(self)
    }
}

extension URL: ModelValue {
    /// Addresses are text.
    public static var columnType: ColumnType { .text }

    /// Reads a string that is an address, and in property lists the dictionary that
    /// `PropertyListEncoder` makes of one.
    public init(modelValue reader: inout ModelReader) throws {
        if reader.isAtCodableObject {
            self = try reader.readCodable(URL.self)
        } else {
            self = try reader.readText(expected: "URL") { URL(string: $0) }
        }
    }

    /// Writes the address as a string.
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(absoluteString)
    }
}

extension UUID: ModelValue {
    /// Identifiers are text.
    public static var columnType: ColumnType { .text }

    /// Reads a string of 36 characters (RFC 9562).
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readText(expected: "UUID") { UUID(uuidString: $0) }
    }

    /// Writes a string of 36 characters.
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(uuidString)
    }
}

extension ModelReader {
    /// Reads a string and what it stands for.
    ///
    /// - Throws: ``ModelDecodingError`` when there is no string or `parse` gives nil.
    public mutating func readText<Value>(
        expected: String,
        _ parse: (String) throws -> Value?
    ) throws -> Value {
        let start = cursor
        if !isRow, valueKind != .string { throw mismatch(expected) }
        if source != .json, !isRow, try readOtherNull() {
            throw nullMismatch(expected, at: start)
        }
        guard let value = try parse(try readString()) else {
            throw error(.typeMismatch, expected: expected, at: start)
        }
        return value
    }

    /// Reads a moment.
    ///
    /// - Throws: ``ModelDecodingError`` when there is no date-time of RFC 3339.
    public mutating func readDate() throws -> Date {
        if source != .json { return try readOtherDate() }
        // Without a string in between, which would be too long to be stored inline.
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

    /// Reads bytes.
    ///
    /// - Throws: ``ModelDecodingError`` when there is no base64.
    public mutating func readData() throws -> Data {
        if source != .json { return try readOtherData() }
        return try readText(expected: "Data in base64") { Data(base64Encoded: $0) }
    }
}
