import DovetailModel
import DovetailStore

extension ObjectRegistry {
    /// Takes objects out of relationships to one whose other side somebody else has given another object
    /// meanwhile, in a row of its own: what is saved last stays, and no two objects hold the same one.
    ///
    /// - Complexity: linear in the number of new and changed objects of classes whose rows hold the key of
    ///   a relationship to one on both sides, and one query for each such relationship of them that was
    ///   given an object with a row.
    /// - Throws: what the store throws, and ``ModelDecodingError`` for a row that is no object of its
    ///   class.
    func settleOnes(on connection: any StoreConnection) throws {
        for map in Array(maps.values) {
            let isShared = try isShared(map)
            guard isShared || map.shape.hasOnes else { continue }
            let root = ObjectIdentifier(map.shape.type)
            let waiting =
                map.changed.filter(\.persistentBacking.isWaitingToChange)
                + inserted.filter { isNew($0) && Swift.type(of: $0).rootIdentifier == root }
            // Each class has its own relationships.
            let classes = Dictionary(grouping: waiting) { ObjectIdentifier(Swift.type(of: $0)) }
            for objects in classes.values {
                let type = Swift.type(of: objects[0])
                let (shape, entity) = (ObjectShape.of(type), try context.entity(of: type))
                for case .key(let index, let column) in entity.relationshipColumns
                where shape.isOne(index) {
                    try settle(objects, index, column, shape, entity, on: connection)
                }
            }
        }
    }

    private func settle(
        _ waiting: [any PersistentModel],
        _ index: Int,
        _ column: Int,
        _ shape: ObjectShape,
        _ entity: EntityBinding,
        on connection: any StoreConnection
    ) throws {
        var holders: [RowKey: any PersistentModel] = [:]
        for object in waiting {
            let backing = object.persistentBacking
            guard case .one(let other) = backing.slots[index],
                other.persistentBacking.state == .stored, let key = other.persistentBacking.key
            else { continue }
            if let base = backing.base, try key == baseKey(base, column, entity) { continue }
            // Both may have been given it here, one of them before others gave it a third one.
            guard let known = holders[key] else {
                holders[key] = object
                continue
            }
            let isKnownHeld =
                shape.relationships[index].inverse.map {
                    if case .one(let held) = other.persistentBacking.slots[$0] {
                        held === known
                    } else {
                        false
                    }
                } ?? false
            leave(isKnownHeld ? object : known, index, to: isKnownHeld ? known : object)
            holders[key] = isKnownHeld ? known : object
        }
        let keys = Array(holders.keys)
        for start in stride(from: 0, to: keys.count, by: 500) {
            let part = keys.dropFirst(start).prefix(500)
            let filter = entity.filter(of: part.map(\.values), in: [column])
            let cursor = try connection.rows(of: Query(entity, filter: filter))
            var others: [any PersistentModel] = []
            do {
                defer { cursor.close() }
                let type = Swift.type(of: waiting[0])
                while try cursor.next() {
                    others.append(try context.anyObject(at: cursor, entity, of: type))
                }
            }
            for other in others {
                guard let key = other.persistentBacking.slots[index].key,
                    let holder = holders[key], holder !== other,
                    !other.persistentBacking.state.isDeleted
                else { continue }
                leave(other, index, to: holder)
            }
        }
    }

    /// What a column of a row held that refers to another row.
    private func baseKey(
        _ base: RowImage,
        _ column: Int,
        _ entity: EntityBinding
    ) throws -> RowKey? {
        if base.isNull(column) { return nil }
        return RowKey([try QueryValue(base, column, entity.attributes[column])])
    }

    /// Takes an object out of its relationship, whose other side belongs to another one now.
    private func leave(
        _ other: any PersistentModel,
        _ index: Int,
        to holder: any PersistentModel
    ) {
        let backing = other.persistentBacking
        let relationship = backing.shape(of: other).relationships[index]
        guard case .one(let target) = holder.persistentBacking.slots[index] else { return }
        if relationship.isOptional {
            markChanged(other)
            ObjectGraph.put(.nothing, other, index)
        } else {
            context.deleteObject(other)
        }
        if let inverse = relationship.inverse {
            ObjectGraph.put(.one(holder), target, inverse)
        }
    }
}

extension ObjectShape {
    /// Whether the rows hold the key of an object that leads back to one.
    func isOne(_ index: Int) -> Bool {
        let relationship = relationships[index]
        guard relationship.holdsKey, !relationship.isToMany, let inverse = relationship.inverse
        else { return false }
        return !ObjectShape.of(relationship.target).relationships[inverse].isToMany
    }

    /// Whether there is such a relationship.
    var hasOnes: Bool { relationships.indices.contains(where: isOne) }
}
