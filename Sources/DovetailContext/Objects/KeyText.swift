import DovetailStore
import Foundation

/// A key as text: a JSON array with an object for each column, `[{"integer":7}]`.
enum KeyText {
    /// The values of a key as text.
    static func text(of values: [QueryValue]) throws -> String {
        String(decoding: try JSONEncoder().encode(values.map(Part.init)), as: UTF8.self)
    }

    /// The values; nil for another text.
    static func values(of text: String) -> [QueryValue]? {
        let parts = try? JSONDecoder().decode([Part].self, from: Data(text.utf8))
        guard let parts, !parts.isEmpty else { return nil }
        let values = parts.map(\.value)
        return values.contains(.null) ? nil : values
    }

    private struct Part: Codable {
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

        init(_ value: QueryValue) {
            switch value {
            case .integer(let value): integer = value
            case .text(let value), .document(let value): text = value
            case .bool(let value): bool = value
            case .double(let value): double = value.bitPattern
            case .decimal(let value): decimal = value.description
            case .date(let value): date = value.timeIntervalSinceReferenceDate.bitPattern
            case .data(let value):
                data = value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            case .null: break
            }
        }

        var value: QueryValue {
            if let integer { return .integer(integer) }
            if let text { return .text(text) }
            if let bool { return .bool(bool) }
            if let double { return .double(Double(bitPattern: double)) }
            if let decimal { return Decimal(string: decimal).map { .decimal($0) } ?? .null }
            if let date {
                return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: date)))
            }
            guard let data, data.utf8.count % 2 == 0 else { return .null }
            var bytes = Data()
            var rest = data[...]
            while !rest.isEmpty {
                guard let byte = UInt8(rest.prefix(2), radix: 16) else { return .null }
                bytes.append(byte)
                rest = rest.dropFirst(2)
            }
            return .data(bytes)
        }
    }
}
