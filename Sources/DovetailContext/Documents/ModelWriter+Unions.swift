public import DovetailModel

// How relationships to protocols are written in documents. A key says which object of a class it is, and
// the type key says which class.

extension ModelWriter {
    /// Writes what a relationship to a protocol holds as a field; a row has columns of its own for it.
    /// Called by generated code.
    ///
    /// Owned objects are written as `any P` are, with their type key. Others are an object of the type
    /// key and the attribute that names them: `{"$type":"Manager","email":"ann@example.org"}`. The
    /// object that owns this one is left out.
    ///
    /// - Throws: ``ModelEncodingError`` of kind `cycle` where an owned object is one that is being
    ///   written, of kind `noKey` where nothing names another object, and what the objects'
    ///   `encode(to:)` throw.
    public mutating func relationship<Object: PersistentModel, Coding: ProtocolCoding>(
        _ name: StaticString,
        _ slot: Int,
        of object: Object,
        by coding: Coding.Type
    ) throws {
        if isRow { return }
        let shape = object.persistentBacking.shape(of: object)
        guard let union = shape.union(at: slot, declaredBy: Object.self) else { return }
        enter(object)
        defer { owners.removeLast() }
        if union.first.isToMany {
            let values = ObjectGraph.list(object, union, of: Coding.Value.self).values
            beginField(name)
            let scope = try beginArray()
            for value in values {
                try write(value, union, Object.self, by: coding)
                endField()
            }
            try endArray(scope)
            endField()
        } else if let other = ObjectGraph.one(object, union), let value = other as? Coding.Value,
            let part = shape.part(of: union, to: type(of: other)),
            !shape.relationships[part].isOwned
        {
            beginField(name)
            try write(value, union, Object.self, by: coding)
            endField()
        }
    }

    /// Writes an object that a relationship of another one holds.
    private mutating func write<Coding: ProtocolCoding>(
        _ value: Coding.Value,
        _ union: ObjectShape.Union,
        _ owner: any PersistentModel.Type,
        by coding: Coding.Type
    ) throws {
        guard let object = value as? any PersistentModel else { return }
        guard union.first.isOwning else {
            return try writeReference(to: object, union, owner, coding)
        }
        guard !owners.contains(ObjectIdentifier(object)) else {
            throw refused(
                .cycle,
                "`\(union.name)` of \(owner) is written with what it holds, and leads back to an object "
                    + "that is being written; its delete rule has to be another one than .cascade"
            )
        }
        guard isFirst(object) else { return try writeReference(to: object, union, owner, coding) }
        try Coding.encode(value, to: &self)
    }

    private mutating func writeReference<Object: PersistentModel, Coding: ProtocolCoding>(
        to object: Object,
        _ union: ObjectShape.Union,
        _ owner: any PersistentModel.Type,
        _ coding: Coding.Type
    ) throws {
        guard let key = object.persistentBacking.shape(of: object).reference else {
            throw refused(
                .noKey,
                "`\(union.name)` of \(owner) leads to objects of \(Object.self), which documents have "
                    + "no name for; declare one attribute of \(Object.self) with "
                    + "@Attribute(.primaryKey) or @Attribute(.unique), or the relationship with "
                    + "deleteRule: .cascade"
            )
        }
        guard let reference = try coding.reference(to: object, by: key) else {
            throw refused(
                .noKey,
                "`\(union.name)` of \(owner) leads to an object of \(Object.self) without a value in "
                    + "`\(key.property)`, by which documents name it"
            )
        }
        try reference.encode(to: &self)
    }
}
