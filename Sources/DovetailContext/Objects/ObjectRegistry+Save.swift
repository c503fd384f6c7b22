import DovetailModel
import DovetailStore

extension ObjectRegistry {
    /// What is to be written, in an order in which no row goes that another one still needs: first
    /// the changed references, then what is deleted, then other changes, then what is new.
    ///
    /// - Parameters:
    ///   - plan: What is done with some objects instead of what their changes say.
    ///   - isSaved: Whether it is saved, and not written to be seen by a query and undone.
    /// - Throws: ``StoreError`` for an object that cannot be saved, and ``ModelEncodingError``.
    func batches(_ plan: SavePlan, isSaved: Bool) throws -> [any ChangeBatch] {
        try checkDenied()
        var orphans = try self.orphans()
        if isSaved {
            orphans.forEach(context.deleteObject)
            orphans = []
        }
        let hidden = Set(orphans.map { ObjectIdentifier($0) })
        var moved = RowChanges()
        var others = RowChanges()
        var new = RowChanges()
        for object in changedObjects where !hidden.contains(ObjectIdentifier(object)) {
            let entity = try context.entity(of: type(of: object))
            guard let change = try change(of: object, entity, plan) else { continue }
            let isMoved = change.columns.contains { entity.attributes[$0].reference != nil }
            if change.verb == .insert {
                new.add(change, entity)
            } else if isMoved {
                moved.add(change, entity)
            } else {
                others.add(change, entity)
            }
        }
        var gone = RowChanges()
        for object in deletedObjects + orphans {
            let entity = try context.entity(of: type(of: object))
            guard let change = deletion(of: object, entity, plan) else { continue }
            gone.add(change, entity)
        }
        for object in insertedObjects where !hidden.contains(ObjectIdentifier(object)) {
            let entity = try context.entity(of: type(of: object))
            let change = try RowChange(.insert, context.row(of: object), of: entity)
            if isSaved { self.change(object, to: RowKey(change.key)) }
            new.add(change, entity)
        }
        return moved.batches(.update) + gone.batches(.delete) + others.batches(.update)
            + new.batches(.insert)
    }

    /// What is to be done with the row of a changed object; nil for nothing.
    ///
    /// - Throws: ``ModelEncodingError``.
    func change(
        of object: any PersistentModel,
        _ entity: EntityBinding,
        _ plan: SavePlan
    ) throws -> RowChange? {
        let row = try context.row(of: object)
        let base = object.persistentBacking.base
        switch plan[object] {
        case .update(let stored, let columns):
            let merged = try stored.taking(columns, from: row, of: entity)
            let changed = entity.differences(stored, merged)
            if changed.isEmpty { return nil }
            return try RowChange(updating: changed, of: entity, to: merged, from: stored)
        case .insert(let lost):
            let nothing = RowImage(columns: entity.attributes.count)
            return try RowChange(.insert, row.taking(lost, from: nothing, of: entity), of: entity)
        case .delete, .keep, .gone: return nil
        case nil:
            let columns = ColumnSet(
                entity.attributes.indices.filter { column in
                    base.map { !$0.holdsSame(column, as: row) } ?? true
                }
            )
            if columns.isEmpty { return nil }
            return try RowChange(updating: columns, of: entity, to: row, from: base)
        }
    }

    /// The deletion of the row of an object; nil where there is none, or it stays.
    func deletion(
        of object: any PersistentModel,
        _ entity: EntityBinding,
        _ plan: SavePlan
    ) -> RowChange? {
        let backing = object.persistentBacking
        guard backing.state != .inserted, let key = backing.key else { return nil }
        switch plan[object] {
        case .keep: return nil
        case .delete: return RowChange(deleting: key.values)
        default:
            return RowChange(
                deleting: key.values,
                base: backing.base,
                comparing: backing.base == nil ? [] : ColumnSet(0..<entity.declaredCount)
            )
        }
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
