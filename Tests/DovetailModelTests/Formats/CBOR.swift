import Dovetail
import Foundation

/// CBOR (RFC 8949) as a program adds it: two functions between bytes and
/// a document.
extension ModelFormat {
    static let cbor = ModelFormat(
        name: "CBOR",
        decode: { data in
            var reader = CBORReader(bytes: Array(data))
            let document = try reader.item(depth: 0)
            guard reader.index == reader.bytes.count else { throw reader.error("end of input") }
            return document
        },
        encode: { document in
            var writer = CBORWriter()
            try writer.append(document)
            return Data(writer.bytes)
        }
    )
}

private struct CBORReader {
    let bytes: [UInt8]
    var index = 0

    /// The break that ends an item of indefinite length (RFC 8949, section 3.2.1).
    private struct Break: Error {}

    func error(_ expected: String) -> ModelDecodingError {
        ModelDecodingError(
            kind: index < bytes.count ? .invalidSyntax : .unexpectedEnd,
            path: "",
            expected: expected,
            found: index < bytes.count ? "byte \(bytes[index])" : "end of input",
            offset: index
        )
    }

    private mutating func take(_ count: UInt64) throws -> ArraySlice<UInt8> {
        guard count <= UInt64(bytes.count - index) else {
            index = bytes.count
            throw error("\(count) bytes")
        }
        defer { index += Int(count) }
        return bytes[index..<index + Int(count)]
    }

