// How generated code spells the coding of a property: these functions wrap metatypes, as
// `_array(_optional(…))`, around the innermost coding, which the compiler finds as a member
// of the protocol (`_coding`). Nothing is made at run time.

/// The coding of an optional. Called by generated code.
@inlinable
public func _optional<Coding: ModelCoding>(_: Coding.Type) -> OptionalCoding<Coding>.Type {
    OptionalCoding<Coding>.self
}

/// The coding of an array. Called by generated code.
@inlinable
public func _array<Coding: ModelCoding>(_: Coding.Type) -> ArrayCoding<Coding>.Type {
    ArrayCoding<Coding>.self
}

/// The coding of a set. Called by generated code.
@inlinable
public func _set<Coding: ModelCoding>(_: Coding.Type) -> SetCoding<Coding>.Type {
    SetCoding<Coding>.self
}

/// The coding of a transform. Called by generated code.
@inlinable
public func _transformed<Transform: ModelTransform>(
    _: Transform.Type
) -> TransformCoding<Transform>.Type {
    TransformCoding<Transform>.self
}

/// The coding of a transformer. Called by generated code.
public func _transformable<Value, Transformer: ValueTransformer>(
    _: Transformer.Type
) -> TransformerCoding<Value, Transformer>.Type {
    TransformerCoding<Value, Transformer>.self
}

/// The coding of a dictionary. Called by generated code.
@inlinable
public func _dictionary<Key: ModelKey, Coding: ModelCoding>(
    _: Key.Type,
    _: Coding.Type
) -> DictionaryCoding<Key, Coding>.Type {
    DictionaryCoding<Key, Coding>.self
}

/// The coding of a value. Called by generated code.
@inlinable
public func _value<Value: ModelValue>() -> ValueCoding<Value>.Type { ValueCoding<Value>.self }

/// The coding of `@Attribute(unknown: .skip)` elements. Called by generated code.
@inlinable
public func _skipping<Base: ProtocolCoding>(
    _: Base.Type
) -> SkippingCoding<StrictCoding<Base>>.Type {
    SkippingCoding<StrictCoding<Base>>.self
}

/// The same for other elements. Called by generated code.
@_disfavoredOverload
@inlinable
public func _skipping<Base: ModelCoding>(_: Base.Type) -> SkippingCoding<Base>.Type {
    SkippingCoding<Base>.self
}

/// The coding of `@Attribute(unknown: .throw)`. Called by generated code.
@inlinable
public func _throwing<Base: ProtocolCoding>(_: Base.Type) -> StrictCoding<Base>.Type {
    StrictCoding<Base>.self
}

/// The same for other values, which have no policy. Called by generated code.
@_disfavoredOverload
@inlinable
public func _throwing<Base: ModelCoding>(_ base: Base.Type) -> Base.Type { base }

/// The coding of `@Attribute(unknown: .preserve)`. Called by generated code.
@inlinable
public func _preserving<Base: PreservingCoding>(_ base: Base.Type) -> Base.Type { base }

/// There is no type that an element could be kept as.
@available(
    *,
    unavailable,
    message: """
        the protocol has no type that stands for unknown elements; write \
        @ModelProtocol(unknown: .preserve) at the protocol
        """
)
/// The protocol has no type to keep an element as: the compiler says so, at the property.
@_disfavoredOverload
public func _preserving<Base: ModelCoding>(_ base: Base.Type) -> Base.Type { base }
