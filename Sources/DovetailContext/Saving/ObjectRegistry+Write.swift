import DovetailModel
import DovetailStore

extension ObjectRegistry {
    /// Writes what waits of objects. Where others have changed their rows, it is undone, the context's
    /// policy is asked, and everything is written again: the transaction that is open keeps others out.
    ///
    /// What was found out is in ``plan`` until ``didSave(_:inTransaction:)`` or ``undoPlan()``.
    ///
    /// - Parameter isSaved: Whether it is saved, and not written to be seen by a query and undone, where
    ///   the context wins.
    /// - Throws: ``StoreError``, ``ConflictError`` and ``ModelEncodingError``. Nothing of it was written
    ///   then.
    func write(
        to connection: any StoreConnection,
        isSaved: Bool,
        _ commit: inout Commit
    ) throws {
        do {
            while try !attempt(to: connection, isSaved: isSaved, &commit) {}
        } catch {
            undoPlan()
            throw error
        }
    }

    /// Writes everything once, or finds out why that is not possible; then it is false.
    private func attempt(
        to connection: any StoreConnection,
        isSaved: Bool,
        _ commit: inout Commit
    ) throws -> Bool {
        let batches = try batches(plan, isSaved: isSaved)
        if batches.isEmpty { return true }
        var written = Commit()
        do {
            try connection.transaction(keeping: true) {
                for batch in batches {
                    try batch.apply(to: connection, of: context.entity(of: batch.model), &written)
                }
                if !written.conflicts.isEmpty { throw Stopped() }
            }
        } catch {
            // A row that was not written may have had a value that another one was to get.
            if let conflict = written.conflicts.first {
                let policy = isSaved ? context.conflictPolicy : .contextWins
                guard try resolveConflicts(on: connection, policy) else {
                    throw context.error(of: conflict)
                }
                return false
            }
            guard let error = error as? StoreError, error.kind == .uniqueViolation,
                try resolveUniqueValues(on: connection)
            else { throw error }
            return false
        }
        commit.append(written)
        if isSaved {
            for batch in batches {
                try context.noteWritten(batch, of: context.entity(of: batch.model))
            }
        }
        return true
    }

    /// Ends a transaction that is to be undone.
    private struct Stopped: Error {}

    /// Forgets what a save has found out that has failed.
    func undoPlan() {
        if !plan.isEmpty { plan.undo() }
    }

    /// Gives the objects what a save has found out, which was stored.
    func finishPlan(_ commit: Int) {
        guard !plan.isEmpty else { return }
        let done = plan
        plan = SavePlan()
        var rows: [(any PersistentModel, RowImage)] = []
        do {
            // Before any of them changes, since they have the keys of each other.
            for (object, fate) in done.fates.values {
                switch fate {
                case .update, .insert, .adopt, .unlink:
                    let entity = try context.entity(of: type(of: object))
                    rows.append((object, try row(of: object, entity, fate)))
                case .keep(let stored): rows.append((object, stored))
                case .delete, .gone, .absorbed, .drop: break
                }
            }
        } catch {
            problem = problem ?? error
        }
        for (object, fate) in done.fates.values {
            let backing = object.persistentBacking
            switch fate {
            case .keep:
                if let key = backing.key { register(object, key) }
                backing.base = nil
            case .gone, .absorbed, .drop:
                release(object)
                backing.state = .gone
            case .adopt:
                if backing.state == .inserted, let key = backing.key { register(object, key) }
                backing.base = nil
            case .update, .insert, .unlink, .delete: break
            }
        }
        for (object, old, map, _) in done.keys {
            if let old, old != object.persistentBacking.key {
                if map.objects[old] === object { map.objects[old] = nil }
                map.others[old] = object.persistentBacking.key
            }
        }
        pointToStored(
            insteadOf: Set(
                done.fates.values.lazy.filter { done.isAbsorbed($0.object) }
                    .map { ObjectIdentifier($0.object) }
            )
        )
        for (object, row) in rows {
            do {
                try context.refresh(object, from: row)
                object.persistentBacking.commit = commit
            } catch {
                problem = problem ?? error
            }
        }
        let classes = Set(done.fates.values.map { type(of: $0.object).rootIdentifier })
        unloadLists { classes.contains($0.rootIdentifier) }
    }

    /// Makes relationships to some objects that the context does not have any more ones to their keys,
    /// which others have now. What was taken back is among them.
    ///
    /// - Complexity: linear in the number of objects.
    func pointToStored(insteadOf absorbed: Set<ObjectIdentifier> = []) {
        func stored(_ slot: RelationSlot) -> RelationSlot? {
            guard case .one(let other) = slot, other.persistentBacking.context == nil,
                let key = other.persistentBacking.key,
                other.persistentBacking.state == .detached
                    || absorbed.contains(ObjectIdentifier(other))
            else { return nil }
            return .key(key)
        }
        for object in allObjects {
            let backing = object.persistentBacking
            for index in backing.slots.indices {
                if let slot = stored(backing.slots[index]) { ObjectGraph.put(slot, object, index) }
            }
            for index in backing.places.indices {
                if let slot = stored(backing.places[index].holder) {
                    backing.places[index].holder = slot
                }
            }
        }
    }

    /// Makes objects ask again what the rows of some classes say about their relationships.
    ///
    /// - Complexity: linear in the number of objects.
    func unloadLists(to isConcerned: (any PersistentModel.Type) -> Bool) {
        for object in allObjects where !object.persistentBacking.state.isDeleted {
            guard let shape = object.persistentBacking.knownShape else { continue }
            for (index, relationship) in shape.relationships.enumerated()
            where !relationship.holdsKey && isConcerned(relationship.target) {
                ObjectGraph.unload(object, index)
            }
        }
    }
}