    private mutating func number(_ count: UInt64) throws -> UInt64 {
        try take(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The argument of a head; nil for an indefinite length.
    private mutating func argument(_ info: UInt8) throws -> UInt64? {
        switch info {
        case 0..<24: return UInt64(info)
        case 24...27: return try number(1 << UInt64(info - 24))
        case 31: return nil
        default: throw error("a known additional information")
        }
    }

    mutating func item(depth: Int) throws -> ModelDocument {
        do {
            return try itemOrBreak(depth: depth)
        } catch is Break {
            throw error("an item")
        }
    }

    private mutating func itemOrBreak(depth: Int) throws -> ModelDocument {
        guard depth < 500 else { throw error("fewer levels") }
        let head = try number(1)
        let (major, info) = (head >> 5, UInt8(head & 31))
        if major == 7 { return try simple(info) }
        let argument = try argument(info)
        switch major {
        case 0, 1, 6:
            guard let argument else { throw error("a number") }
            if major == 0 { return .integer(argument) }
            if major == 1 { return .integer(-1 - Int128(argument)) }
            return try tagged(argument, item(depth: depth + 1))
        case 2, 3: return try string(major, argument, depth)
        case 4:
            var elements: [ModelDocument] = []
            try forEach(argument) { elements.append(try $0.itemOrBreak(depth: depth + 1)) }
            return .array(elements)
        default:
            var members: [ModelDocument.Member] = []
            try forEach(argument) { reader in
                let key = try reader.itemOrBreak(depth: depth + 1)
                guard let name = key.stringValue else { throw reader.error("a string as key") }
                members.append(.init(key: name, value: try reader.item(depth: depth + 1)))
            }
            return .object(members)
        }
    }

    private mutating func forEach(
        _ count: UInt64?,
        _ body: (inout CBORReader) throws -> Void
    ) throws {
        guard let count else {
            while true {
                do { try body(&self) } catch is Break { return }
            }
        }
        for _ in 0..<count { try body(&self) }
    }

    private mutating func string(
        _ major: UInt64,
        _ count: UInt64?,
        _ depth: Int
    ) throws -> ModelDocument {
        var content = Data()
        if let count {
            content = Data(try take(count))
        } else {
            var text = ""
            try forEach(nil) { reader in
                let part = try reader.itemOrBreak(depth: depth + 1)
                if major == 3, let string = part.stringValue {
                    text += string
                } else if major == 2, case .data = part.kind, let data = part.dataValue {
                    content += data
                } else {
                    throw reader.error("a part of the same kind")
                }
            }
            if major == 3 { return .string(text) }
        }
        if major == 2 { return .data(content) }
        guard let text = String(validating: content, as: UTF8.self) else { throw error("UTF-8") }
        return .string(text)
    }

    private func tagged(_ tag: UInt64, _ value: ModelDocument) throws -> ModelDocument {
        switch tag {
        case 0:
            guard let date = value.dateValue else { throw error("a date") }
            return .date(date)
        case 1:
            guard let seconds = value.doubleValue else { throw error("seconds") }
            return .date(Date(timeIntervalSince1970: seconds))
        case 2, 3:
            guard let data = value.dataValue, data.count < 16 else { throw error("a big number") }
            let magnitude = data.reduce(Int128(0)) { $0 << 8 | Int128($1) }
            return .integer(tag == 2 ? magnitude : -1 - magnitude)
        default: return value
        }
    }

    private mutating func simple(_ info: UInt8) throws -> ModelDocument {
        switch info {
        case 20: return false
        case 21: return true
        case 22: return nil
        case 25: return .double(Double(Float16(bitPattern: UInt16(try number(2)))))
        case 26: return .double(Double(Float(bitPattern: UInt32(try number(4)))))
        case 27: return .double(Double(bitPattern: try number(8)))
        case 31: throw Break()
        default: throw error("a simple value that documents have")
        }
    }
}

private struct CBORWriter {
    var bytes: [UInt8] = []

    private mutating func head(_ major: UInt8, _ argument: UInt64) {
        let size =
            argument < 24
            ? 0
            : argument <= 0xFF
                ? 1
                : argument <= 0xFFFF
                    ? 2
                    : argument <= 0xFFFF_FFFF ? 4 : 8
        guard size > 0 else { return bytes.append(major << 5 | UInt8(argument)) }
        bytes.append(major << 5 | UInt8(24 + size.trailingZeroBitCount))
        append(argument, size)
    }

    private mutating func append(_ number: UInt64, _ size: Int) {
        for place in (0..<size).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place)))
        }
    }

    mutating func append(_ document: ModelDocument) throws {
        switch document.kind {
        case .null: bytes.append(0xF6)
        case .bool: bytes.append(document.boolValue == true ? 0xF5 : 0xF4)
        case .integer: try append(integer: document.numberText ?? "")
        case .double:
            guard let value = document.doubleValue else { throw Self.notRepresentable("a number") }
            append(value)
        case .decimal: throw Self.notRepresentable("a decimal number")
        case .string:
            let text = document.stringValue ?? ""
            head(3, UInt64(text.utf8.count))
            bytes += text.utf8
        case .date:
            head(6, 1)
            let seconds = document.dateValue?.timeIntervalSince1970 ?? 0
            if let whole = Int64(exactly: seconds) {
                try append(integer: "\(whole)")
            } else {
                append(seconds)
            }
        case .data:
            let data = document.dataValue ?? Data()
            head(2, UInt64(data.count))
            bytes += data
        case .array:
            head(4, UInt64(document.count))
            for element in document.arrayValue ?? [] { try append(element) }
        case .object:
            head(5, UInt64(document.count))
            for member in document.members ?? [] {
                try append(.string(member.key))
                try append(member.value)
            }
        }
    }

    private mutating func append(integer text: String) throws {
        guard let value = Int128(text) else { throw Self.notRepresentable("a large number") }
        if let argument = UInt64(exactly: value < 0 ? -1 - value : value) {
            return head(value < 0 ? 1 : 0, argument)
        }
        let magnitude = value < 0 ? -1 - value : value
        let all = (0..<16).reversed().map { UInt8(truncatingIfNeeded: magnitude >> (8 * $0)) }
        let digits = all.drop { $0 == 0 }
        head(6, value < 0 ? 3 : 2)
        head(2, UInt64(digits.count))
        bytes += digits
    }

    private mutating func append(_ value: Double) {
        let (half, single) = (Float16(value), Float(value))
        if value.isNaN || Double(half) == value {
            bytes.append(0xF9)
            append(value.isNaN ? 0x7E00 : UInt64(half.bitPattern), 2)
        } else if Double(single) == value {
            bytes.append(0xFA)
            append(UInt64(single.bitPattern), 4)
        } else {
            bytes.append(0xFB)
            append(value.bitPattern, 8)
        }
    }

    private static func notRepresentable(_ what: String) -> ModelEncodingError {
        ModelEncodingError(kind: .notRepresentable, explanation: "CBOR here has no \(what)")
    }
}
