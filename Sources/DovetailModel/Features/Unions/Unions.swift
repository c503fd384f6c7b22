// Values of several forms, which are written by hand: an id or the whole object, one name or a list
// of them.

extension ModelReader {
    /// The kind of the value under the cursor; the reader does not move.
    ///
    /// ```swift
    /// init(modelValue reader: inout ModelReader) throws {
    ///     switch try reader.peekKind() {
    ///     case .string: self = .id(try String(modelValue: &reader))
    ///     case .object: self = .whole(try Customer(modelValue: &reader))
    ///     default: throw reader.rejected(expected: "an id or a customer")
    ///     }
    /// }
    /// ```
    ///
    /// Numbers are `.integer` when they are written without fraction and exponent; dates, data and
    /// decimals have a kind of their own in formats that tell them from strings. In the column of a
    /// row the value is a document, as ``ModelWriter/embed(_:)`` writes it.
    ///
    /// - Complexity: O(1), for numbers linear in their text.
    /// - Throws: ``ModelDecodingError`` where no value starts.
    public mutating func peekKind() throws -> ModelDocument.Kind {
        if isRow {
            if try rowIsNull() { return .null }
            try enterColumnDocument()
        }
        guard source == .json else { return try peekNonJSONKind() }
        switch byte {
        case 0x22: return .string
        case 0x7B: return .object
        case 0x5B: return .array
        case 0x74, 0x66: return .bool
        case 0x6E: return .null
        case 0x2D, 0x30...0x39:
            var position = cursor + 1
            while 0x30...0x39 ~= byte(at: position) { position += 1 }
            let next = byte(at: position)
            return next == 0x2E || next | 0x20 == 0x65 ? .double : .integer
        default: throw mismatch("a value")
        }
    }

    /// The same for non-JSON sources. A string may mean null there, so it has to be looked at.
    private mutating func peekNonJSONKind() throws -> ModelDocument.Kind {
        let start = cursor
        defer { cursor = start }
        if try readNonJSONNull() { return .null }
        switch valueKind {
        case .null: return .null
        case .string: return .string
        case .bool: return .bool
        case .date: return .date
        case .data: return .data
        case .array: return .array
        case .object, .reference: return .object
        case .number: return try ModelDocument(modelValue: &self).kind
        case .none: throw mismatch("a value")
        }
    }
}

extension ModelWriter {
    /// Writes a value whose kind differs from one value to the next, so that
    /// ``ModelReader/peekKind()`` can tell. The column of a row gets it as a document in JSON, also
    /// a string or a number; elsewhere this only runs `body`.
    ///
    /// ```swift
    /// func encode(to writer: inout ModelWriter) throws {
    ///     try writer.embed { writer in
    ///         switch self {
    ///         case .id(let id): try id.encode(to: &writer)
    ///         case .whole(let customer): try customer.encode(to: &writer)
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter body: writes exactly one value.
    /// - Throws: what `body` throws, and what the row throws.
    public mutating func embed(_ body: (inout ModelWriter) throws -> Void) throws {
        let scope = beginValue()
        try body(&self)
        try endValue(scope)
    }
}
