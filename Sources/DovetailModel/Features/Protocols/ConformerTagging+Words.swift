// Names of types that are no strings in documents.

extension ConformerTagging {
    /// What a name is written as where it is no string: `integer`, `boolean`, or `scalar` for a number
    /// with a fraction; nil for a string.
    func wordKind(of name: String) -> ModelTagKind? {
        if form == .external { return nil }
        return Self.wordKind(of: name, kind)
    }

    /// The same for the name of a level.
    static func wordKind(of name: String, _ kind: ModelTagKind) -> ModelTagKind? {
        switch kind {
        case .string, .stringOrList: return nil
        case .integer: return .integer
        case .boolean: return .boolean
        case .scalar:
            if Int64(name) != nil { return .integer }
            if Bool(name) != nil { return .boolean }
            return number(name) == nil ? nil : .scalar
        }
    }

    /// How a name is compared that may be a string, a number or a truth value: numbers in their
    /// shortest form.
    static func scalar(_ name: String) -> String {
        if let integer = Int64(name) { return "\(integer)" }
        return number(name).map { "\($0)" } ?? name
    }

    /// The number that a name is, as JSON writes it: it begins with a digit or a sign.
    private static func number(_ name: String) -> Double? {
        guard let first = name.utf8.first, 0x30...0x39 ~= first || first == 0x2D,
            let number = Double(name), number.isFinite
        else { return nil }
        return number
    }
}

extension ModelWriter {
    /// Appends a name to JSON as its kind of tag writes it.
    mutating func append(word name: String, _ kind: ModelTagKind) {
        guard ConformerTagging.wordKind(of: name, kind) != nil else { return appendQuoted(name) }
        for byte in ConformerTagging.scalar(name).utf8 { append(byte) }
    }

    /// Writes a name as a value to other destinations than JSON.
    mutating func writeNonJSONName(_ name: String, _ kind: ModelTagKind) throws {
        switch ConformerTagging.wordKind(of: name, kind) {
        case .integer?:
            if let number = Int128(name) { return try writeNonJSON(number) }
        case .boolean?: return try writeNonJSON(name == "true")
        case .scalar?:
            if let number = Double(name) { return try writeNonJSON(number) }
        case .string?, .stringOrList?, nil: break
        }
        try writeNonJSON(name)
    }
}
