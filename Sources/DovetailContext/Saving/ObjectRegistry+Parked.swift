import DovetailModel
import DovetailStore

// Unique values that pass between rows of several batches: of two classes in one table, from a row that is deleted
// to one whose references change, which is written before, or between one with other references and one without.
// Each batch lets its own rows swap theirs, and knows nothing of the others. This is tried when all else was
// refused.

extension ObjectRegistry {
    /// Writes batches after all rows that change have given up their unique values. Rows are compared with their
    /// bases before that.
    ///
    /// References come first all the same, so that no row goes with one that it refers to no more; then what is
    /// deleted, then the changed rows as a whole.
    ///
    /// - Throws: ``ObjectRefusal`` for a row that others have changed, and what the batches throw.
    func applyParked(
        _ batches: [any ChangeBatch],
        to connection: any StoreConnection,
        _ commit: inout Commit
    ) throws {
        var updates: [Int: (entity: EntityBinding, changes: [RowChange])] = [:]
        var keys: [ObjectIdentifier: (entity: EntityBinding, keys: [[QueryValue]])] = [:]
        for (place, batch) in batches.enumerated() where batch.verb == .update {
            let entity = try context.entity(of: batch.model)
            guard connection.hasUniqueValues(entity) else { continue }
            let (changes, conflicts) = try connection.wholeRows(
                for: batch.changes(of: entity),
                entity
            )
            if let conflict = conflicts.first { throw ObjectRefusal.conflict(conflict) }
            updates[place] = (entity, changes)
            keys[entity.tableIdentifier, default: (entity, [])].keys += changes.map(\.key)
        }
        for (entity, changes) in updates.values {
            let columns = entity.referenceSet.subtracting(entity.uniqueSet)
            if columns.isEmpty { continue }
            for case let row? in changes.map(\.mine) {
                let change = try RowChange(updating: columns, of: entity, to: row)
                _ = try connection.apply(change, to: entity)
            }
        }
        for (entity, keys) in keys.values { try connection.park(keys, of: entity) }
        func apply(_ place: Int) throws {
            let batch = batches[place]
            let entity = try context.entity(of: batch.model)
            guard let (_, changes) = updates[place] else {
                return try batch.apply(to: connection, of: entity, &commit)
            }
            if let objects = batch as? ObjectUpdates {
                objects.settled = changes
                try objects.apply(to: connection, of: entity, &commit)
            } else {
                let rows = RowBatch(batch.model, .update, changes)
                try rows.apply(to: connection, of: entity, &commit)
            }
        }
        let lastDeletion = batches.lastIndex { $0.verb == .delete } ?? -1
        var waiting: [Int] = []
        for place in batches.indices {
            if place < lastDeletion, updates[place] != nil {
                waiting.append(place)
                continue
            }
            try apply(place)
            if place == lastDeletion { try waiting.forEach(apply) }
        }
        commit.conflicts += try connection.settle()
        for (entity, _) in keys.values { try connection.unpark(entity) }
    }
}
