// Existential types beside `any P` of one model protocol: compositions, protocols that refine a
// model protocol without being one, and typealiases of these.

/// The coding of an existential whose values are of a model protocol too.
///
/// A value is read as one of the model protocol and then cast, which costs a look-up of the
/// conformance an element; a model protocol that refines both costs nothing.
public enum CompositionCoding<Base: ProtocolCoding, Value>: ModelCoding {
    /// Reads a value of the model protocol and checks that it fulfils the rest.
    ///
    /// - Throws: ``ModelDecodingError`` when it does not.
    public static func decode(from reader: inout ModelReader) throws -> Value {
        let start = reader.cursor
        let value = try Base.decode(from: &reader)
        guard let result = value as? Value else {
            throw reader.error(
                .unknownType,
                expected: "\(Value.self)",
                found: "\(type(of: value as Any))",
                at: start
            )
        }
        return result
    }

    /// Writes the value as one of the model protocol.
    public static func encode(_ value: Value, to writer: inout ModelWriter) throws {
        guard let base = value as? Base.Value else {
            throw ModelEncodingError(
                reason: .rejected,
                explanation: "\(type(of: value as Any)) is no \(Base.Value.self)"
            )
        }
        try Base.encode(base, to: &writer)
    }
}

/// Stands where a coding is missing, so that the compiler says only that.
public enum _NoProtocol<Value>: ProtocolCoding {
    /// Never asked for.
    public static var tagging: ConformerTagging { .standard }
    /// Without any.
    public static var conformers: ConformerTable<Value> {
        ConformerTable("", tagging: .standard) { _ in nil }
    }
    /// Never called.
    public static func modelType(of value: Value) -> Any.Type { Value.self }
    /// Never called.
    public static func typeName(of value: Value) -> String { "" }
    /// Never called.
    public static func encodeContent(_ value: Value, to writer: inout ModelWriter) throws {}
}
