public import DovetailModel

// How relationships to protocols are read from a document into objects that no context has: only what an
// object owns can be. `ModelContext.decode(_:from:as:)` finds others by their keys.

extension ModelReader {
    /// Reads the object of a relationship to a protocol that always has one. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError``, of kind `rejected` for the key of an object.
    public mutating func readRelationship<Object: PersistentModel, Coding: ProtocolCoding>(
        _ slot: inout Coding.Value?,
        _ name: StaticString,
        of owner: Object.Type,
        by coding: Coding.Type
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = try readOwned(coding, name, owner)
    }

    /// Reads the object of a relationship to a protocol. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError``, of kind `rejected` for the key of an object.
    public mutating func readRelationship<Object: PersistentModel, Coding: ProtocolCoding>(
        _ slot: inout Coding.Value??,
        _ name: StaticString,
        of owner: Object.Type,
        by coding: Coding.Type
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = try readNull() ? .some(nil) : readOwned(coding, name, owner)
    }

    /// Reads the objects of a relationship to a protocol. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError``, of kind `rejected` for the key of an object.
    public mutating func readRelationship<Object: PersistentModel, Coding: ProtocolCoding>(
        _ slot: inout [Coding.Value]?,
        _ name: StaticString,
        of owner: Object.Type,
        by coding: Coding.Type
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = try readAllOwned(coding, name, owner)
    }

    /// The same for an optional array. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError``, of kind `rejected` for the key of an object.
    public mutating func readRelationship<Object: PersistentModel, Coding: ProtocolCoding>(
        _ slot: inout [Coding.Value]??,
        _ name: StaticString,
        of owner: Object.Type,
        by coding: Coding.Type
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = try readNull() ? .some(nil) : readAllOwned(coding, name, owner)
    }

    private mutating func readAllOwned<Coding: ProtocolCoding>(
        _ coding: Coding.Type,
        _ name: StaticString,
        _ owner: any PersistentModel.Type
    ) throws -> [Coding.Value] {
        var objects: [Coding.Value] = []
        var array = try beginArray()
        while try nextElement(in: &array) { objects.append(try readOwned(coding, name, owner)) }
        return objects
    }

    /// Reads an object that belongs to the one around it, which it does not name.
    private mutating func readOwned<Coding: ProtocolCoding>(
        _ coding: Coding.Type,
        _ name: StaticString,
        _ owner: any PersistentModel.Type
    ) throws -> Coding.Value {
        let unions = ObjectShape.of(owner).unions
        guard unions.first(where: { $0.name == name.description })?.first.isOwning == true else {
            throw rejected(
                expected: "nothing: `\(name)` does not own its objects, and "
                    + "context.decode(_:from:as:) finds those of others"
            )
        }
        let value = try leavingOutObjects { try Coding.decode(from: &$0) }
        if let object = value as? any PersistentModel { try requireAll(of: object, ownedBy: name) }
        return value
    }
}
