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

    /// The name of any member.
    private struct Member: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
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
        var values: [QueryValue] = []
        if let value = form.integer { values.append(.integer(value)) }
        if let value = form.text { values.append(.text(value)) }
        if let value = form.document { values.append(.document(value)) }
        if let value = form.bool { values.append(.bool(value)) }
        if let bits = form.double { values.append(.double(Double(bitPattern: bits))) }
        if let bits = form.date {
            let seconds = Double(bitPattern: bits)
            guard seconds.isFinite else { throw refused("not a date") }
            values.append(.date(Date(timeIntervalSinceReferenceDate: seconds)))
        }
        if let text = form.decimal {
            guard let value = Decimal(string: text), value.description == text else {
                throw refused("not a decimal number")
            }
            values.append(.decimal(value))
        }
        if let digits = form.data {
            guard let bytes = Self.bytes(digits) else { throw refused("not two digits a byte") }
            values.append(.data(bytes))
        }
        let members = try decoder.container(keyedBy: Member.self).allKeys.count
        guard values.count < 2, values.count == members else {
            throw refused("no value of a column")
        }
        self = values.first ?? .null
    }

    private static func bytes(_ digits: String) -> Data? {
        guard digits.utf8.count % 2 == 0 else { return nil }
        var bytes = Data()
        var rest = digits[...]
        while !rest.isEmpty {
            guard rest.first != "+", let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
