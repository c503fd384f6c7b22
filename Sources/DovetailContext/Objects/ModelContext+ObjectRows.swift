import DovetailModel
import DovetailStore

// Objects and their rows: the attributes, which the class itself reads and writes, and the columns after
// them, which are the context's.

extension ModelContext {
    /// The row of an object, as it would be saved.
    ///
    /// - Parameter isBase: Whether it is to be the row before a change, in which other objects are as
    ///   they were before they were deleted.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    func row<Object: PersistentModel>(
        of object: Object,
        isBase: Bool = false
    ) throws -> RowImage {
        let entity = try entity(of: Object.self)
        let backing = object.persistentBacking
        let row = RowImage(columns: entity.attributes.count)
        try ModelWriter.writeRow(object, to: row, columns: entity.declaredCount)
        _ = backing.shape(of: Object.self)
        for relationship in entity.relationships {
            switch relationship {
            case .key(let index, let column):
                let key = backing.slots[index].key(evenOfDeleted: isBase)
                try key?.values.first?.set(column, of: row)
            case .member(let owner, let index, let key, let order):
                guard let owner = owner as? any PersistentModel.Type else { continue }
                if let place = backing.order(owner, index) { row.set(order, integer: place) }
                guard let key else { continue }
                let holder = backing.holderSlot(owner, index).key(evenOfDeleted: isBase)
                try holder?.values.first?.set(key, of: row)
            }
        }
        if Object.hiddenKey != nil, case .integer(let key)? = backing.key {
            row.set(entity.attributes.count - 1, integer: key)
        }
        return row
    }

    /// The object of the row at which a cursor is.
    ///
    /// - Throws: ``ModelDecodingError`` for a row that is no object of the class.
    func object<Object: PersistentModel>(
        at row: any RowSource,
        _ entity: EntityBinding,
        _ map: ObjectMap,
        _ commit: Int
    ) throws -> Object {
        let key = try RowKey(row: row, entity: entity)
        if let found = map.objects[key] {
            // Invariant: a map has objects of its class alone.
            let known = unsafeDowncast(found, to: Object.self)
            let backing = known.persistentBacking
            if backing.state == .stored, !backing.isChanged, backing.commit < commit {
                try refresh(known, from: row)
                backing.commit = commit
            }
            return known
        }
        let object = try ModelReader.readRow(
            of: Object.self,
            from: row,
            fields: entity.fields,
            spareState
        )
        registry.register(object, key, in: map)
        let backing = object.persistentBacking
        backing.commit = commit
        try readRelationships(of: object, from: row, entity)
        return object
    }

    /// Gives an object what its row says.
    ///
    /// - Throws: ``ModelDecodingError`` for a row that is no object of the class.
    func refresh<Object: PersistentModel>(_ object: Object, from row: any RowSource) throws {
        let entity = try entity(of: Object.self)
        object._take(
            from: try ModelReader.readRow(
                of: Object.self,
                from: row,
                fields: entity.fields,
                spareState
            )
        )
        object.persistentBacking.places = []
        try readRelationships(of: object, from: row, entity)
    }

    private func readRelationships<Object: PersistentModel>(
        of object: Object,
        from row: any RowSource,
        _ entity: EntityBinding
    ) throws {
        let backing = object.persistentBacking
        let shape = backing.shape(of: Object.self)
        guard !shape.relationships.isEmpty || !entity.relationships.isEmpty else { return }
        for (index, relationship) in shape.relationships.enumerated() where !relationship.holdsKey {
            backing.slots[index] = .unloaded
        }
        func slot(_ column: Int) throws -> RelationSlot {
            if row.isNull(column) { return .nothing }
            return .key(RowKey([try QueryValue(row, column, entity.attributes[column])]))
        }
        for relationship in entity.relationships {
            switch relationship {
            case .key(let index, let column):
                let new = try slot(column)
                // The object that it is known to be stays.
                if case .one(let known) = backing.slots[index],
                    known.persistentBacking.key == new.key
                {
                    continue
                }
                backing.slots[index] = new
            case .member(let owner, let index, let key, let order):
                guard let owner = owner as? any PersistentModel.Type else { continue }
                let holder = try key.map { try slot($0) } ?? .nothing
                let place = row.integer(order)
                guard place != nil || holder.key != nil else { continue }
                backing.places.append(
                    RelationPlace(
                        owner: ObjectIdentifier(owner),
                        index: index,
                        holder: holder,
                        order: place
                    )
                )
            }
        }
    }
}

extension RelationSlot {
    /// The key of the object that it holds.
    var key: RowKey? { key(evenOfDeleted: false) }

    /// The key of the object that it holds; nil for one that was deleted, unless that is asked for, too.
    func key(evenOfDeleted isBase: Bool) -> RowKey? {
        switch self {
        case .key(let key): key
        case .one(let object):
            object.persistentBacking.state.isDeleted && !isBase
                ? nil : object.persistentBacking.key
        case .nothing, .unloaded, .many: nil
        }
    }
}
