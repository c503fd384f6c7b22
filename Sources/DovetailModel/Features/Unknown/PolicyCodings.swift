// The codings of `@Attribute(unknown:)`, and of elements that may be left out.

/// The coding of elements that a collection leaves out when they cannot be read:
/// `@Attribute(unknown: .skip)`. Generated code names it.
///
/// It reads as `Base` does. Only ``skipsUnknown`` differs, which ``ArrayCoding``, ``SetCoding`` and
/// ``DictionaryCoding`` ask for; a single value still fails.
public enum SkippingCoding<Base: ModelCoding>: ModelCoding {
    /// Reads the value; the collection around it catches the error.
    ///
    /// - Throws: what `Base` throws.
    @inlinable
    public static func decode(from reader: inout ModelReader) throws -> Base.Value {
        try Base.decode(from: &reader)
    }

    /// Writes the value.
    @inlinable
    public static func encode(_ value: Base.Value, to writer: inout ModelWriter) throws {
        try Base.encode(value, to: &writer)
    }

    /// A field is left out when `Base` leaves it out.
    @inlinable
    public static func isAbsent(_ value: Base.Value) -> Bool { Base.isAbsent(value) }

    /// The column of `Base`.
    public static var column: CodedColumn { Base.column }

    /// Elements are left out.
    @inlinable
    public static var skipsUnknown: Bool { true }
}

/// The coding of `any P` without the policy of the protocol: what cannot be read is an error, as
/// `@Attribute(unknown: .throw)` says. Generated code names it.
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

/// The coding of a ``ModelValue``, which reads and writes itself. Generated code names it where a
/// coding has to wrap one: `SkippingCoding<ValueCoding<User>>`.
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

    /// Those of the type.
    @inlinable
    public static var documentKinds: DocumentKinds { Value.documentKinds }

    /// What the type says.
    @inlinable
    public static var readsNull: Bool { Value.readsNull }

    /// The column of the type.
    public static var column: CodedColumn { CodedColumn(type: Value.columnType) }
}
