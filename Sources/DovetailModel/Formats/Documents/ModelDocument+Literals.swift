// Documents in source: ["name": "x", "tags": ["a", 1, 2.5, nil, true]].

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
    /// A floating point number.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension ModelDocument: ExpressibleByStringInterpolation {
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension ModelDocument: ExpressibleByArrayLiteral {
    /// An array.
    public init(arrayLiteral elements: ModelDocument...) { self = .array(elements) }
}

extension ModelDocument: ExpressibleByDictionaryLiteral {
    /// An object with members in the order of the source. A key may be repeated.
    public init(dictionaryLiteral elements: (String, ModelDocument)...) {
        self = .object(elements.lazy.map { Member(key: $0.0, value: $0.1) })
    }
}
