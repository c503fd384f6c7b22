import DovetailModel
import DovetailStore

extension ObjectBacking {
    /// The place in a relationship of another class; the position in ``places``.
    private func place(_ owner: ObjectIdentifier, _ index: Int) -> Int? {
        places.firstIndex { $0.owner == owner && $0.index == index }
    }

    /// The place in the order of a relationship; nil where it has none.
    func order(_ owner: any PersistentModel.Type, _ index: Int) -> Int64? {
        order(ObjectIdentifier(owner), index)
    }

    /// The same, of a class of which only the identity is known.
    func order(_ owner: ObjectIdentifier, _ index: Int) -> Int64? {
        place(owner, index).flatMap { places[$0].order }
    }

    func setOrder(_ order: Int64, _ owner: any PersistentModel.Type, _ index: Int) {
        changePlace(owner, index) { $0.order = order }
    }

    private func changePlace(
        _ owner: any PersistentModel.Type,
        _ index: Int,
        _ change: (inout RelationPlace) -> Void
    ) {
        if let place = place(ObjectIdentifier(owner), index) { return change(&places[place]) }
        var place = RelationPlace(
            owner: ObjectIdentifier(owner),
            index: index,
            holder: .nothing,
            order: nil
        )
        change(&place)
        places.append(place)
    }

    /// The object in whose list it is, where none of its own properties says so.
    func holder(_ owner: any PersistentModel.Type, _ index: Int) -> (any PersistentModel)? {
        guard let place = place(ObjectIdentifier(owner), index) else { return nil }
        switch places[place].holder {
        case .one(let object): return object
        case .key(let key): return context?.registry.referred(owner, key)
        default: return nil
        }
    }

    /// What the column of its holder has.
    func holderSlot(_ owner: ObjectIdentifier, _ index: Int) -> RelationSlot {
        place(owner, index).map { places[$0].holder } ?? .nothing
    }

    func setHolder(
        _ holder: RelationSlot,
        _ owner: any PersistentModel.Type,
        _ index: Int
    ) {
        changePlace(owner, index) { $0.holder = holder }
    }

    func removePlace(_ owner: any PersistentModel.Type, _ index: Int) {
        if let place = place(ObjectIdentifier(owner), index) { places.remove(at: place) }
    }

    /// The relationships that cannot be nil and hold an object whose row is gone. Their columns would be NULL.
    func requiredOfGone() -> [(index: Int, slot: RelationSlot)] {
        guard let shape = knownShape, shape.hasRequired else { return [] }
        return shape.relationships.indices.compactMap { index in
            let relationship = shape.relationships[index]
            let isRequired =
                relationship.union.map { shape.unions[$0].isRequired } ?? relationship.isRequired
            guard isRequired, case .one(let other) = slots[index],
                other.persistentBacking.state == .gone,
                slots[index].key(evenOfDeleted: false) == nil
            else { return nil }
            return (index, slots[index])
        }
    }

    /// The columns of its row that refer to others, each with what the object has there.
    func references(_ entity: EntityBinding) -> [(column: Int, slot: RelationSlot)] {
        entity.relationshipColumns.compactMap { part in
            switch part {
            case .key(let index, let column): (column, slots[index])
            case .member(let owner, let index, let key?, _):
                (key, holderSlot(ObjectIdentifier(owner), index))
            case .member(_, _, nil, _): nil
            }
        }
    }
}
