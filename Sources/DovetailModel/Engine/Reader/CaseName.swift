/// The raw value of a string enum as a reader found it: a key to switch over, and the place for an
/// error. No string is made.
@frozen
public struct CaseName {
    /// The raw value; valid until the reader reads the next name or string.
    public let key: FieldKey
    /// Where the value starts, for the error that no case has it.
    @usableFromInline let start: UnsafePointer<UInt8>

    /// The raw value as a string. Ask for it before the reader goes on, because ``key`` points into
    /// its memory.
    public var text: String { key.text }

    @inlinable
    init(key: FieldKey, start: UnsafePointer<UInt8>) {
        self.key = key
        self.start = start
    }
}

extension ModelReader {
    /// Reads a raw value, or gives `fallback` when no case has it: the case with `@Fallback`.
    /// Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` when there is no value of the raw type's kind.
    @inlinable
    public mutating func readCase<Value: RawRepresentable>(
        or fallback: Value
    ) throws -> Value where Value.RawValue: ModelValue {
        let start = cursor
        do {
            return Value(rawValue: try Value.RawValue(modelValue: &self)) ?? fallback
        } catch let error as ModelDecodingError where error.kind == .numberOutOfRange {
            // No case has a number that the raw type cannot hold, so this is the fallback and no
            // error.
            cursor = start
            try skipValue()
            return fallback
        }
    }

    /// The error that an enum has no case for the value at `position`.
    @usableFromInline
    @inline(never)
    mutating func unknownCase(
        of type: Any.Type,
        at position: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        error(.unknownCase, expected: "a case of \(type)", at: position)
    }

    /// Reads a string as a key that generated code switches over, to find the case of an enum
    /// without making the string. Called by generated code.
    ///
    /// - Complexity: linear in the length of the string.
    /// - Throws: ``ModelDecodingError`` when there is no string.
    public mutating func readCaseName() throws -> CaseName {
        if source != .json { return try readNonJSONCaseName() }
        guard byte == 0x22 else { throw mismatch("String") }
        let start = cursor
        return CaseName(key: try scanKey(), start: start)
    }

    /// The same for a text column. Its bytes are valid until the store's cursor moves.
    @usableFromInline
    borrowing func readRowCaseName() throws -> CaseName {
        guard let text = rowText(), let start = text.baseAddress else {
            throw rowError(.typeMismatch, expected: "String")
        }
        return CaseName(key: FieldKey(start: start, count: text.count), start: cursor)
    }

    /// The error that no case has the name. Called by generated code.
    @inline(never)
    public mutating func unknownCase(_ name: CaseName, of type: Any.Type) -> ModelDecodingError {
        unknownCase(of: type, at: name.start)
    }
}
