import DovetailModel
import DovetailStore

// Relationships whose both sides hold several objects. Of objects that no context has, the lists are all
// there is; of those of a context, the links of its registry, which say what is written.

extension ObjectGraph {
    /// Brings the other sides in step with a relationship that has a join table, and whose objects were
    /// replaced.
    static func replacedJoined<Object: PersistentModel>(
        _ object: any PersistentModel,
        _ index: Int,
        _ difference: ObjectList<Object>.Difference,
        in list: ObjectList<Object>
    ) {
        let relationship = object.persistentBacking.shape(of: object).relationships[index]
        guard let inverse = relationship.inverse else { return }
        if difference.common < list.count || !difference.removed.isEmpty { markChanged(object) }
        for member in difference.removed {
            markChanged(member)
            unlink(object, relationship, member)
            forget(object, in: member, inverse)
        }
        for member in difference.added {
            markChanged(member)
            spread(object, member, hasInverse: true)
            link(object, relationship, member)
            show(object, in: member, inverse)
        }
        let members = list.objects
        arrangeJoined(
            object,
            relationship,
            members.count,
            from: difference.common,
            settled: difference.settled
        ) {
            members[$0]
        }
    }

    /// Links an object that was inserted with those of its lists.
    ///
    /// - Parameter isAgain: Whether it was in a context before, and the lists of others may not have it
    ///   any more.
    static func linkLists(of object: any PersistentModel, isAgain: Bool) {
        let backing = object.persistentBacking
        let orders = joinedOrders(of: object)
        defer { arrange(object, orders) }
        for (index, relationship) in backing.shape(of: object).relationships.enumerated() {
            guard relationship.join != nil, let inverse = relationship.inverse,
                case .many(let list) = backing.slots[index]
            else { continue }
            let members = list.all
            for member in members {
                link(object, relationship, member)
                if isAgain { show(object, in: member, inverse) }
            }
            arrangeJoined(object, relationship, members.count, from: 0) { members[$0] }
        }
    }

    /// Makes the lists of an object be read again that have a join table.
    static func unloadLists(of object: any PersistentModel) {
        let shape = object.persistentBacking.shape(of: object)
        guard shape.hasJoins else { return }
        for (index, relationship) in shape.relationships.enumerated()
        where relationship.join != nil { unload(object, index) }
    }

    /// Puts an object into the list of another one, which may have it.
    private static func show(
        _ object: any PersistentModel,
        in member: any PersistentModel,
        _ index: Int
    ) {
        let backing = member.persistentBacking
        _ = backing.shape(of: member)
        if case .many(let list) = backing.slots[index], list.contains(object) { return }
        append(object, to: member, index)
    }

    /// Notes that two objects of one context are in each other's lists. In that of the second one, which
    /// does not have it yet, the first one comes last.
    private static func link(
        _ object: any PersistentModel,
        _ relationship: ObjectShape.Relationship,
        _ member: any PersistentModel
    ) {
        let backing = member.persistentBacking
        let shape = backing.shape(of: member)
        guard let registry = object.persistentBacking.context?.registry,
            backing.context === registry.context, let join = relationship.join,
            let inverse = relationship.inverse, let back = shape.relationships[inverse].join
        else { return }
        let mine = registry.joins.makeLink(join, object, member)
        let theirs = registry.joins.makeLink(back, member, object)
        registry.joins.touch(mine, join)
        registry.joins.touch(theirs, back)
        if join.place(mine.places) == nil {
            join.setPlace(RelationOrder.next(after: nil), of: mine)
        }
        if !theirs.isWanted || back.place(theirs.places) == nil {
            var last: Int64?
            if case .many(let list) = backing.slots[inverse], let other = list.last {
                last = back.place(registry.joins.link(back, member, other)?.places)
            }
            back.setPlace(RelationOrder.next(after: last), of: theirs)
        }
        for link in [mine, theirs] {
            (link.isWanted, link.isSet) = (true, link.stored == nil)
        }
    }

    /// Notes that two objects are no longer in each other's lists.
    private static func unlink(
        _ object: any PersistentModel,
        _ relationship: ObjectShape.Relationship,
        _ member: any PersistentModel
    ) {
        guard let registry = object.persistentBacking.context?.registry,
            let join = relationship.join
        else { return }
        func remove(_ holder: any PersistentModel, _ other: any PersistentModel) {
            let known = registry.joins.link(join, holder, other)
            let link = known ?? registry.joins.makeLink(join, holder, other)
            // Of a list that was not read, there is a row that this context has not seen.
            if known == nil { link.stored = link.places }
            registry.joins.touch(link, join)
            (link.isWanted, link.isSet) = (false, link.stored != nil)
        }
        remove(object, member)
        if join.isOwnInverse { remove(member, object) }
    }

    /// Gives the objects of a list places that are in their order.
    private static func arrangeJoined(
        _ object: any PersistentModel,
        _ relationship: ObjectShape.Relationship,
        _ count: Int,
        from start: Int,
        settled: Int? = nil,
        member: (Int) -> any PersistentModel
    ) {
        guard let registry = object.persistentBacking.context?.registry,
            let join = relationship.join
        else { return }
        func link(_ position: Int) -> JoinLink? {
            registry.joins.link(join, object, member(position))
        }
        RelationOrder.arrange(count, from: start, settled: settled) { position in
            join.place(link(position)?.places)
        } place: { position, place in
            guard let link = link(position) else { return }
            registry.joins.touch(link, join)
            join.setPlace(place, of: link)
        }
    }
}
