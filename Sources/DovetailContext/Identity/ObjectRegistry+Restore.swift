import DovetailModel
import DovetailStore

extension ObjectRegistry {
    /// Begins the outermost transaction.
    func beginTransaction() {
        guard hasChanges else { return }
        log = WaitingLog(self)
        joins.keepStart(true)
    }

    /// Ends a transaction that has stored everything.
    func endTransaction() {
        guard log != nil else { return }
        log = nil
        joins.keepStart(false)
    }

    /// Makes objects again what they were when a transaction began: what was saved before it is as it was
    /// saved, and what waited still waits.
    ///
    /// What cannot be read again is an error of the next fetch or save.
    ///
    /// - Complexity: linear in the number of objects that have changed or whose lists have, or where something was
    ///   deleted or written beside objects, in that of all objects of the context; and one query for 500 new objects
    ///   of each relationship that has changed, and for 500 objects that were deleted of each relationship that may
    ///   refer to them.
    ///
    /// - Parameter count: How much was saved when the transaction began; 0 for the outermost one.
    func restoreToStart(savedBefore count: Int) {
        tellLists()
        let deleted = saved.dropFirst(count).compactMap {
            if case .deleted(let object, _) = $0 { object } else { nil }
        }
        let hasDeleted = saved.dropFirst(count).contains {
            switch $0 {
            case .deleted, .rows: true
            case .inserted, .changed: false
            }
        }
        // What an object was before it changed says nothing of others that had gone by then.
        let changed = hasDeleted ? changedObjects : []
        // New ones leave with what they held, as they do where nothing was saved.
        let new = saved.dropFirst(count).compactMap {
            if case .inserted(let object, _) = $0 {
                (object, slots: object.persistentBacking.slots)
            } else {
                nil
            }
        }
        if let log, context.given == nil {
            restore(log)
        } else {
            takeAllBack()
            if saved.count > count { undo(to: count) }
            // Otherwise something waits again.
            if context.given == nil { moved = MovedObjects() }
        }
        for (object, slots) in new where object.persistentBacking.state == .detached {
            object.persistentBacking.slots = slots
        }
        guard hasDeleted else { return }
        outdated += changed.filter { $0.persistentBacking.state == .stored }
        do {
            outdated += try referring(to: deleted)
            try takeCommits()
        } catch {
            problem = problem ?? error
        }
    }

    /// The objects whose rows refer to some that were deleted and are there again. What was read or taken back
    /// in between is without the reference, which the database has taken out of the row.
    private func referring(to deleted: [any PersistentModel]) throws -> [any PersistentModel] {
        var found: [any PersistentModel] = []
        for (root, objects) in Dictionary(grouping: deleted, by: { type(of: $0).rootIdentifier }) {
            guard let map = maps[root] else { continue }
            let table = try context.entity(of: map.shape.type).table
            let keys = objects.compactMap { $0.persistentBacking.key?.values }
            for other in Array(maps.values) where !other.objects.isEmpty {
                let entity = try context.entity(of: other.shape.type)
                for reference in entity.description.references where reference.table == table {
                    let rows = try context.withReadConnection { connection in
                        try connection.images(of: entity, keys, in: reference.column, .excluded)
                    }
                    found += rows.keys.compactMap { other.objects[$0] }
                }
            }
        }
        return found
    }

    private func restore(_ log: WaitingLog) {
        self.log = nil
        if !purges.isEmpty { moved.noteAny() }
        let isSaved = log.taken != nil
        let lists = log.waiting(in: self)
        let taken = takeBack(where: log.isNew)
        let former = taken.union(undoSaved(to: 0, besides: log))
        // What waited points where it did from here on.
        pointToStored(insteadOf: former, among: possibleHolders)
        let found = problem
        log.restoreValues()
        problem = found
        let returning = restore(log.entries, isSaved)
        replaceLists(by: lists)
        recorder = log.recorder
        // Lists are made of links.
        let ends = joins.restore(of: moved)
        if moved.isAny {
            for object in allObjects { forgetLists(of: object) }
        } else {
            for object in moved.objects { forgetLists(of: object) }
            ends.forEach(forgetLists)
        }
        let new = isSaved ? lists.inserted : log.lists.map(\.object) + returning
        restoreRelationships(log, of: new)
        // Others may have changed what is given back here.
        outdated += (unsettled.values.map(\.object) + log.entries.map(\.object)).filter {
            [.stored, .deleted].contains($0.persistentBacking.state)
        }
        unsettled = [:]
    }

    /// Makes objects wait again as they did.
    ///
    /// - Parameter isSaved: Whether the transaction has saved them.
    /// - Returns: New ones that had left the context.
    private func restore(
        _ entries: [WaitingLog.Entry],
        _ isSaved: Bool
    ) -> [any PersistentModel] {
        var returning: [any PersistentModel] = []
        for entry in entries {
            let object = entry.object
            if entry.state == .inserted, !isNew(object) { returning.append(object) }
            let map = map(of: type(of: object))
            if let key = object.persistentBacking.key, map.objects[key] === object {
                map.objects.remove(key)
            }
        }
        for entry in entries {
            let backing = entry.object.persistentBacking
            backing.context = context
            (backing.key, backing.state, backing.isChanged) = (
                entry.key, entry.state, entry.isChanged
            )
            backing.base = entry.base
            backing.places = entry.places
            if let marked = entry.marked {
                (backing.batch, backing.position) = (marked, 0)
            } else if backing.batch?.marked != nil {
                backing.batch = nil
            }
            if let key = entry.key { put(entry.object, key) }
        }
        // When all of them are what they were, since they hold each other.
        for entry in entries { restoreSlots(entry, isSaved) }
        for object in returning { forgetMembers(of: object) }
        return returning
    }

