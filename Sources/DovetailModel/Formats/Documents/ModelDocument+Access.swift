public import Foundation

// What a document holds. Every accessor is nil where it holds another kind, so they chain after a
// path:
//
//     let red = document["assets[0].red"]?.intValue ?? 0
//
// None of them converts between kinds, with two exceptions: dates and data of JSON are strings.
// Numbers are one kind here. The accessors of numbers are linear in the digits of one that is kept
// as text; those of scalars are O(1) otherwise.

extension ModelDocument {
    /// Whether this is null.
    public var isNull: Bool {
        if case .null = storage { true } else { false }
    }

    /// The truth value.
    public var boolValue: Bool? {
        if case .bool(let value) = storage { value } else { nil }
    }

    /// The number, when it is whole and fits; `2.0` and `2e1` are whole.
    public var intValue: Int? { number?.int }

    /// The number rounded to the nearest double; nil when it is larger than any. NaN and infinities
    /// of code or a property list are given as they are.
    public var doubleValue: Double? { number?.double }

    /// The number, when `Decimal` can hold all of its digits.
    public var decimalValue: Decimal? { number?.decimal }

    /// The number as it is written in JSON: for one that was read from JSON, exactly what was read.
    /// NaN and infinities have no form there and give what Swift prints.
    public var numberText: String? { number?.text }

    /// The string.
    public var stringValue: String? {
        consuming get { if case .string(let value) = storage { value } else { nil } }
    }

    /// The date; also one that is an ISO 8601 string with its offset (RFC 3339), which is how JSON
    /// has it.
    ///
    /// - Complexity: O(1); linear in a string.
    public var dateValue: Date? {
        switch storage {
        case .date(let value): value
        case .string(let text): DateText.date(iso8601: text)
        default: nil
        }
    }

    /// The bytes; also those of a base64 string (RFC 4648, section 4), which is how JSON has them.
    ///
    /// - Complexity: O(1); linear in a string.
    public var dataValue: Data? {
        switch storage {
        case .data(let value): value
        case .string(let text): Data(base64Encoded: text)
        default: nil
        }
    }

    /// The elements of an array.
    ///
    /// - Complexity: O(1). In a migration the first use of an array reads all of it.
    public var arrayValue: [ModelDocument]? {
        if case .array(let node) = storage { node.values } else { nil }
    }

    /// The members of an object in their order, both of a repeated key.
    ///
    /// ```swift
    /// for member in document.members ?? [] { print(member.key, member.value) }
    /// ```
    ///
    /// - Complexity: linear in their number. In a migration the first use reads all of them.
    public var members: [Member]? {
        guard case .object(let node) = storage else { return nil }
        return zip(node.keys, node.values).map { Member(key: $0, value: $1) }
    }

    /// The number of elements or members; 0 for any other kind. Complexity: O(1).
    public var count: Int { node?.count ?? 0 }

    /// The values of all members with this name, in their order; empty for any other kind.
    ///
    /// ```swift
    /// let document = try ModelDocument(decoding: Data(#"{"a":1,"a":2}"#.utf8), as: .json)
    /// document.values(forKey: "a")  // 1 and 2, where document["a"] is 2
    /// ```
    ///
    /// - Complexity: linear in the number of members.
    public func values(forKey key: String) -> [ModelDocument] {
        guard case .object(let node) = storage else { return [] }
        return node.places(of: key).map { node.value(at: $0) }
    }

    private var number: DocumentNumber? {
        if case .number(let value) = storage { value } else { nil }
    }
}
