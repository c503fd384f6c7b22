// Existential types other than `any P` of one model protocol: compositions, protocols that refine a
// model protocol without being one, and typealiases of these.

/// The coding of an existential that asks for more than a model protocol: `any Vehicle & Insured`.
///
/// The macros name it for properties of such a type. `Base` is the coding of the first part that is
/// a model protocol, and its tagging is the form of the values. At the root of a document the
/// program names the coding itself:
///
/// ```swift
/// let table = RootCoding(CompositionCoding<VehicleModel, any Vehicle & Insured>.self)
/// let values = try [any Vehicle & Insured](decoding: data, as: .json, by: table)
/// let again = try values.encoded(as: .json, by: table)
/// ```
///
/// A value is read as `Base.Value` and then cast. The cast looks up a conformance for each value; a
/// model protocol that refines both parts needs no cast.
public enum CompositionCoding<Base: ProtocolCoding, Value>: ModelCoding {
    /// Reads a value of the model protocol and casts it.
    ///
    /// - Complexity: that of `Base`, and one dynamic cast.
    /// - Throws: ``ModelDecodingError`` with the kind `unknownType` when the conformer does not
    ///   fulfil the rest, and what `Base` throws.
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

    /// Casts the value and writes it as one of the model protocol.
    ///
    /// - Throws: ``ModelEncodingError`` with the kind `rejected` when the value is not of the
    ///   model protocol, and what `Base` throws.
    public static func encode(_ value: Value, to writer: inout ModelWriter) throws {
        guard let base = value as? Base.Value else {
            throw ModelEncodingError(
                kind: .rejected,
                explanation: "\(type(of: value as Any)) is no \(Base.Value.self)"
            )
        }
        try Base.encode(base, to: &writer)
    }
}

/// Takes the place of a missing coding, so that the compiler reports that and nothing else.
///
/// The functions that name this type are unavailable (ProtocolCodings.swift), so no member of it
/// ever runs.
public enum _NoProtocol<Value>: ProtocolCoding {
    /// Never read.
    public static var tagging: ConformerTagging { .standard }
    /// No conformers.
    public static var conformers: ConformerTable<Value> {
        ConformerTable("", tagging: .standard) { _ in nil }
    }
    /// None.
    public static var requirements: ModelRequirements {
        ModelRequirements(of: "", [], inheriting: [])
    }
    /// Never called.
    public static func modelType(of value: Value) -> Any.Type { Value.self }
    /// Never called.
    public static func typeName(of value: Value) -> String { "" }
    /// Never called.
    public static func encodeContent(_ value: Value, to writer: inout ModelWriter) throws {}
}
