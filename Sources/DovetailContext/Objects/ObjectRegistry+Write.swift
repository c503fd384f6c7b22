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
            guard !written.conflicts.isEmpty else { throw error }
            try resolveConflicts(on: connection, isSaved ? context.conflictPolicy : .contextWins)
            return false
        }
        commit.append(written)
        if isSaved {
            for batch in batches {
                let entity = try context.entity(of: batch.model)
                try context.touched.add(batch, of: entity, in: context.container.schema)
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
        let fates = plan.fates.values
        plan = SavePlan()
        for (object, fate) in fates {
            let backing = object.persistentBacking
            do {
                switch fate {
                case .update(let stored, let columns):
                    let entity = try context.entity(of: type(of: object))
                    let row = try context.row(of: object)
                    try context.refresh(object, from: stored.taking(columns, from: row, of: entity))
                    backing.commit = commit
                case .insert(let lost):
                    let entity = try context.entity(of: type(of: object))
                    let nothing = RowImage(columns: entity.attributes.count)
                    let row = try context.row(of: object)
                    try context.refresh(object, from: row.taking(lost, from: nothing, of: entity))
                    backing.commit = commit
                case .keep(let stored):
                    if let key = backing.key { register(object, key) }
                    backing.base = nil
                    try context.refresh(object, from: stored)
                    backing.commit = commit
                case .gone: release(object)
                case .delete: break
                }
            } catch {
                problem = problem ?? error
            }
        }
        let classes = Set(fates.map { ObjectIdentifier(type(of: $0.object)) })
        unloadLists { classes.contains(ObjectIdentifier($0)) }
    }

    /// Makes objects ask again what the rows of some classes say about their relationships.
    ///
    /// - Complexity: linear in the number of objects.
    func unloadLists(to isConcerned: (any PersistentModel.Type) -> Bool) {
        for object in allObjects where object.persistentBacking.state == .stored {
            guard let shape = object.persistentBacking.knownShape else { continue }
            for (index, relationship) in shape.relationships.enumerated()
            where !relationship.holdsKey && isConcerned(relationship.target) {
                ObjectGraph.unload(object, index)
            }
        }
    }
}
