import DovetailModel
import DovetailStore

// Relationships to one on both sides: no two rows hold the key of the same object after a save. What the
// save gives an object to stays; others are taken out, also those to which somebody else has given it
// meanwhile, in a row of its own. The objects learn of it when everything is written.

extension ObjectRegistry {
    /// Finds out who leaves relationships to one when what waits is saved, after conflicts were decided:
    /// where the store has won, an object is given to nobody.
    ///
    /// - Complexity: linear in the number of new and changed objects of classes whose rows hold the key of
    ///   a relationship to one on both sides, and one query for each such relationship of them that was
    ///   given an object with a row.
    /// - Throws: what the store throws, and ``ModelDecodingError`` for a row that is no object of its
    ///   class.
    func settleOnes(on connection: any StoreConnection) throws {
        plan.forgetLeaving()
        for (object, fate) in plan.fates.values {
            guard case .adopt(_, let absorbed) = fate else { continue }
            try settleOnes(of: object, absorbed, on: connection)
        }
        for map in Array(maps.values) {
            let isShared = try isShared(map)
            guard isShared || map.shape.hasOnes else { continue }
            let root = ObjectIdentifier(map.shape.type)
            let waiting =
                map.changed.filter(\.persistentBacking.isWaitingToChange)
                + inserted.filter { isNew($0) && Swift.type(of: $0).rootIdentifier == root }
            // Each class has relationships of its own, and those that it inherits in common with others.
            var places: [Int: [Place]] = [:]
            for objects in Dictionary(grouping: waiting, by: { ObjectIdentifier(type(of: $0)) })
                .values
            {
                let type = type(of: objects[0])
                let (shape, entity) = (ObjectShape.of(type), try context.entity(of: type))
                for case .key(let index, let column) in entity.relationshipColumns
                where shape.isOne(index) {
                    let isOptional = shape.relationships[index].isOptional
                    places[column, default: []] += objects.map {
                        Place(object: $0, index: index, entity: entity, isOptional: isOptional)
                    }
                }
            }
            let table = try context.entity(of: map.shape.type)
            for (column, places) in places {
                try settle(places, column, map.shape.type, table, on: connection)
            }
        }
    }

    /// A relationship to one of an object, whose row holds the key of the other one.
    private struct Place {
        let object: any PersistentModel
        let index: Int
        let entity: EntityBinding
        let isOptional: Bool
    }

    private func settle(
        _ places: [Place],
        _ column: Int,
        _ root: any PersistentModel.Type,
        _ table: EntityBinding,
        on connection: any StoreConnection
    ) throws {
        // Invariant: a column belongs to one relationship, and places are there.
        let isOptional = places[0].isOptional
        func leave(_ object: any PersistentModel, _ stored: RowImage?) {
            plan.leave(object, column: isOptional ? column : nil, stored: stored)
        }
        // What is given by this save, and what objects only keep whose rows others have deleted.
        var holders: [RowKey: any PersistentModel] = [:]
        var kept: [RowKey: any PersistentModel] = [:]
        for place in places {
            let object = place.object
            guard let (key, isGiven) = try given(object, place.index, column, place.entity) else {
                continue
            }
            if !isGiven {
                if let other = kept.updateValue(object, forKey: key) { leave(other, nil) }
            } else if let other = holders.updateValue(object, forKey: key) {
                leave(other, other.persistentBacking.base)
            }
        }
        let keys = Array(Set(holders.keys).union(kept.keys))
        for start in stride(from: 0, to: keys.count, by: 500) {
            let part = keys.dropFirst(start).prefix(500)
            let filter = table.filter(of: part.map(\.values), in: [column])
            let cursor = try connection.rows(of: Query(table, filter: filter))
            defer { cursor.close() }
            while try cursor.next() {
                let stored = RowImage(try table.values(of: cursor))
                let other = try context.anyObject(at: cursor, table, of: root)
                guard let key = try key(in: stored, column, table),
                    try stays(other, key, column, context.entity(of: type(of: other)))
                else { continue }
                if let holder = holders[key] {
                    if holder !== other { leave(other, stored) }
                } else if let object = kept.removeValue(forKey: key), object !== other {
                    leave(object, nil)
                }
            }
        }
        for (key, object) in kept where holders[key] != nil { leave(object, nil) }
    }

    /// What a save writes into a column of a new or changed object that refers to one with a row, and
    /// whether it was given to it here; nil where it is nothing, or what is stored.
    private func given(
        _ object: any PersistentModel,
        _ index: Int,
        _ column: Int,
        _ entity: EntityBinding
    ) throws -> (key: RowKey, isGiven: Bool)? {
        let backing = object.persistentBacking
        if case .adopt? = plan[object] {
            // What it takes over of the row that it stands for it only keeps.
            guard let key = try key(in: row(of: object, entity, plan), column, entity) else {
                return nil
            }
            return (key, backing.slots[index].key == key)
        }
        guard let key = backing.slots[index].key else { return nil }
        if case .one(let other) = backing.slots[index],
            other.persistentBacking.state == .inserted, plan[other] == nil
        {
            return nil
        }
        let isGiven = try backing.base.map { try self.key(in: $0, column, entity) != key } ?? true
        switch plan[object] {
        case nil: return isGiven ? (key, true) : nil
        case .update(let stored, let columns):
            guard columns.contains(column), try self.key(in: stored, column, entity) != key
            else { return nil }
            return (key, true)
        case .insert(let lost): return lost.contains(column) ? nil : (key, isGiven)
        case .delete, .keep, .gone, .adopt, .absorbed: return nil
        }
    }

