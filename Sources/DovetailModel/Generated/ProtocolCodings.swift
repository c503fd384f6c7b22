// The codings of protocols, and of parents and compositions.
//
// The extension that a macro writes for a model protocol has a property, `_dovetailCoding`, whose type
// names the coding of `any P`. Generated code asks for it in a closure that is never called:
//
//     Dovetail::_coding((any Pet).self) { $0._dovetailCoding }
//
// A member is found wherever its protocol is declared, also inside of a type, and that of a protocol
// that refines others wins over theirs. A protocol that is no model has no such member; for it
// ``_CodingQuery`` answers ``_NoCoding``.

/// The answer for protocols that are no models.
public enum _NoCoding {
    /// There is none to inherit.
    public static var tagging: ConformerTagging? { nil }
    /// They are unknown.
    public static var requirements: ModelRequirements? { nil }
}

/// What a closure is given to name the coding of an existential by: each member that the existential
/// has with a type for its value is a member of this one, and all others are ``_NoCoding``.
@dynamicMemberLookup
@frozen
public struct _CodingQuery<Value> {
    /// There is none: a query is what the compiler looks at, and no value of it is made.
    private init() {}

    /// The coding that the extension of a model protocol names.
    @inlinable
    public subscript<Coding>(dynamicMember member: KeyPath<Value, Coding.Type>) -> Coding.Type {
        Coding.self
    }

    /// Chosen for what is no model protocol.
    @_disfavoredOverload
    @inlinable
    public subscript(dynamicMember member: String) -> _NoCoding.Type { _NoCoding.self }
}

/// The coding of a protocol, or ``_NoCoding``. It is what the closure's type says; the closure is not
/// called. Called by generated code.
@inlinable
public func _coding<Value, Coding>(
    _: Value.Type,
    _: (_CodingQuery<Value>) -> Coding.Type
) -> Coding.Type { Coding.self }

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
    _: (_CodingQuery<Element>) -> Coding.Type
) -> RootCoding<Element> {
    RootCoding(CompositionCoding<Coding, Element>.self)
}

/// Finds the table of a model protocol. Called by generated code.
@inlinable
public func _root<Element, Coding: ProtocolCoding>(
    _: (_CodingQuery<Element>) -> Coding.Type
) -> RootCoding<Element> where Coding.Value == Element {
    RootCoding(Coding.self)
}

/// There is no table.
@available(
    *,
    unavailable,
    message: "the element is no model: put @Model on its type, or @ModelProtocol on its protocol"
)
/// The protocol is no model protocol: the compiler says so, at the call.
public func _root<Element>(_: (_CodingQuery<Element>) -> _NoCoding.Type) -> RootCoding<Element> {
    RootCoding(_NoProtocol<Element>.self)
}
