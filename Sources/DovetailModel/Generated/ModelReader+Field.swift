// What generated code calls for each field: one overload for each kind of property, chosen by the
// compiler.
//
// The generic ones are specialized in the user's module, once for each type of value, but not
// inlined. That halves the code of an initializer, takes an eighth off the time of its compilation,
// and costs no time at run time.

extension ModelReader {
    /// Reads a field into its slot. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` when the slot is filled (`repeatedField`), and what the
    ///   value throws.
    @inlinable
    @inline(never)
    public mutating func read<Value: ModelValue>(
        _ slot: inout Value?,
        _ name: StaticString
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = .some(try Value(modelValue: &self))
    }

    /// Reads a field of a plain `Codable` type into its slot. Called by generated code; disfavored,
    /// so that a ``ModelValue`` is read as that.
    ///
    /// - Throws: as ``readCodable(_:)``.
    @_disfavoredOverload
    public mutating func read<Value: Decodable>(
        _ slot: inout Value?,
        _ name: StaticString
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = .some(try readCodable(Value.self))
    }

    /// Reads a field of `T??` for a plain `Codable` type, where null is a value and no absent field.
    /// Called by generated code.
    ///
    /// - Throws: as ``readCodable(_:)``.
    @_disfavoredOverload
    public mutating func read<Value: Decodable>(
        _ slot: inout Value???,
        _ name: StaticString
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = .some(.some(try readCodable(Value?.self)))
    }

    /// Reads a field through the coding of its type: `any P`, a container of it, or a transform.
    /// Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` when the slot is filled, and what the coding throws.
    @inlinable
    @inline(never)
    public mutating func read<Coding: ModelCoding>(
        _ slot: inout Coding.Value?,
        _ name: StaticString,
        by coding: Coding.Type
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = .some(try coding.decode(from: &self))
    }

    /// Enters a field that holds an object around attributes of the model (`@Attribute(name:
    /// "a.b")`). Called by generated code.
    ///
    /// - Returns: false for null, which counts as an object without fields.
    /// - Throws: ``ModelDecodingError`` the second time (`repeatedField`).
    @inlinable
    public mutating func enterField(
        _ seen: inout SeenObject,
        _ name: StaticString
    ) throws -> Bool {
        guard case .absent = seen else { throw repeatedField(name) }
        seen = try readNull() ? .null : .object
        return seen == .object
    }
}

/// What a document has in place of an object around attributes. Used by generated code.
@frozen
public enum SeenObject: Sendable {
    /// Nothing, or nothing yet.
    case absent
    /// Null, which is an object without fields.
    case null
    /// An object.
    case object
}
