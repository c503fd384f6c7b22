// The codings of `@Attribute(unknown:)`, and of elements that may be left out.

/// The coding of elements that a collection leaves out when they cannot be read.
public enum SkippingCoding<Base: ModelCoding>: ModelCoding {
    /// Reads the value; the collection around it catches the error.
    @inlinable
    public static func decode(from reader: inout ModelReader) throws -> Base.Value {
        try Base.decode(from: &reader)
    }

    /// Writes the value.
    @inlinable
    public static func encode(_ value: Base.Value, to writer: inout ModelWriter) throws {
        try Base.encode(value, to: &writer)
    }

    /// Left out when the value is.
    @inlinable
    public static func isAbsent(_ value: Base.Value) -> Bool { Base.isAbsent(value) }

    /// That of the value.
    public static var column: CodedColumn { Base.column }

    /// Elements are left out.
    @inlinable
    public static var skipsUnknown: Bool { true }
}

/// The coding of `any P` without the policy of the protocol: what cannot be read is an error.
public enum StrictCoding<Base: ProtocolCoding>: ModelCoding {
    /// Finds the conformer and lets it read the value.
    ///
    /// - Throws: ``ModelDecodingError`` without a known type, and what the conformer throws.
    @inlinable
    public static func decode(from reader: inout ModelReader) throws -> Base.Value {
        try Base.conformers.decode(from: &reader)
    }

    /// Writes the value together with the name of its type.
    @inlinable
    public static func encode(_ value: Base.Value, to writer: inout ModelWriter) throws {
        try Base.encode(value, to: &writer)
    }
}

/// The coding of a value that reads and writes itself.
public enum ValueCoding<Value: ModelValue>: ModelCoding {
    /// Reads the value.
    @inlinable
    public static func decode(from reader: inout ModelReader) throws -> Value {
        try Value(modelValue: &reader)
    }

    /// Writes the value.
    @inlinable
    public static func encode(_ value: Value, to writer: inout ModelWriter) throws {
        try value.encode(to: &writer)
    }

    /// That of the type.
    public static var column: CodedColumn { CodedColumn(type: Value.columnType) }
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
@_disfavoredOverload
public func _preserving<Base: ModelCoding>(_ base: Base.Type) -> Base.Type { base }
