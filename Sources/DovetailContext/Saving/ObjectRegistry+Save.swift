import DovetailModel
import DovetailStore

extension ObjectRegistry {
    /// What is to be written, in an order in which no row goes that another one still needs: first
    /// the changed references, then what is deleted, then other changes, then what is new.
    ///
    /// - Parameters:
    ///   - plan: What is done with some objects instead of what their changes say.
    ///   - isSaved: Whether it is saved, and not written to be seen by a query and undone.
    ///   - endsTransaction: Whether a row that is refused undoes the whole transaction.
    /// - Throws: ``StoreError`` for an object that cannot be saved, and ``ModelEncodingError``.
    func batches(
        _ plan: SavePlan,
        isSaved: Bool,
        endsTransaction: Bool
    ) throws -> [any ChangeBatch] {
        try checkDenied()
        var orphans = try orphans()
        if isSaved {
            for orphan in orphans { context.deleteObject(orphan) }
            orphans = []
            try checkCounts()
        }
        let deleted = deletedObjects + orphans
        let hidden = Set(orphans.map { ObjectIdentifier($0) })
        var moved = RowChanges()
        var others = RowChanges()
        var new = RowChanges()
        func add(_ change: RowChange?, _ entity: EntityBinding) {
            guard let change else { return }
            if change.verb == .insert {
                new.add(change, entity)
            } else if change.columns.meets(entity.referenceSet) {
                moved.add(change, entity)
            } else {
                others.add(change, entity)
            }
        }
        var (movedObjects, otherObjects) = (
            ObjectLists<ObjectUpdates>(), ObjectLists<ObjectUpdates>()
        )
        let updated = WrittenList()
        let make = { ObjectUpdates($0, in: self, updated, endsTransaction: endsTransaction) }
        // To go over all objects is a good part of a save, which is done as seldom as can be.
        let isPlain = deleted.isEmpty && plan.isEmpty
        for map in changedMaps where isPlain {
            guard let model = map.changed.first.map({ type(of: $0) }) else { continue }
            if try isShared(map) {
                for object in map.changed {
                    try requireKnownClasses(object)
                    otherObjects.add(object, try context.entity(of: type(of: object)), make)
                }
                continue
            }
            if !map.shape.unions.isEmpty { try map.changed.forEach(requireKnownClasses) }
            updated.reserve(map.changed.count)
            otherObjects.add(
                ObjectUpdates(
                    model,
                    map.changed,
                    in: self,
                    updated,
                    endsTransaction: endsTransaction
                )
            )
        }
        var insertions = ObjectLists<ObjectInsertions>()
        let written = WrittenList()
        written.reserve(inserted.count)
        // What is asked of the class once for all its objects that come one after the other.
        var kind: (type: ObjectIdentifier, entity: EntityBinding, hasUnions: Bool)?
        for object in inserted
        where isNew(object)
            && (hidden.isEmpty || !hidden.contains(ObjectIdentifier(object)))
        {
            let type = type(of: object)
            if kind?.type != ObjectIdentifier(type) {
                let hasUnions = !ObjectShape.of(type).unions.isEmpty
                kind = (ObjectIdentifier(type), try context.entity(of: type), hasUnions)
            }
            guard let (_, entity, hasUnions) = kind else { continue }
            if hasUnions { try requireKnownClasses(object) }
            if plan.isEmpty {
                if isSaved, !entity.hasHiddenKey {
                    change(object, to: try context.newKey(of: object))
                }
                insertions.add(object, entity) { ObjectInsertions($0, in: context, written) }
                continue
            }
            let change = try change(of: object, entity, plan)
            if let change, change.verb == .insert, isSaved {
                self.change(object, to: RowKey(change.key))
            }
            add(change, entity)
        }
        // After new objects have their keys.
        let heirs = deleted.isEmpty ? [] : inserted.filter(isNew)
        var passed = try PassedKeys(heirs, deleted, in: context)
        for object in isPlain ? [] : changedObjects
        where !hidden.contains(ObjectIdentifier(object)) {
            let entity = try context.entity(of: type(of: object))
            try requireKnownClasses(object)
            let given = passed.columns(of: object, entity)
            if !given.isEmpty {
                try add(change(of: object, entity, plan, giving: given, &passed), entity)
            } else if plan.contains(object) {
                try add(change(of: object, entity, plan), entity)
            } else if try movesReference(object, entity) {
                movedObjects.add(object, entity, make)
            } else {
                otherObjects.add(object, entity, make)
            }
        }
        var gone = RowChanges()
        // Those that were deleted with others came after these, and go first: a database follows its own
        // rules through so many levels only.
        for object in deleted.reversed() {
            let entity = try context.entity(of: type(of: object))
            guard let change = try deletion(of: object, entity, plan) else { continue }
            gone.add(change, entity)
        }
        for leaving in plan.leaving.values {
            let backing = leaving.object.persistentBacking
            guard backing.state != .inserted, let key = backing.key else { continue }
            let entity = try context.entity(of: type(of: leaving.object))
            if leaving.isDropped {
                gone.add(RowChange(deleting: key.values), entity)
            } else if !backing.isWaitingToChange {
                // It is one of those that nothing else has changed.
                try add(change(of: leaving.object, entity, plan), entity)
            }
        }
        let pairs = try pairs(without: hidden)
        return pairs.gone.batches(.delete) + moved.batches(.update) + movedObjects.batches
            + passed.parking + gone.deletions(in: context.container.schema) + passed.settling
            + otherObjects.batches
            + others.batches(.update) + new.batches(.insert) + insertions.batches
            + passed.giving + pairs.new.batches(.upsert) + pairs.moved.batches(.update) + purges
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
            let row = RowImage(columns: entity.columnCount)
            for (column, key) in keys.enumerated() { try key.set(column, of: row) }
            let places = [link.places.ofMember, link.places.ofOwner]
            for (column, place) in zip(entity.attributes.indices.dropFirst(2), places) {
                if let place { row.set(column, integer: place) }
            }
            if link.isSet {
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

    /// Whether the changes of an object take the key of another one out of its row.
    private func movesReference(
        _ object: any PersistentModel,
        _ entity: EntityBinding
    ) throws -> Bool {
        if entity.referenceSet.isEmpty { return false }
        return try changedColumns(of: object, entity).meets(entity.referenceSet)
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
        let mayCount = try maps.values.contains { try $0.shape.isCounted || isShared($0) }
        guard mayCount else { return }
        let new = insertedObjects.filter { $0.persistentBacking.shape(of: $0).isCounted }
        for object in new + Array(counted.values) {
            let backing = object.persistentBacking
            guard backing.context === context, !backing.state.isDeleted else { continue }
            let shape = backing.shape(of: object)
            for (index, relationship) in shape.relationships.enumerated()
            where relationship.isCounted {
                // The parts of a relationship to a protocol are counted together.
                let parts = relationship.union.map { shape.unions[$0].parts } ?? index..<index + 1
                if index != parts.lowerBound { continue }
                let others = parts.flatMap { part in
                    relationship.isToMany
                        ? ObjectGraph.list(object, part).all
                        : ObjectGraph.one(object, part).map { [$0] } ?? []
                }
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
    ///   for that, or was given one that others have deleted.
    private func orphans() throws -> [any PersistentModel] {
        let mayBe = try maps.values.contains { try $0.shape.hasRequired || isShared($0) }
        guard mayBe else { return [] }
        return try (changedObjects + insertedObjects).filter { object in
            let backing = object.persistentBacking
            let shape = backing.shape(of: object)
            guard shape.hasRequired else { return false }
            // Of one whose own row others have deleted, that is the conflict.
            let isLost = lost[ObjectIdentifier(object)] != nil && plan[object] == nil
            if !isLost, let lost = backing.requiredOfGone().first {
                throw ObjectError.deletedByOthers(shape.relationships[lost.index].name, of: object)
            }
            if try shape.unions.contains(where: { try isOrphan(object, $0) }) { return true }
            for (index, relationship) in shape.relationships.enumerated()
            where relationship.isRequired {
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

/// Objects that write themselves, those of one class together.
private struct ObjectLists<Batch: ObjectBatch> {
    private var lists: [Batch] = []
    private var last: (model: ObjectIdentifier, list: Batch)?

    var batches: [any ChangeBatch] { lists }

    /// Adds a list of a class that has none.
    mutating func add(_ list: Batch) { lists.append(list) }

    /// Adds an object to those of its class.
    mutating func add(
        _ object: any PersistentModel,
        _ entity: EntityBinding,
        _ make: (any Model.Type) -> Batch
    ) {
        let model = ObjectIdentifier(entity.type)
        if let last, last.model == model { return last.list.add(object) }
        let list = lists.first { $0.model == entity.type } ?? make(entity.type)
        if !lists.contains(where: { $0 === list }) { lists.append(list) }
        last = (model, list)
        list.add(object)
    }
}

/// Changes of rows, those of one class together.
private struct RowChanges {
    private var changes: [(entity: EntityBinding, changes: [RowChange])] = []
    private var positions: [ObjectIdentifier: Int] = [:]
    private var last: (identifier: ObjectIdentifier, position: Int)?

    mutating func add(_ change: RowChange, _ entity: EntityBinding) {
        let identifier = ObjectIdentifier(entity.type)
        if last?.identifier != identifier {
            let position = positions[identifier] ?? changes.count
            if position == changes.count { changes.append((entity, [])) }
            positions[identifier] = position
            last = (identifier, position)
        }
        if let last { changes[last.position].changes.append(change) }
    }

    func batches(_ verb: WriteVerb) -> [any ChangeBatch] {
        changes.map { RowBatch($0.entity.type, verb, $0.changes) }
    }

    /// Deletions, those first of rows that go with others: what a database has deleted by its own rules would be
    /// looked for row by row.
    func deletions(in schema: Schema) -> [any ChangeBatch] {
        if changes.count < 2 { return batches(.delete) }
        let tables = schema.inOrder { $0.deleteRule == .cascade }.map(\.tableIdentifier)
        let places = Dictionary(zip(tables, 0...), uniquingKeysWith: { first, _ in first })
        var sorted = self
        // The sort is stable: classes of one table stay in their order.
        sorted.changes.sort { first, second in
            places[first.entity.tableIdentifier] ?? 0 > places[second.entity.tableIdentifier] ?? 0
        }
        return sorted.batches(.delete)
    }
}
