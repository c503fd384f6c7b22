// What an object forgets when its row, its context or what it has read is gone.

extension ObjectBacking {
    /// Forgets the lists that were read, and what the rows of others say.
    func forgetLists() {
        guard let shape = knownShape else { return }
        for (index, relationship) in shape.relationships.enumerated() where !relationship.holdsKey {
            slots[index] = .unloaded
        }
        for union in shape.unions { slots[union.place] = .nothing }
    }

    /// Notes that its row is gone. Objects that were deleted together, and led to each other, would keep
    /// each other.
    func end() {
        state = .gone
        base = nil
        letGo()
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
        guard state == .stored, let shape = knownShape, !shape.relationships.isEmpty else {
            return letGo()
        }
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
}
