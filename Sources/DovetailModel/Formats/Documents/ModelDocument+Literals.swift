// Documents in source: ["name": "x", "tags": ["a", 1, 2.5, nil, true]].
//
// With these a value can be assigned to a path without naming its kind: document["count"] = 3. An
// optional subscript takes `nil` for "remove"; write `.null` or `ModelDocument.null` for null.

extension ModelDocument: ExpressibleByNilLiteral {
    /// Null.
    public init(nilLiteral: ()) { self = .null }
}

extension ModelDocument: ExpressibleByBooleanLiteral {
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension ModelDocument: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
}

extension ModelDocument: ExpressibleByFloatLiteral {
    /// A floating point number. For decimal digits as they are written use `.decimal(_:)`.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension ModelDocument: ExpressibleByStringInterpolation {
    /// A string, also one with interpolations.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension ModelDocument: ExpressibleByArrayLiteral {
    /// An array. Complexity: linear in the number of elements.
    public init(arrayLiteral elements: ModelDocument...) { self = .array(elements) }
}

extension ModelDocument: ExpressibleByDictionaryLiteral {
    /// An object with members in the order of the source. A key may be repeated.
    ///
    /// - Complexity: linear in the number of members.
    public init(dictionaryLiteral elements: (String, ModelDocument)...) {
        self = .object(elements.lazy.map { Member(key: $0.0, value: $0.1) })
    }
}
