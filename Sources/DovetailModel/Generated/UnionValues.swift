// What a case of an untagged union holds, as a value of its own: the compiler picks the overload for
// the type.

extension ModelReader {
    /// Reads the value of a case. Called by generated code.
    @inlinable
    public mutating func value<Value: ModelValue>(_: Value.Type) throws -> Value {
        try Value(modelValue: &self)
    }

    /// The same for a plain `Codable` type. Called by generated code.
    @_disfavoredOverload
    public mutating func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try readCodable(type)
    }

    /// The same through the coding of the type. Called by generated code.
    @inlinable
    public mutating func value<Coding: ModelCoding>(by coding: Coding.Type) throws -> Coding.Value {
        try coding.decode(from: &self)
    }
}

extension ModelWriter {
    /// Writes the value of a case. Called by generated code.
    @inlinable
    public mutating func value<Value: ModelValue>(_ value: Value) throws {
        try value.encode(to: &self)
    }

    /// The same for a plain `Codable` type. Called by generated code.
    @_disfavoredOverload
    public mutating func value<Value: Encodable>(_ value: Value) throws { try writeCodable(value) }

    /// The same through the coding of the type. Called by generated code.
    @inlinable
    public mutating func value<Coding: ModelCoding>(
        _ value: Coding.Value,
        by coding: Coding.Type
    ) throws {
        try coding.encode(value, to: &self)
    }
}
