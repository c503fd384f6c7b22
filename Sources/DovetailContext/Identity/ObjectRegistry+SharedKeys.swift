import DovetailModel
import DovetailStore

// Two objects may have one key until the save: a new one, and one that has a row, which waits to be deleted then.
// Stored rows that have the key mean the second.

extension ObjectRegistry {
    /// The object of the row that a stored row refers to by its key, if there is one: not a new one that has
    /// the key of one which waits to be deleted.
    func referred(_ type: any PersistentModel.Type, _ key: RowKey) -> (any PersistentModel)? {
        guard let map = maps[type.rootIdentifier] else { return nil }
        if !map.replaced.isEmpty, let object = map.replaced[key] { return object }
        return object(type, key)
    }

    /// Whether an object that is known in a relationship is the one that a row refers to, and can stay: not one
    /// whose row was gone for a while, since who has inserted that again has another object, nor one that has
    /// left the context.
    func isMeant(_ known: RelationSlot, by row: RelationSlot) -> Bool {
        guard case .one(let object) = known, case .key(let key) = row,
            object.persistentBacking.key == key
        else { return false }
        return switch object.persistentBacking.state {
        case .gone, .detached: false
        case .inserted, .stored, .deleted: true
        }
    }

    /// Lets a new object be found by its key, which an object has had that is deleted now.
    func showHidden(behind object: any PersistentModel) {
        let map = map(of: type(of: object))
        if map.hidden.isEmpty { return }
        guard let key = object.persistentBacking.key, let new = map.hidden.removeValue(forKey: key),
            isNew(new), new.persistentBacking.key == key
        else { return }
        map.objects.put(new, key)
        if object.persistentBacking.state == .deleted { map.replaced[key] = object }
        markStale(new)
    }

    /// Notes which lists were read, where a new object may have the key of a row that belongs into them: it is there in
    /// the place of that, or is not.
    func noteRead(_ index: Int, of holders: [any PersistentModel]) throws {
        guard !inserted.isEmpty, let first = holders.first else { return }
        let relationship = first.persistentBacking.shape(of: first).relationships[index]
        guard !relationship.holdsKey, context.container.schema.contains(relationship.target),
            try !context.entity(of: relationship.target).hasHiddenKey
        else { return }
        for holder in holders { noteMoved(holder) }
        readBesideNew[relationship.target.rootIdentifier, default: []] += holders.map {
            ($0, index)
        }
    }

    /// Makes the lists be read again that were read beside new objects of a class.
    private func readAgain(_ type: ObjectIdentifier) {
        let lists = readBesideNew.removeValue(forKey: type) ?? []
        for (holder, index) in lists { ObjectGraph.unload(holder, index) }
    }

    /// Lets fetches see the row that has the key of a new object which leaves: it may be inserted again with another
    /// key. Who refers to that row does so by its key again.
    func showStored(behind object: any PersistentModel) {
        guard let key = object.persistentBacking.key else { return }
        let map = map(of: type(of: object))
        let other = map.objects[key]
        if other?.persistentBacking.state == .deleted {
            overlays[type(of: object).rootIdentifier]?.put(nil, key)
        } else {
            overlays[type(of: object).rootIdentifier]?.forget(key)
            if let other, other.persistentBacking.isWaitingToChange { markStale(other) }
        }
        readAgain(type(of: object).rootIdentifier)
        guard let holders = meant.removeValue(forKey: ObjectIdentifier(object)) else { return }
        pointToStored(insteadOf: [ObjectIdentifier(object)], among: AnySequence(holders))
    }

    /// Lets an object that waits to be deleted be found by its key again, which a new one has had that leaves.
    func showReplaced(by object: any PersistentModel) {
        let map = map(of: type(of: object))
        if map.replaced.isEmpty { return }
        guard let key = object.persistentBacking.key, map.objects[key] == nil,
            let old = map.replaced.removeValue(forKey: key)
        else { return }
        map.objects.put(old, key)
    }
}
