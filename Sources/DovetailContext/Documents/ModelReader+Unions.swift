public import DovetailModel

// How relationships to protocols are read from a document into objects that no context has: only what an
// object owns can be. `ModelContext.decode(_:from:as:)` finds others by their keys.

extension ModelReader {
    /// Reads the object of a relationship to a protocol that always has one. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError``, of kind `rejected` for the key of an object.
    public mutating func readRelationship<Coding: ProtocolCoding>(
        _ slot: inout Coding.Value?,
        _ name: StaticString,
        by coding: Coding.Type
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = try readOwned(coding)
    }

    /// Reads the object of a relationship to a protocol. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError``, of kind `rejected` for the key of an object.
    public mutating func readRelationship<Coding: ProtocolCoding>(
        _ slot: inout Coding.Value??,
        _ name: StaticString,
        by coding: Coding.Type
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = try readNull() ? .some(nil) : readOwned(coding)
    }

    /// Reads the objects of a relationship to a protocol. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError``, of kind `rejected` for the key of an object.
    public mutating func readRelationship<Coding: ProtocolCoding>(
        _ slot: inout [Coding.Value]?,
        _ name: StaticString,
        by coding: Coding.Type
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = try readAllOwned(coding)
    }

    /// The same for an optional array. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError``, of kind `rejected` for the key of an object.
    public mutating func readRelationship<Coding: ProtocolCoding>(
        _ slot: inout [Coding.Value]??,
        _ name: StaticString,
        by coding: Coding.Type
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = try readNull() ? .some(nil) : readAllOwned(coding)
    }

    private mutating func readAllOwned<Coding: ProtocolCoding>(
        _ coding: Coding.Type
    ) throws -> [Coding.Value] {
        var objects: [Coding.Value] = []
        var array = try beginArray()
        while try nextElement(in: &array) { objects.append(try readOwned(coding)) }
        return objects
    }

    /// Reads an object that belongs to the one around it, which it does not name.
    private mutating func readOwned<Coding: ProtocolCoding>(
        _ coding: Coding.Type
    ) throws -> Coding.Value {
        try leavingOutObjects { try Coding.decode(from: &$0) }
    }
}
