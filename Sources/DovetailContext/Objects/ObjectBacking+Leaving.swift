import DovetailStore

// What an object forgets when its row, its context or what it has read is gone.

extension ObjectBacking {
    /// Tells those who track the lists of an object that these are about to change.
    func tellLists<Object: PersistentModel>(of object: Object) {
        guard isObserved, let shape = knownShape else { return }
        var paths: [any AnyKeyPath & Sendable] = []
        for (index, relationship) in shape.relationships.enumerated() where !relationship.holdsKey {
            if case .unloaded = slots[index] { continue }
            paths.append(relationship.keyPath)
        }
        changing(object, paths[...]) {}
    }

    /// Forgets the lists that were read, and what the rows of others say.
    func forgetLists() {
        guard let shape = knownShape else { return }
        for (index, relationship) in shape.relationships.enumerated() where !relationship.holdsKey {
            slots[index] = .unloaded
        }
        for union in shape.unions { slots[union.place] = .nothing }
    }

    /// Forgets the references to new objects before it becomes what its row was: that meant none of them, but may
    /// have meant another one with the same key.
    func forgetNew() {
        guard let shape = knownShape else { return }
        func isNew(_ slot: RelationSlot) -> Bool {
            if case .one(let other) = slot {
                other.persistentBacking.state == .inserted
            } else {
                false
            }
        }
        for (index, relationship) in shape.relationships.enumerated()
        where relationship.holdsKey && isNew(slots[index]) { slots[index] = .nothing }
        for index in places.indices where isNew(places[index].holder) {
            places[index].holder = .nothing
        }
    }

    /// Notes that its row is gone. Objects that were deleted together, and led to each other, would keep
    /// each other.
    ///
    /// - Parameter marked: What it asks from now on where its row is marked, and may come back; nil for
    ///   one that is removed.
    func end(marked: FaultBatch? = nil) {
        state = .gone
        base = nil
        if let marked {
            keepKeys()
            (batch, position) = (marked, 0)
        } else {
            if batch?.marked != nil { batch = nil }
            letGo()
        }
    }

    /// Notes that it is the object of a marked row, which nobody has yet.
    func begin(marked: FaultBatch, _ key: RowKey) {
        (self.key, state) = (key, .gone)
        (batch, position) = (marked, 0)
    }

    /// Notes that an insertion is taken back.
    func takeBackInsertion() { state = wasGone || batch?.marked != nil ? .gone : .detached }

    /// Lets go what it holds of others, and keeps the keys of those whose keys its row has.
    private func keepKeys() {
        guard let shape = knownShape else { return }
        func kept(_ slot: RelationSlot) -> RelationSlot {
            guard case .one(let other) = slot else { return slot }
            return other.persistentBacking.key.map { .key($0) } ?? .nothing
        }
        for (index, relationship) in shape.relationships.enumerated()
        where relationship.isToMany || relationship.isOptional {
            slots[index] = relationship.holdsKey ? kept(slots[index]) : .nothing
        }
        for union in shape.unions { slots[union.place] = .nothing }
        for index in places.indices { places[index].holder = kept(places[index].holder) }
    }

    /// Lets go what it holds of others, but for what can never be nil.
    func letGo() {
        guard let shape = knownShape else { return }
        for (index, relationship) in shape.relationships.enumerated() {
            if relationship.isToMany || relationship.isOptional { slots[index] = .nothing }
        }
        for union in shape.unions { slots[union.place] = .nothing }
        places = []
    }

    /// Lets go what it holds of others when its context ends, and leaves what another one reads again.
    func letGo(to ended: EndedContext) {
        guard state == .stored, let shape = knownShape,
            !shape.relationships.isEmpty || isPartial
        else { return letGo() }
        for (index, relationship) in shape.relationships.enumerated()
        where relationship.isToMany || relationship.isOptional {
            if relationship.holdsKey {
                slots[index] = slots[index].key.map { .key($0) } ?? .nothing
            } else {
                slots[index] = .unloaded
            }
        }
        for union in shape.unions { slots[union.place] = .nothing }
        places = []
        ended.take(self)
    }

    /// Forgets what its row says of others, as it is to be a new one in another context: it keeps what it
    /// was given after its own had ended, and of its row what can never be nil.
    func forgetRow() {
        if batch?.marked != nil {
            // It was marked in another container.
            batch = nil
            return letGo()
        }
        guard let ended = batch?.ended, let shape = knownShape else { return }
        for (index, relationship) in shape.relationships.enumerated() {
            switch slots[index] {
            case .key, .unloaded: if relationship.isOptional { slots[index] = .nothing }
            case .one(let other) where ended.has(other):
                let key = relationship.isOptional ? nil : other.persistentBacking.key
                slots[index] = key.map { .key($0) } ?? .nothing
            case .many(let list):
                let kept = ObjectGraph.emptyList(of: relationship.target)
                for member in list.all where !ended.has(member) { kept.append(member) }
                slots[index] = .many(kept)
            case .nothing, .one, .stranger: break
            }
        }
        for union in shape.unions { slots[union.place] = .nothing }
    }
}