    /// Whether a stored row refers to the same object after the save.
    private func stays(
        _ object: any PersistentModel,
        _ key: RowKey,
        _ column: Int,
        _ entity: EntityBinding
    ) throws -> Bool {
        switch plan[object] {
        case .delete, .gone, .absorbed: return false
        case nil where object.persistentBacking.state.isDeleted: return false
        case nil where try keepsStored(column, of: object, entity): return true
        case nil, .update, .insert, .keep, .adopt:
            return try self.key(in: row(of: object, entity, plan), column, entity) == key
        }
    }

    /// Whether an object with a row refers to what it referred to before: what others have stored there stays.
    private func keepsStored(
        _ column: Int,
        of object: any PersistentModel,
        _ entity: EntityBinding
    ) throws -> Bool {
        let backing = object.persistentBacking
        guard backing.isChanged, let base = backing.base else { return false }
        return try key(in: base, column, entity)
            == key(in: context.row(of: object), column, entity)
    }

    /// What a column of a row holds that refers to another row.
    private func key(
        in row: RowImage,
        _ column: Int,
        _ entity: EntityBinding
    ) throws -> RowKey? {
        if row.isNull(column) { return nil }
        return RowKey([try QueryValue(row, column, entity.attributes[column])])
    }

    /// Whether an object was given to another one here, which waits to be saved.
    ///
    /// - Parameter index: The relationship of the other one that holds the key.
    func waits(_ object: any PersistentModel, for index: Int) throws -> Bool {
        let backing = object.persistentBacking
        if backing.state == .inserted { return true }
        guard backing.isWaitingToChange, let base = backing.base else { return false }
        let entity = try context.entity(of: Swift.type(of: object))
        for case .key(index, let column) in entity.relationshipColumns {
            return try key(in: base, column, entity) != backing.slots[index].key
        }
        return false
    }

    // MARK: New objects that stand for stored rows

    /// An object that stands for a row may have another one in a relationship to one than that row, which
    /// the rows of the others say: its own wins.
    private func settleOnes(
        of object: any PersistentModel,
        _ absorbed: [any PersistentModel],
        on connection: any StoreConnection
    ) throws {
        let shape = object.persistentBacking.shape(of: object)
        guard let key = object.persistentBacking.key?.values.first else { return }
        for (index, relationship) in shape.relationships.enumerated()
        where !relationship.isToMany && !shape.isLaterPart(index) {
            let parts = Array(shape.union(of: index)?.parts ?? index..<index + 1)
            var own: [(object: any PersistentModel, part: Int)] = []
            for other in [object] + absorbed {
                let slots = other.persistentBacking.slots
                for part in parts where slots.indices.contains(part) {
                    if case .one(let one) = slots[part], !one.persistentBacking.state.isDeleted {
                        own.append((one, part))
                    }
                }
            }
            guard let winner = own.first?.object else { continue }
            for part in parts where !shape.relationships[part].holdsKey {
                let others = own.dropFirst().filter { $0.part == part }.map(\.object)
                try settle(shape.relationships[part], key, winner, others, on: connection)
            }
        }
    }

    /// Takes an object out of a relationship of all others of one class but of the one that has it.
    private func settle(
        _ relationship: ObjectShape.Relationship,
        _ key: QueryValue,
        _ winner: any PersistentModel,
        _ known: [any PersistentModel],
        on connection: any StoreConnection
    ) throws {
        guard let inverse = relationship.inverse,
            context.container.schema.contains(relationship.target)
        else { return }
        let entity = try context.entity(of: relationship.target)
        guard let column = entity.column(ofRelationship: inverse) else { return }
        var others = known.map { ($0, $0.persistentBacking.base) }
        let filter = QueryExpression.equal(
            .attribute(column, isOptional: entity.attributes[column].isOptional),
            .value(key)
        )
        let cursor = try connection.rows(of: Query(entity, filter: filter))
        defer { cursor.close() }
        while try cursor.next() {
            let stored = RowImage(try entity.values(of: cursor))
            let other = try context.anyObject(at: cursor, entity, of: relationship.target)
            // What was changed here says itself where it belongs.
            if other.persistentBacking.state == .stored, !other.persistentBacking.isChanged {
                others.append((other, stored))
            }
        }
        for (other, stored) in others where other !== winner {
            let goes =
                relationship.deleteRule == .cascade
                || !ObjectShape.of(relationship.target).relationships[inverse].isOptional
            plan.leave(other, column: goes ? nil : column, stored: stored)
        }
    }
}

extension EntityBinding {
    /// The column of a relationship to one whose key the rows hold.
    fileprivate func column(ofRelationship index: Int) -> Int? {
        relationshipColumns.lazy.compactMap { part in
            if case .key(index, let column) = part { column } else { nil }
        }
        .first
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
