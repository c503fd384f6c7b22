public import DovetailModel

// How relationships are read from a document into objects that no context has: only what an object owns
// can be. `ModelContext.decode(_:from:as:)` finds others by their keys.

extension ModelReader {
    /// Reads the object of a relationship that always has one. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError``, of kind `rejected` for the key of an object.
    public mutating func readRelationship<Object: PersistentModel>(
        _ slot: inout Object?,
        _ name: StaticString
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = try readOwned(name)
    }

    /// Reads the object of a relationship. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError``, of kind `rejected` for the key of an object.
    public mutating func readRelationship<Object: PersistentModel>(
        _ slot: inout Object??,
        _ name: StaticString
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = try readNull() ? .some(nil) : readOwned(name)
    }

    /// Reads the objects of a relationship. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError``, of kind `rejected` for the key of an object.
    public mutating func readRelationship<Object: PersistentModel>(
        _ slot: inout [Object]?,
        _ name: StaticString
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = try readAllOwned(name)
    }

    /// The same for an optional array. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError``, of kind `rejected` for the key of an object.
    public mutating func readRelationship<Object: PersistentModel>(
        _ slot: inout [Object]??,
        _ name: StaticString
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = try readNull() ? .some(nil) : readAllOwned(name)
    }

    private mutating func readAllOwned<Object: PersistentModel>(
        _ name: StaticString
    ) throws -> [Object] {
        var objects: [Object] = []
        var array = try beginArray()
        while try nextElement(in: &array) { objects.append(try readOwned(name)) }
        return objects
    }

    /// Reads an object that belongs to the one around it, which it does not name.
    private mutating func readOwned<Object: PersistentModel>(
        _ name: StaticString
    ) throws -> Object {
        guard try peekKind() == .object else {
            throw rejected(
                expected:
                    "an object of \(Object.self); context.decode(_:from:as:) reads the keys of "
                    + "others"
            )
        }
        let object = try leavingOutObjects { try Object(modelValue: &$0) }
        try requireAll(of: object, ownedBy: name)
        return object
    }

    /// Asks for what an object has to have that was read without the one around it, whose relationship
    /// of a name leads to it.
    ///
    /// - Throws: ``ModelDecodingError`` of kind `rejected`.
    mutating func requireAll<Object: PersistentModel>(
        of object: Object,
        ownedBy name: StaticString
    ) throws {
        let backing = object.persistentBacking
        let shape = backing.shape(of: object)
        for (index, relationship) in shape.relationships.enumerated()
        where !relationship.isOptional && !relationship.isToMany && !shape.isLaterPart(index) {
            let parts = shape.union(of: index)?.parts ?? index..<index + 1
            let isThere = parts.contains { part in
                if case .nothing = backing.slots[part] { false } else { true }
            }
            // The one around it, whose relationship leads here, gets there when that is set.
            let isOwned = parts.contains { part in
                let relationship = shape.relationships[part]
                guard relationship.isOwned, let inverse = relationship.inverse else { return false }
                let owner = ObjectShape.of(relationship.target)
                return owner.relationships[inverse].name == name.description
            }
            if isThere || isOwned { continue }
            throw rejected(
                expected: "an object of \(Object.self) with `\(relationship.name)` before this"
            )
        }
    }
}
