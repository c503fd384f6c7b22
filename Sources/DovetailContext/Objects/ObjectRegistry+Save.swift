import DovetailModel
import DovetailStore

extension ObjectRegistry {
    /// What is to be written, in an order in which no row goes that another one still needs: first
    /// the changed references, then what is deleted, then other changes, then what is new.
    ///
    /// - Parameter isSaved: Whether it is saved, and not written to be seen by a query and undone.
    /// - Throws: ``StoreError`` for an object that cannot be saved, and ``ModelEncodingError``.
    func batches(isSaved: Bool) throws -> [any ChangeBatch] {
        try checkDenied()
        var orphans = try self.orphans()
        if isSaved {
            orphans.forEach(context.deleteObject)
            orphans = []
        }
        let hidden = Set(orphans.map { ObjectIdentifier($0) })
        var moved = RowChanges()
        var others = RowChanges()
        for object in changedObjects where !hidden.contains(ObjectIdentifier(object)) {
            let backing = object.persistentBacking
            let entity = try context.entity(of: type(of: object))
            let row = try context.row(of: object)
            let base = backing.base
            let columns = ColumnSet(
                entity.attributes.indices.filter { column in
                    base.map { !$0.holdsSame(column, as: row) } ?? true
                }
            )
            if columns.isEmpty { continue }
            let change = try RowChange(updating: columns, of: entity, to: row, from: base)
            let isMoved = columns.contains { entity.attributes[$0].reference != nil }
            if isMoved { moved.add(change, entity) } else { others.add(change, entity) }
        }
        var gone = RowChanges()
        for object in deletedObjects + orphans {
            let backing = object.persistentBacking
            guard backing.state != .inserted, let key = backing.key else { continue }
            let entity = try context.entity(of: type(of: object))
            gone.add(
                RowChange(
                    deleting: key.values,
                    base: backing.base,
                    comparing: backing.base == nil ? [] : ColumnSet(0..<entity.declaredCount)
                ),
                entity
            )
        }
        var new = RowChanges()
        for object in insertedObjects where !hidden.contains(ObjectIdentifier(object)) {
            let entity = try context.entity(of: type(of: object))
            let change = try RowChange(.insert, context.row(of: object), of: entity)
            if isSaved { self.change(object, to: RowKey(change.key)) }
            new.add(change, entity)
        }
        let pairs = try pairs(without: hidden)
        return pairs.gone.batches(.delete) + moved.batches(.update) + gone.batches(.delete)
            + others.batches(.update)
            + new.batches(.insert) + pairs.new.batches(.upsert) + pairs.moved.batches(.update)
    }

    /// What is to be written in join tables. Nothing there is a conflict: a pair that somebody else has
    /// added is there once, one that is gone stays so, and of two orders the later one stays.
    ///
    /// - Parameter hidden: Objects that are written as if they were deleted.
    private func pairs(
        without hidden: Set<ObjectIdentifier>
    ) throws -> (gone: RowChanges, new: RowChanges, moved: RowChanges) {
        var (gone, new, moved) = (RowChanges(), RowChanges(), RowChanges())
        for (join, link) in joins.changed {
            let entity = try context.entity(of: join.table)
            let objects = [link.owner, link.member]
            let keys = objects.compactMap { $0.persistentBacking.key?.values.first }
            guard keys.count == 2 else { continue }
            guard link.isWanted else {
                gone.add(RowChange(deleting: keys), entity)
                continue
            }
            // The rows of a deleted object go with its own.
            guard link.isAlive, !objects.contains(where: { hidden.contains(ObjectIdentifier($0)) })
            else { continue }
            let row = RowImage(columns: entity.attributes.count)
            for (column, key) in keys.enumerated() { try key.set(column, of: row) }
            let places = [link.places.ofMember, link.places.ofOwner]
            for (column, place) in zip(entity.attributes.indices.dropFirst(2), places) {
                if let place { row.set(column, integer: place) }
            }
            if link.stored == nil {
                new.add(try RowChange(.upsert, row, of: entity), entity)
            } else {
                let columns = ColumnSet(entity.attributes.indices.dropFirst(2))
                moved.add(
                    try RowChange(updating: columns, of: entity, to: row, skipsMissing: true),
                    entity
                )
            }
        }
        return (gone, new, moved)
    }

    /// Refuses to delete an object that still holds others in a relationship with the rule `deny`.
    ///
    /// - Throws: ``StoreError`` of kind `foreignKeyViolation`.
    private func checkDenied() throws {
        for object in deletedObjects {
            let shape = object.persistentBacking.shape(of: object)
            for (index, relationship) in shape.relationships.enumerated()
            where relationship.deleteRule == .deny {
                let others =
                    relationship.isToMany
                    ? ObjectGraph.list(object, index).all
                    : ObjectGraph.one(object, index).map { [$0] } ?? []
                if others.contains(where: { !$0.persistentBacking.state.isDeleted }) {
                    throw ObjectError.denied(relationship.name, of: object)
                }
            }
        }
    }

    /// What nobody holds any more, and is deleted when the context is saved: objects that were taken out
    /// of a list which deletes its objects, and whose own property cannot be nil.
    ///
    /// - Throws: ``StoreError`` for an object that has to have another one, has none, and is not deleted
    ///   for that.
    private func orphans() throws -> [any PersistentModel] {
        try (changedObjects + insertedObjects).filter { object in
            let backing = object.persistentBacking
            let shape = backing.shape(of: object)
            for (index, relationship) in shape.relationships.enumerated()
            where relationship.holdsKey && !relationship.isOptional {
                guard case .nothing = backing.slots[index] else { continue }
                let holder = relationship.inverse.map {
                    ObjectShape.of(relationship.target).relationships[$0]
                }
                guard holder?.deleteRule == .cascade else {
                    throw ObjectError.missing(relationship.name, of: object, holder)
                }
                return true
            }
            return false
        }
    }

    /// How much was saved inside of the transaction that is open.
    var savedCount: Int { saved.count }

    /// Takes back what was saved after so many objects. Nothing waits.
    func undo(to count: Int) {
        while saved.count > count {
            do {
                switch saved.removeLast() {
                case .inserted(let object):
                    release(object)
                    object.persistentBacking.state = .detached
                case .changed(let object, let row): try context.refresh(object, from: row)
                case .deleted(let object, let row):
                    guard let key = object.persistentBacking.key else { continue }
                    register(object, key)
                    try context.refresh(object, from: row)
                }
            } catch {
                problem = problem ?? error
            }
        }
        joins.removeAll()
        for object in allObjects {
            object.persistentBacking.forgetLists()
        }
    }

    /// Notes how what is saved is taken back.
    func keepSaved() {
        saved += insertedObjects.map { .inserted($0) }
        for object in changedObjects {
            if let base = object.persistentBacking.base { saved.append(.changed(object, base)) }
        }
        for object in deletedObjects {
            if let base = object.persistentBacking.base { saved.append(.deleted(object, base)) }
        }
    }
}

/// Changes of rows, those of one class together.
private struct RowChanges {
    private var changes: [(entity: EntityBinding, changes: [RowChange])] = []
    private var positions: [ObjectIdentifier: Int] = [:]

    mutating func add(_ change: RowChange, _ entity: EntityBinding) {
        let identifier = ObjectIdentifier(entity.type)
        if let position = positions[identifier] {
            changes[position].changes.append(change)
        } else {
            positions[identifier] = changes.count
            changes.append((entity, [change]))
        }
    }

    func batches(_ verb: WriteVerb) -> [any ChangeBatch] {
        changes.map { RowBatch($0.entity.type, verb, $0.changes) }
    }
}
