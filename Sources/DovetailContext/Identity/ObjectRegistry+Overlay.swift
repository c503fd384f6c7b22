import DovetailModel
import DovetailStore

// What fetches see of what waits.

extension ObjectRegistry {
    /// Objects whose rows lack large values that the objects have not read.
    struct PartialRows {
        private(set) var objects: [any PersistentModel] = []
        /// The columns that one of the rows lacks.
        private(set) var columns = ColumnSet()

        mutating func add(_ object: any PersistentModel, lacking: ColumnSet) {
            objects.append(object)
            columns = columns.union(lacking)
        }
    }

    /// The rows of what waits of a class; nil for none.
    ///
    /// - Parameter deferred: Columns that the rows may lack where an object has not read the value: nobody
    ///   asks for them. Each would be a query.
    /// - Complexity: linear in what has come since the last call.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    func overlay(of entity: EntityBinding, deferring deferred: ColumnSet) throws -> PendingRows? {
        let identifier = entity.tableIdentifier
        var waiting: [any PersistentModel] = []
        var partial = partialRows[identifier] ?? PartialRows()
        if !partial.columns.subtracting(deferred).isEmpty {
            (waiting, partial) = (partial.objects, PartialRows())
        }
        guard let map = maps[identifier], map.isStale || !waiting.isEmpty else {
            return overlays[identifier]
        }
        waiting += map.takeStale()
        // Taken out, so that adding to it does not copy it. They are of all classes of the table.
        var rows =
            try overlays.removeValue(forKey: identifier)
            ?? PendingRows(context.entity(ofTable: entity))
        var isDone = false
        defer {
            // The rows of what was not reached are made by the next fetch.
            if !isDone { map.stale += waiting }
            overlays[identifier] = rows
        }
        for object in waiting {
            let backing = object.persistentBacking
            guard let key = backing.key else { continue }
            switch backing.state {
            case .inserted:
                // One with a key of its own may be meant for a row that is there.
                rows.put(try context.row(of: object), key, isNew: entity.hasHiddenKey)
            case .stored where backing.isChanged:
                let lacking = backing.deferred.intersection(deferred)
                rows.put(try context.row(of: object, deferring: lacking), key)
                if !lacking.isEmpty { partial.add(object, lacking: lacking) }
            // One that was to be deleted, and is kept.
            case .stored: rows.forget(key)
            // Another one may have the key by now.
            case .gone, .deleted, .detached:
                guard (map.objects[key] ?? object) === object else { continue }
                // Nothing waits of one whose row is gone: others may insert it again. A new one that has left may
                // have had the key of a row.
                if backing.state == .deleted { rows.put(nil, key) } else { rows.forget(key) }
            }
        }
        isDone = true
        partialRows[identifier] = partial
        for object in waiting { object.persistentBacking.staleRound = 0 }
        return rows
    }
}
