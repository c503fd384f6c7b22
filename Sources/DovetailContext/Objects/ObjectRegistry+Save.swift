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
            try checkCounts()
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
        return moved.batches(.update) + gone.batches(.delete) + others.batches(.update)
            + new.batches(.insert)
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

    /// Refuses to save an object whose relationship holds fewer or more objects than it says.
    ///
    /// - Complexity: linear in what waits and in what the relationships hold that were changed.
    /// - Throws: ``StoreError`` of kind `invalidObject`.
    private func checkCounts() throws {
        let new = insertedObjects.filter { $0.persistentBacking.shape(of: $0).isCounted }
        for object in new + Array(counted.values) {
            let backing = object.persistentBacking
            guard backing.context === context, !backing.state.isDeleted else { continue }
            for (index, relationship) in backing.shape(of: object).relationships.enumerated()
            where relationship.isCounted {
                let others =
                    relationship.isToMany
                    ? ObjectGraph.list(object, index).all
                    : ObjectGraph.one(object, index).map { [$0] } ?? []
                let count = others.count { !$0.persistentBacking.state.isDeleted }
                let least = relationship.minimumModelCount ?? 0
                let most = relationship.maximumModelCount ?? .max
                if count < least { throw ObjectError.tooFew(relationship.name, least, of: object) }
                if count > most { throw ObjectError.tooMany(relationship.name, most, of: object) }
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