    /// Asks again for the lists of a new object whose members hold its key: what was deleted with it has left them,
    /// and nobody has heard that. A join table still says what is in the others, and where.
    private func forgetMembers(of object: any PersistentModel) {
        let backing = object.persistentBacking
        let shape = backing.shape(of: object)
        for (index, relationship) in shape.relationships.enumerated()
        where !relationship.holdsKey && relationship.join == nil {
            backing.slots[index] = .unloaded
            if let union = shape.union(of: index) { backing.slots[union.place] = .nothing }
        }
    }

    /// Gives an object what its relationships held, as far as its own row says so.
    private func restoreSlots(_ entry: WaitingLog.Entry, _ isSaved: Bool) {
        let backing = entry.object.persistentBacking
        let shape = backing.shape(of: entry.object)
        for (index, slot) in entry.slots.enumerated() {
            guard index < shape.relationships.count else {
                let union = shape.unions[index - shape.relationships.count]
                if shape.relationships[union.parts.lowerBound].holdsKey {
                    backing.slots[index] = slot
                }
                continue
            }
            // By the lists of one that is to be deleted the rules are asked.
            if shape.relationships[index].holdsKey || entry.state == .deleted {
                ObjectGraph.put(slot, entry.object, index)
            } else if entry.state == .inserted {
                switch (backing.slots[index], slot) {
                // It was deleted inside, and has let go what it held.
                case (.nothing, .nothing), (.unloaded, _): continue
                case (.nothing, _): break
                // What was read while it had a row, it may have got from an object for which it stood.
                case (.key, _), (.one, _), (.many, _), (.stranger, _):
                    if !isSaved { continue }
                }
                backing.slots[index] = .unloaded
                if let union = shape.union(of: index) { backing.slots[union.place] = .nothing }
            }
        }
    }

    /// Makes an object the one of its key, unless another one has it that is found before.
    private func put(_ object: any PersistentModel, _ key: RowKey) {
        let map = map(of: type(of: object))
        map.others[key] = nil
        if let other = map.objects[key], !other.persistentBacking.state.isDeleted,
            object.persistentBacking.state != .stored
        {
            return
        }
        map.objects.put(object, key)
    }

    /// Lets the lists be what they were; fetches see all of it anew.
    private func replaceLists(by lists: WaitingLog.Lists) {
        forget()
        inserted = lists.inserted
        deleted = lists.deleted
        counted = lists.counted
        (released, former) = (lists.released, lists.former)
        purges = lists.purges
        (hasHidden, hasDeletedAgain) = (true, true)
        for (map, objects) in lists.changed where !objects.isEmpty {
            changedMaps.append(map)
            map.changed = objects
            for object in objects { object.persistentBacking.staleRound = round }
        }
        for object in inserted {
            let map = map(of: type(of: object))
            if !isNew(object) {
                leftInserted.insert(ObjectIdentifier(object))
            } else if let key = object.persistentBacking.key, map.objects[key] !== object {
                map.hidden[key] = object
            }
        }
        for object in deleted {
            let map = map(of: type(of: object))
            if object.persistentBacking.state != .deleted {
                leftDeleted.insert(ObjectIdentifier(object))
            } else if let key = object.persistentBacking.key, let new = map.objects[key],
                new !== object, isNew(new)
            {
                map.replaced[key] = object
            }
        }
        for object in inserted + deleted { markStale(object) }
    }

    /// Makes relationships be asked again whose keys others hold.
    ///
    /// - Parameter concerned: Those among which new ones are that have some.
    private func restoreRelationships(
        _ log: WaitingLog,
        of concerned: [any PersistentModel]
    ) {
        for (object, index) in log.lists {
            let backing = object.persistentBacking
            guard backing.context === context, !backing.state.isDeleted,
                backing.slots.indices.contains(index),
                !backing.shape(of: object).relationships[index].holdsKey
            else { continue }
            ObjectGraph.put(.unloaded, object, index)
            if let union = backing.shape(of: object).union(of: index) {
                backing.slots[union.place] = .nothing
            }
        }
        // A new one asks at once: it may leave its context, and keeps then what it has.
        var unloaded: [Faults: [ObjectIdentifier: any PersistentModel]] = [:]
        for object in concerned where isNew(object) {
            let backing = object.persistentBacking
            for (index, relationship) in backing.shape(of: object).relationships.enumerated() {
                guard !relationship.holdsKey, case .unloaded = backing.slots[index] else {
                    continue
                }
                let faults = Faults(type: ObjectIdentifier(type(of: object)), index: index)
                unloaded[faults, default: [:]][ObjectIdentifier(object)] = object
            }
        }
        for (faults, objects) in unloaded {
            let objects = Array(objects.values)
            for start in stride(from: 0, to: objects.count, by: 500) {
                do {
                    try context.load(
                        faults.index,
                        of: Array(objects[start..<min(start + 500, objects.count)])
                    )
                } catch {
                    problem = problem ?? error
                }
            }
        }
    }
}

/// A relationship of a class.
private struct Faults: Hashable {
    let type: ObjectIdentifier
    let index: Int
}
