public import DovetailModel

// How relationships are written in documents: what an object owns is inside of it, others are named by
// their keys.

extension ModelWriter {
    /// Writes what a relationship holds as a field; a row has columns of its own for it. Called by
    /// generated code.
    ///
    /// Owned objects are written as they are, others by the attribute that names them, and so is an owned one that
    /// is in the document already. The object that owns this one is left out: its document is around this one.
    ///
    /// - Throws: ``ModelEncodingError`` of kind `cycle` where an owned object is one that is being
    ///   written, of kind `noKey` where nothing names another object, and what the objects'
    ///   `encode(to:)` throw.
    public mutating func relationship<Object: PersistentModel>(
        _ name: StaticString,
        _ slot: Int,
        of object: Object
    ) throws {
        if isRow { return }
        let shape = object.persistentBacking.shape(of: object)
        let index = shape.index(at: slot, declaredBy: Object.self)
        let relationship = shape.relationships[index]
        if relationship.isOwned { return }
        enter(object)
        defer { owners.removeLast() }
        if relationship.isToMany {
            let objects = ObjectGraph.list(object, index).all
            beginField(name)
            let scope = try beginArray()
            for other in objects {
                try write(other, of: relationship, Object.self)
                endField()
            }
            try endArray(scope)
            endField()
        } else if let other = ObjectGraph.one(object, index) {
            beginField(name)
            try write(other, of: relationship, Object.self)
            endField()
        }
    }

    /// Begins with what is inside of an object.
    mutating func enter(_ object: some PersistentModel) {
        if owners.isEmpty {
            // The object itself may have been inside of another one before it: another mark says that this is about it.
            let mark = ObjectIdentifier(object.persistentBacking)
            if !ownedObjects.contains(mark) { ownedObjects = [mark] }
        }
        owners.append(ObjectIdentifier(object))
    }

    /// Whether an owned object is not in the document yet.
    mutating func isFirst(_ object: some PersistentModel) -> Bool {
        ownedObjects.insert(ObjectIdentifier(object)).inserted
    }

    /// Writes an object that a relationship of another one holds.
    private mutating func write<Object: PersistentModel>(
        _ object: Object,
        of relationship: ObjectShape.Relationship,
        _ owner: any PersistentModel.Type
    ) throws {
        if relationship.isOwning {
            guard !owners.contains(ObjectIdentifier(object)) else {
                throw refused(
                    .cycle,
                    "`\(relationship.name)` of \(owner) is written with what it holds, and leads back "
                        + "to an object that is being written; its delete rule has to be another one "
                        + "than .cascade"
                )
            }
            if isFirst(object) { return try object.encode(to: &self) }
        }
        guard let key = object.persistentBacking.shape(of: object).reference else {
            throw refused(
                .noKey,
                "`\(relationship.name)` of \(owner) leads to objects of \(Object.self), which "
                    + "documents have no name for; declare one attribute of \(Object.self) with "
                    + "@Attribute(.primaryKey) or @Attribute(.unique), or the relationship with "
                    + "deleteRule: .cascade"
            )
        }
        guard try key.writeField(of: object, to: &self) else {
            throw refused(
                .noKey,
                "`\(relationship.name)` of \(owner) leads to an object of \(Object.self) without a "
                    + "value in `\(key.property)`, by which documents name it"
            )
        }
    }
}
