import DovetailModel
import DovetailStore

extension ObjectGraph {
    /// Puts an object that was to be deleted, and is kept, where its own references say that it is. What
    /// others say of it is asked again: some have left it, or are deleted.
    static func restore(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        for (holder, index) in holders(of: object) { remind(holder, index, of: object) }
        for (index, relationship) in backing.shape(of: object).relationships.enumerated() {
            switch backing.slots[index] {
            case .one(let other) where relationship.holdsKey:
                if let inverse = relationship.inverse { remind(other, inverse, of: object) }
            case .many(let list) where relationship.join != nil:
                if let inverse = relationship.inverse {
                    for member in list.all { unload(member, inverse) }
                    // What was set while it waited to be deleted concerns nobody: its pairs are what they were.
                    if let join = relationship.join, let joins = backing.context?.registry.joins {
                        for link in joins.links(join, of: object) {
                            unload(join.other(link), inverse)
                        }
                    }
                }
                unload(object, index)
            case .nothing, .key, .one, .many, .unloaded, .stranger:
                if !relationship.holdsKey { unload(object, index) }
            }
        }
    }

    /// The objects of the context in whose lists an object is, where none of its own properties says so, each
    /// with the list.
    static func holders(
        of object: any PersistentModel
    ) -> [(holder: any PersistentModel, index: Int)] {
        let backing = object.persistentBacking
        guard let context = backing.context,
            let entity = try? context.entity(of: type(of: object))
        else { return [] }
        return entity.relationshipColumns.compactMap { part in
            guard case .member(let owner, let index, _, _) = part,
                let owner = owner as? any PersistentModel.Type
            else { return nil }
            return backing.holder(owner, index).map { ($0, index) }
        }
    }

    /// Brings the other sides in step with what an object holds that has left its context, as by a rollback, and
    /// is inserted again. What waits to be another one's by now stays there, and leaves it.
    static func relink(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        let shape = backing.shape(of: object)
        for (index, relationship) in shape.relationships.enumerated()
        where relationship.join == nil && !shape.isLaterPart(index) {
            guard !relationship.holdsKey else {
                for part in shape.union(of: index)?.parts ?? index..<index + 1 {
                    relink(object, part)
                }
                continue
            }
            let all = held(by: object, index)
            let strays = all.filter { !refers($0, to: object, index) }
            if strays.isEmpty { continue }
            var gone: Set<ObjectIdentifier> = []
            for member in strays {
                let part = shape.union(of: index).flatMap {
                    shape.part(of: $0, to: type(of: member))
                }
                if case .many(let list) = backing.slots[part ?? index] {
                    list.remove(member)
                } else {
                    backing.slots[part ?? index] = .nothing
                }
                if waitsElsewhere(member, part ?? index, shape) {
                    gone.insert(ObjectIdentifier(member))
                }
            }
            if let union = shape.union(of: index) { backing.slots[union.place] = .nothing }
            let kept = all.filter { !gone.contains(ObjectIdentifier($0)) }
            replace(object, index, with: kept)
        }
    }

    /// Makes the object that one refers to know of it.
    private static func relink(_ object: any PersistentModel, _ index: Int) {
        let relationship = object.persistentBacking.shape(of: object).relationships[index]
        guard let inverse = relationship.inverse, let other = one(object, index) else { return }
        if case .many(let list) = other.persistentBacking.slots[inverse], list.contains(object) {
            return
        }
        link(object, to: other, inverse)
    }

    /// Whether the row of a member says that it is in a relationship of an object.
    private static func refers(
        _ member: any PersistentModel,
        to object: any PersistentModel,
        _ index: Int
    ) -> Bool {
        guard let slot = holderSlot(of: member, in: object, index) else { return true }
        if case .one(let holder) = slot { return holder === object }
        return false
    }

    /// What a member says of who has it in a relationship of an object; nil where its class has none.
    private static func holderSlot(
        of member: any PersistentModel,
        in object: any PersistentModel,
        _ index: Int
    ) -> RelationSlot? {
        let shape = object.persistentBacking.shape(of: object)
        let union = shape.union(of: index)
        let part = union.map { shape.part(of: $0, to: type(of: member)) } ?? index
        guard let part else { return nil }
        let relationship = shape.relationships[part]
        let backing = member.persistentBacking
        _ = backing.shape(of: member)
        guard let inverse = relationship.inverse else {
            return backing.holderSlot(ObjectIdentifier(relationship.owner), part)
        }
        return backing.slots[inverse]
    }

    /// Whether a member was given to another object, which waits to be saved.
    private static func waitsElsewhere(
        _ member: any PersistentModel,
        _ index: Int,
        _ shape: ObjectShape
    ) -> Bool {
        let backing = member.persistentBacking
        let relationship = shape.relationships[index]
        guard let inverse = relationship.inverse else {
            let owner = ObjectIdentifier(relationship.owner)
            return backing.isWaitingToChange && backing.holderSlot(owner, index).key != nil
        }
        guard backing.slots[inverse].key != nil else { return false }
        // What cannot be asked is an error of the save.
        return (try? backing.context?.registry.waits(member, for: inverse)) == true
    }

    /// Makes another object know again that an object refers to it.
    private static func remind(
        _ other: any PersistentModel,
        _ index: Int,
        of object: any PersistentModel
    ) {
        let backing = other.persistentBacking
        if backing.state == .inserted, case .nothing = backing.slots[index] {
            // It has no row yet that could be asked.
            put(.one(object), other, index)
        } else {
            unload(other, index, without: object)
        }
    }
}
