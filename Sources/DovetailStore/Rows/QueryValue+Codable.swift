import Foundation

/// An object with one member, which says what kind of column it is: `{"integer":7}`. NULL is an empty
/// one. Numbers and dates come back to the last bit.
extension QueryValue: Codable {
    private struct Form: Codable {
        var integer: Int64?
        var text: String?
        var bool: Bool?
        /// The bits of a number, of which the text of a decimal number might lose some.
        var double: UInt64?
        var decimal: String?
        /// The bits of the seconds since 2001.
        var date: UInt64?
        /// Two digits a byte.
        var data: String?
        var document: String?
    }

    /// Writes the value.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var form = Form()
        switch self {
        case .null: break
        case .integer(let value): form.integer = value
        case .text(let value): form.text = value
        case .document(let value): form.document = value
        case .bool(let value): form.bool = value
        case .double(let value): form.double = value.bitPattern
        case .decimal(let value): form.decimal = value.description
        case .date(let value): form.date = value.timeIntervalSinceReferenceDate.bitPattern
        case .data(let value):
            form.data = value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        try form.encode(to: encoder)
    }

    /// Reads a value.
    ///
    /// - Throws: `DecodingError` for what ``encode(to:)`` does not write.
    public init(from decoder: any Decoder) throws {
        let form = try Form(from: decoder)
        func refused(_ what: String) -> DecodingError {
            .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: what))
        }
        if let value = form.integer {
            self = .integer(value)
        } else if let value = form.text {
            self = .text(value)
        } else if let value = form.document {
            self = .document(value)
        } else if let value = form.bool {
            self = .bool(value)
        } else if let value = form.double {
            self = .double(Double(bitPattern: value))
        } else if let value = form.date {
            self = .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: value)))
        } else if let text = form.decimal {
            guard let value = Decimal(string: text) else { throw refused("not a decimal number") }
            self = .decimal(value)
        } else if let digits = form.data {
            guard let bytes = Self.bytes(digits) else { throw refused("not two digits a byte") }
            self = .data(bytes)
        } else {
            self = .null
        }
    }

    private static func bytes(_ digits: String) -> Data? {
        guard digits.utf8.count % 2 == 0 else { return nil }
        var bytes = Data()
        var rest = digits[...]
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
