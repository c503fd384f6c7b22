// The codings of parents and compositions, found by overload resolution.
//
// A protocol has the tagging of its parent where it says nothing else. Generated code asks for the
// parent's coding with the same overload set that properties use. A parent that is no model
// protocol ends at the last overload, which answers ``_NoCoding``.

/// The answer for protocols that are no models.
public enum _NoCoding {
    /// There is none to inherit.
    public static var tagging: ConformerTagging? { nil }
    /// They are unknown.
    public static var requirements: ModelRequirements? { nil }
}

/// Chosen when a parent is no model protocol.
@_disfavoredOverload
@inlinable
public func _dovetailCoding<Value>(_: Value?) -> _NoCoding.Type { _NoCoding.self }

// Generated code asks for the coding of each part of a composition, `any P & Q`, and picks the
// first one that is a model protocol.

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
/// The composition has no model protocol: the compiler says so, at the property.
public func _existential<Value>(
    _: _NoCoding.Type,
    _ type: Value.Type
) -> CompositionCoding<_NoProtocol<Value>, Value>.Type {
    CompositionCoding<_NoProtocol<Value>, Value>.self
}

/// Finds the table of a composition at the root of a document. Called by generated code.
@_disfavoredOverload
public func _root<Element, Coding: ProtocolCoding>(
    _: (Element?) -> Coding.Type
) -> RootCoding<Element> {
    RootCoding(CompositionCoding<Coding, Element>.self)
}

/// Finds the table of a model protocol. Called by generated code.
@inlinable
public func _root<Coding: ProtocolCoding>(
    _: (Coding.Value?) -> Coding.Type
) -> RootCoding<Coding.Value> {
    RootCoding(Coding.self)
}

/// There is no table.
@available(
    *,
    unavailable,
    message: "none of the protocols is a model type; put @ModelProtocol on one of them"
)
/// The protocol is no model protocol: the compiler says so, at the call.
public func _root<Element>(_: (Element?) -> _NoCoding.Type) -> RootCoding<Element> {
    RootCoding(_NoProtocol<Element>.self)
}
