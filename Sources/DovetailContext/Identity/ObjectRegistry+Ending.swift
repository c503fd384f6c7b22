import DovetailModel
import DovetailStore

// What becomes of what waits when it was saved or is taken back, and of all objects at the end.

extension ObjectRegistry {
    /// Notes that everything was saved.
    ///
    /// - Parameter isOpen: Whether a transaction is open that may undo it.
    func didSave(_ commit: Int, inTransaction isOpen: Bool) {
        // What was written beside objects, and what was decided about others' changes, may concern any relationship.
        let mayMoveAny = !purges.isEmpty || !staged.isEmpty || !plan.isEmpty
        if isOpen { keepSaved() } else { saved = [] }
        staged = []
        log?.noteAll(of: self)
        let (unsure, absorbed) = finishPlan(commit)
        if !isOpen {
            moved = MovedObjects()
        } else if mayMoveAny {
            moved.noteAny()
        }
        let deleted = deletedObjects
        deleted.forEach(end)
        // Many objects are in no cache any more: each is gone to once, and let go with that.
        while let object = inserted.popLast() {
            let backing = object.persistentBacking
            guard isNew(object) else { continue }
            noteBack(object)
            if hasHidden, let key = backing.key {
                map(of: type(of: object)).objects.put(object, key)
            }
            backing.state = .stored
            backing.commit = commit
            backing.base = nil
            // One that was marked is like others.
            if backing.batch?.marked != nil { backing.batch = nil }
        }
        for map in changedMaps {
            var changed = map.takeChanged()
            while let object = changed.popLast() {
                let backing = object.persistentBacking
                backing.isChanged = false
                backing.base = nil
                // Otherwise others have saved since, what the object has not seen.
                if backing.commit == commit - 1 { backing.commit = commit }
            }
        }
        // What was set back to what it was has not been written, nor compared.
        outdated += unsettled.values.map(\.object)
        unsettled = [:]
        noteRemoved(deleted)
        joins.didSave(deleting: deleted + absorbed)
        forget()
        for (holder, index) in unsure { ObjectGraph.unload(holder, index) }
    }

    /// Takes everything back that waits. Objects are what they were when they were last saved;
    /// inserted ones leave. A row that cannot be read again is an error of the next fetch or save.
    ///
    /// - Complexity: linear in the number of objects that wait, of those whose lists have changed, and of those whose
    ///   relationships were read after something was deleted; where a new object was deleted or rows were written
    ///   beside objects, in that of all objects of the context.
    func rollback() {
        notices.begin()
        defer { notices.end() }
        takeAllBack()
        if context.given == nil { moved = MovedObjects() }
    }

    /// The same, in a transaction that has saved something.
    func takeAllBack() {
        tellLists()
        log?.noteAll(of: self, withValues: true)
        if !purges.isEmpty { moved.noteAny() }
        let lost = lost
        let former = takeBack { _ in true }
        if !moved.isEmpty {
            pointToStored(insteadOf: former, among: possibleHolders)
            forgetLists()
        }
        // Those whose rows others have deleted are deleted now: nothing of them waits any more.
        for object in lost.values where object.persistentBacking.state == .stored {
            endLost(object)
        }
        outdated += unsettled.values.map(\.object)
        unsettled = [:]
        forget()
    }

    /// Tells those who track lists that may change when everything is taken back; they hear of it when it is.
    func tellLists() {
        let objects =
            moved.isAny ? Array(allObjects) : Array(moved.objects) + joins.ends(of: moved.objects)
        for object in objects { object.persistentBacking.tellLists(of: object) }
    }

    /// What lists hold is asked for again, as far as it may be something else.
    func forgetLists() {
        guard moved.isAny else {
            let ends = joins.removeLinks(of: moved.objects)
            for object in moved.objects { forgetLists(of: object) }
            return ends.forEach(forgetLists)
        }
        joins.removeAll()
        for object in allObjects { object.persistentBacking.forgetLists() }
    }

    /// What the lists of one object hold is asked for again. A new one has no row that could be asked.
    func forgetLists(of object: any PersistentModel) {
        let backing = object.persistentBacking
        if backing.state == .stored, backing.context === context { backing.forgetLists() }
    }

    /// Makes objects that wait what they were when they were last saved; inserted ones leave.
    ///
    /// - Returns: Those that have left.
    func takeBack(where isTaken: (any PersistentModel) -> Bool) -> Set<ObjectIdentifier> {
        problem = nil
        var former: Set<ObjectIdentifier> = []
        for object in inserted where isNew(object) && isTaken(object) {
            release(object)
            object.persistentBacking.takeBackInsertion()
            former.insert(ObjectIdentifier(object))
        }
        let changed = changedMaps.flatMap(\.changed)
        let kept = Set(changed.filter { !isTaken($0) }.map { ObjectIdentifier($0) })
        for object in changed + deleted where isTaken(object) {
            let backing = object.persistentBacking
            guard backing.state == .stored || backing.state == .deleted else { continue }
            if backing.state == .deleted, let key = backing.key { register(object, key) }
            backing.isChanged = false
            guard let base = backing.base else { continue }
            backing.base = nil
            do {
                let row = try whole(base, of: object, deferring: true)
                backing.forgetNew()
                try context.refresh(object, from: row)
            } catch {
                problem = problem ?? error
            }
        }
        // An observer of the program's own, such as `didSet`, may have set others meanwhile: they are read anew.
        for object in changedObjects where object.persistentBacking.isChanged {
            if kept.contains(ObjectIdentifier(object)) { continue }
            object.persistentBacking.isChanged = false
            object.persistentBacking.base = nil
            outdated.append(object)
        }
        return former
    }

    func forget() {
        giveBackFormer()
        round = round == .max ? 1 : round + 1
        inserted = []
        changedMaps = []
        for map in maps.values { map.forget() }
        deleted = []
        hasDeletedAgain = false
        (leftInserted, leftDeleted) = ([], [])
        hasHidden = false
        lost = [:]
        purges = []
        recorder = nil
        rivals = [:]
        counted = [:]
        released = [:]
        meant = [:]
        readBesideNew = [:]
        overlays = [:]
        partialRows = [:]
    }

    /// Lets all objects go, and what they hold of each other, so that no two of them keep each other. Who
    /// still holds one can read its relationships in another context.
    ///
    /// Some are found by no key: those that wait with the key of another one.
    func close() {
        let ended = EndedContext(context.container)
        for object in Array(allObjects) + inserted + deleted {
            // One that has left its list may be another context's by now.
            if let other = object.persistentBacking.context, other !== context { continue }
            object.persistentBacking.context = nil
            object.persistentBacking.letGo(to: ended)
        }
        unsettled = [:]
        outdated = []
        joins.removeAll()
        forget()
        maps = [:]
        lastMap = nil
        lastColumns = nil
    }
}
