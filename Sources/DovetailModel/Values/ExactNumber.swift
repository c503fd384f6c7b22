public import Foundation

/// A number that keeps its text: `1.50` stays `1.50`, where a `Decimal` is 1.5 and a `Double` may be
/// another number.
///
/// ```swift
/// @Model struct Price { var amount: ExactNumber }
/// let price = try Price(decoding: Data(#"{"amount":1.50}"#.utf8), as: .json)
/// price.amount.text               // "1.50"
/// price.amount.decimalValue       // 1.5
/// ```
///
/// Two are equal when their texts are, so `1.5` is not `1.50`. Property lists have it as a string, as
/// their numbers have no text; a number is read, too. The column is that of a decimal number.
public struct ExactNumber: Hashable, Sendable, ModelValue {
    /// The number as JSON writes it (RFC 8259, section 6).
    public let text: String

    /// A number by its text; nil for a text that JSON has no number for, such as `+1` and `.5`.
    ///
    /// - Complexity: linear in the text.
    public init?(_ text: String) {
        var copy = text
        let isNumber = copy.withUTF8 { bytes -> Bool in
            var reader = ModelReader(json: bytes)
            guard let number = try? reader.scanNumber("a number") else { return false }
            return number.end == reader.end
        }
        guard isNumber else { return nil }
        self.text = text
    }

    private init(known text: String) { self.text = text }

    /// The number as `Decimal`; nil when its digits or its exponent do not fit.
    public var decimalValue: Decimal? { DocumentNumber.text(text).decimal }
    /// The nearest double; nil when the number is larger than any.
    public var doubleValue: Double? { DocumentNumber.text(text).double }
    /// The number as `Int`; nil when it has a fraction or does not fit.
    public var intValue: Int? { DocumentNumber.text(text).int }

    /// That of a decimal number.
    public static var columnType: ColumnType { .decimal }

    /// Reads a number with its text, or a string that is one.
    ///
    /// - Throws: ``ModelDecodingError`` for anything else.
    public init(modelValue reader: inout ModelReader) throws {
        let start = reader.cursor
        let known: String?
        if reader.isRow {
            known =
                switch reader.rowCell() {
                case .integer(let value): "\(value)"
                case .double(let value): DocumentNumber.double(value).text
                default: try reader.readString()
                }
        } else {
            let value = try ModelDocument(modelValue: &reader)
            known = value.numberText ?? (reader.source == .json ? nil : value.stringValue)
        }
        guard let number = known.flatMap(Self.init) else {
            throw reader.error(.typeMismatch, expected: "a number", at: start)
        }
        self = number
    }

    /// Writes the text: as a number, in property lists and rows as a string.
    ///
    /// - Throws: what the writer throws.
    public func encode(to writer: inout ModelWriter) throws {
        if writer.isPropertyList || writer.isRow { return try writer.write(text) }
        try ModelDocument(.number(.text(text))).encode(to: &writer)
    }
}

extension ExactNumber: ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// A whole number.
    public init(integerLiteral value: Int) { self.init(known: "\(value)") }
    /// The text.
    public var description: String { text }
}
