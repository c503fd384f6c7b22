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

// Generated code asks for the coding of each part of a composition and takes the first one.

/// Both are model protocols: the first one wins. Called by generated code.
@inlinable
public func _pick<First: ProtocolCoding, Second: ProtocolCoding>(
    _ first: First.Type,
    _: Second.Type
) -> First.Type { first }

/// Only the first is a model protocol. Called by generated code.
@inlinable
public func _pick<First: ProtocolCoding>(_ first: First.Type, _: _NoCoding.Type) -> First.Type {
    first
}

/// Only the second is a model protocol. Called by generated code.
@inlinable
public func _pick<Second: ProtocolCoding>(
    _: _NoCoding.Type,
    _ second: Second.Type
) -> Second.Type { second }

/// None is a model protocol. Called by generated code.
@inlinable
public func _pick(_: _NoCoding.Type, _: _NoCoding.Type) -> _NoCoding.Type { _NoCoding.self }

/// The coding of exactly this existential. Called by generated code.
@inlinable
public func _existential<Coding: ProtocolCoding>(
    _ coding: Coding.Type,
    _: Coding.Value.Type
) -> Coding.Type { coding }

/// The coding of an existential that asks for more than the model protocol. Called by generated
/// code.
@_disfavoredOverload
@inlinable
public func _existential<Coding: ProtocolCoding, Value>(
    _: Coding.Type,
    _: Value.Type
) -> CompositionCoding<Coding, Value>.Type { CompositionCoding<Coding, Value>.self }

/// There is no coding.
@available(
    *,
    unavailable,
    message: "none of the protocols is a model type; put @ModelProtocol on one of them"
)
public func _existential<Value>(
    _: _NoCoding.Type,
    _ type: Value.Type
) -> CompositionCoding<_NoProtocol<Value>, Value>.Type {
    CompositionCoding<_NoProtocol<Value>, Value>.self
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

/// Finds the table of a composition at the root of a document. Called by generated code.
@_disfavoredOverload
public func _table<Element, Coding: ProtocolCoding>(
    _: (Element?) -> Coding.Type
) -> ModelTable<Element> {
    ModelTable(CompositionCoding<Coding, Element>.self)
}

/// Finds the table of a model protocol. Called by generated code.
@inlinable
public func _table<Coding: ProtocolCoding>(
    _: (Coding.Value?) -> Coding.Type
) -> ModelTable<Coding.Value> {
    ModelTable(Coding.self)
}

/// There is no table.
@available(
    *,
    unavailable,
    message: "none of the protocols is a model type; put @ModelProtocol on one of them"
)
public func _table<Element>(_: (Element?) -> _NoCoding.Type) -> ModelTable<Element> {
    ModelTable(_NoProtocol<Element>.self)
}
