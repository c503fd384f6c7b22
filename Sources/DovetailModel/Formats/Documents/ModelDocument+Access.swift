public import Foundation

// What a document holds. Every accessor is nil where it holds another kind.

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

    /// The number rounded to the nearest double; nil when it is larger than any.
    public var doubleValue: Double? { number?.double }

    /// The number, when `Decimal` can hold all of its digits.
    public var decimalValue: Decimal? { number?.decimal }

    /// The number as it is written in JSON: for one that was read, exactly what was read.
    public var numberText: String? { number?.text }

    /// The string.
    public var stringValue: String? {
        if case .string(let value) = storage { value } else { nil }
    }

    /// The moment; also one that is an ISO 8601 string with its offset, which is how JSON has it.
    public var dateValue: Date? {
        switch storage {
        case .date(let value): value
        case .string(let text): DateText.date(iso8601: text)
        default: nil
        }
    }

    /// The bytes; also those of a base64 string, which is how JSON has them.
    public var dataValue: Data? {
        switch storage {
        case .data(let value): value
        case .string(let text): Data(base64Encoded: text)
        default: nil
        }
    }

    /// The elements of an array. Complexity: O(1).
    public var arrayValue: [ModelDocument]? {
        if case .array(let node) = storage { node.values } else { nil }
    }

    /// The members of an object in their order, both of a repeated key. Complexity: linear.
    public var members: [Member]? {
        guard case .object(let node) = storage else { return nil }
        return zip(node.keys, node.values).map { Member(key: $0, value: $1) }
    }

    /// The number of elements or members; 0 for any other kind.
    public var count: Int { node?.count ?? 0 }

    /// The values of all members with this name, in their order; empty for any other kind.
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
