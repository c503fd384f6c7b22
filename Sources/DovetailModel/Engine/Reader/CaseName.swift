/// The raw value of a string enum as a reader found it.
@frozen
public struct CaseName {
    /// The raw value.
    public let key: FieldKey
    @usableFromInline let start: UnsafePointer<UInt8>

    /// The raw value as a string. Only before the reader goes on.
    public var text: String { key.text }

    @inlinable
    init(key: FieldKey, start: UnsafePointer<UInt8>) {
        self.key = key
        self.start = start
    }
}

extension ModelReader {
    /// Reads a raw value, or gives `fallback` when no case has it. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` when there is no value of the raw type's kind.
    @inlinable
    public mutating func readCase<Value: RawRepresentable>(
        or fallback: Value
    ) throws -> Value where Value.RawValue: ModelValue {
        let start = cursor
        do {
            return Value(rawValue: try Value.RawValue(modelValue: &self)) ?? fallback
        } catch let error as ModelDecodingError where error.reason == .numberOutOfRange {
            // A number that the raw type cannot hold is one that no case has.
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
    /// without making the string.
    ///
    /// - Throws: ``ModelDecodingError`` when there is no string.
    public mutating func readCaseName() throws -> CaseName {
        if source != .json { return try readOtherCaseName() }
        guard byte == 0x22 else { throw mismatch("String") }
        let start = cursor
        return CaseName(key: try scanKey(), start: start)
    }

    @usableFromInline
    mutating func readRowCaseName() throws -> CaseName {
        guard let text = state.row?.text(column), let start = text.baseAddress else {
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
