import DovetailModel
import DovetailStore

/// What happens to both sides when a relationship changes.
///
/// Objects are named together with the index of a relationship in the shape of their class.
enum ObjectGraph {
    /// Whether an object is deleted, here or in the store: it is in no relationship of one that is not, and what
    /// its own are set to concerns nobody. To have it again, a program inserts it. One of a marked row, which was
    /// fetched as such, comes back with a relationship as well.
    static func isGone(_ object: any PersistentModel) -> Bool {
        let backing = object.persistentBacking
        return backing.state.isDeleted && backing.batch?.marked == nil
    }

    /// Puts an object, or none, into a relationship to one.
    static func set(
        _ object: any PersistentModel,
        _ index: Int,
        to new: (any PersistentModel)?
    ) {
        let backing = object.persistentBacking
        let relationship = backing.shape(of: object).relationships[index]
        if isGone(object) {
            if relationship.holdsKey { markChanged(object) } else { noteList(object, index) }
            backing.slots[index] = new.map { .one($0) } ?? .nothing
            return
        }
        // One that waits to be deleted may be kept by the policy, and is there then (``shown(_:_:by:)``).
        if let new, relationship.isOptional, isGone(new), new.persistentBacking.state == .gone {
            return set(object, index, to: nil)
        }
        let old = one(object, index)
        if let old, let new, old === new { return }
        if old == nil, new == nil, case .nothing = backing.slots[index] { return }
        // One that waits to be deleted still has its list, by which rules are asked.
        let held = if case .one(let other) = backing.slots[index] { other } else { old }
        // Whom the other one has is asked before the row of this object says that it is there.
        if let new, let inverse = relationship.inverse,
            !new.persistentBacking.shape(of: new).relationships[inverse].isToMany
        {
            _ = one(new, inverse)
        }
        if relationship.holdsKey { markChanged(object) } else { noteList(object, index) }
        backing.slots[index] = new.map { .one($0) } ?? .nothing
        if let inverse = relationship.inverse {
            if let held { unlink(object, from: held, inverse) }
            for rival in rivals(of: object, index) where rival !== new {
                unlink(object, from: rival, inverse)
            }
            if let new { link(object, to: new, inverse) }
        }
        noteCount(object, relationship)
        if let new { spread(object, new, hasInverse: relationship.inverse != nil) }
    }

    /// Puts objects into a relationship to several, in the place of those that it holds.
    ///
    /// Invariant: `Object` is the class that the relationship leads to.
    static func set<Object: PersistentModel>(
        _ object: any PersistentModel,
        _ index: Int,
        toAll objects: [Object]
    ) {
        let list = unsafeDowncast(ObjectGraph.list(object, index), to: ObjectList<Object>.self)
        // What new ones were given in an initializer that may throw puts them into lists, which may be this one.
        if OpenInitializers.current != nil {
            for object in objects[list.countOfSame(as: objects)...] { object.linkOnce() }
        }
        var difference = list.replace(with: objects)
        if isGone(object) { return }
        if difference.added.contains(where: isGone) {
            // Whoever has a copy of the list from before puts those back that were deleted since.
            let rest = list.replace(with: list.objects.filter { !isGone($0) })
            difference.added.removeAll(where: isGone)
            difference.common = min(difference.common, rest.common)
            difference.settled = nil
        }
        replaced(object, index, difference, in: list)
    }

    /// Brings the other sides in step with a relationship to several whose objects were replaced.
    static func replaced<Object: PersistentModel>(
        _ object: any PersistentModel,
        _ index: Int,
        _ difference: ObjectList<Object>.Difference,
        in list: ObjectList<Object>
    ) {
        let relationship = object.persistentBacking.shape(of: object).relationships[index]
        let type = relationship.owner
        noteList(object, index)
        if relationship.join != nil { return replacedJoined(object, index, difference, in: list) }
        for member in difference.removed {
            let backing = member.persistentBacking
            let shape = backing.shape(of: member)
            // Another one has taken it while the list was changed in place.
            if let holder = holder(of: member, relationship, index), holder !== object { continue }
            markChanged(member)
            backing.removePlace(type, index)
            if let inverse = relationship.inverse {
                backing.context?.registry.noteFormer(member, inverse)
                changing(member, shape.relationships[inverse]) { backing.slots[inverse] = .nothing }
            }
        }
        for member in difference.added {
            let backing = member.persistentBacking
            let shape = backing.shape(of: member)
            let old = holder(of: member, relationship, index)
            // A new one that was deleted has kept its holder, and is inserted again.
            if let old, old === object, backing.context === object.persistentBacking.context {
                continue
            }
            markChanged(member)
            if let old, old !== object {
                forget(member, in: old, index)
            } else if relationship.inverse == nil,
                case .key = backing.holderSlot(ObjectIdentifier(type), index)
            {
                // The one that has had it is no object of the context yet.
                backing.context?.registry.moved.noteAny()
            }
            if let inverse = relationship.inverse { clearOthers(of: inverse, of: member) }
            if let inverse = relationship.inverse {
                changing(member, shape.relationships[inverse]) {
                    backing.slots[inverse] = .one(object)
                }
            } else {
                backing.setHolder(.one(object), type, index)
            }
            spread(object, member, hasInverse: true)
        }
        noteCount(object, relationship)
        let members = list.objects
        RelationOrder.arrange(
            members.count,
            from: difference.common,
            settled: difference.settled
        ) { position in
            members[position].persistentBacking.order(type, index)
        } place: { position, place in
            markChanged(members[position])
            members[position].persistentBacking.setOrder(place, type, index)
        }
    }

    /// The object in whose list another one says to be.
    private static func holder(
        of member: any PersistentModel,
        _ relationship: ObjectShape.Relationship,
        _ index: Int
    ) -> (any PersistentModel)? {
        if let inverse = relationship.inverse { return one(member, inverse) }
        return member.persistentBacking.holder(relationship.owner, index)
    }

    /// Takes an object that is deleted out of the property of another one that leads to it.
    static func leave(
        _ other: any PersistentModel,
        _ index: Int,
        of object: any PersistentModel
    ) {
        let relationship = object.persistentBacking.shape(of: object).relationships[index]
        let type = relationship.owner
        let backing = other.persistentBacking
        guard !backing.state.isDeleted else { return }
        let shape = backing.shape(of: other)
        let back = relationship.inverse.map { shape.relationships[$0] }
        // Before anything changes, so that a rollback finds it.
        if back.map(\.holdsKey) ?? relationship.isToMany { markChanged(other) }
        if relationship.isToMany { backing.removePlace(type, index) }
        guard let back, let inverse = relationship.inverse else { return }
        if back.isToMany {
            forget(object, in: other, inverse)
        } else {
            changing(other, back) { vacate(other, inverse, by: object) }
        }
    }

    /// Notes that an object is not in a relationship to one any more. Others may have put another one
    /// there, which the rows say.
    private static func vacate(
        _ holder: any PersistentModel,
        _ index: Int,
        by member: any PersistentModel
    ) {
        let backing = holder.persistentBacking
        noteList(holder, index)
        switch backing.slots[index] {
        case .unloaded: return
        // It was a rival of the one that is there.
        case .one(let other) where other !== member: return
        case .nothing, .key, .one, .many, .stranger: break
        }
        backing.context?.registry.noteFormer(holder, index)
        backing.slots[index] = rivals(of: holder, index).isEmpty ? .nothing : .unloaded
    }

    /// The objects that say to be in a relationship to one, where others have put one there after this
    /// context has.
    static func rivals(
        of object: any PersistentModel,
        _ index: Int
    ) -> [any PersistentModel] {
        let backing = object.persistentBacking
        let relationship = backing.shape(of: object).relationships[index]
        guard !relationship.holdsKey, !relationship.isToMany, let inverse = relationship.inverse,
            let registry = backing.context?.registry
        else { return [] }
        return registry.rivals(of: object, relationship.target, inverse)
    }

    /// Puts an object into a relationship of another one that leads to it.
    static func link(
        _ member: any PersistentModel,
        to holder: any PersistentModel,
        _ index: Int
    ) {
        let backing = holder.persistentBacking
        let relationship = backing.shape(of: holder).relationships[index]
        let type = relationship.owner
        guard relationship.isToMany else {
            let old = one(holder, index)
            if let old, old === member { return }
            if let inverse = relationship.inverse {
                let rivals = rivals(of: holder, index).filter { $0 !== old && $0 !== member }
                for loser in (old.map { [$0] } ?? []) + rivals {
                    let other = loser.persistentBacking
                    let back = other.shape(of: loser).relationships[inverse]
                    if back.holdsKey { markChanged(loser) }
                    changing(loser, back) { vacate(loser, inverse, by: holder) }
                }
            }
            if relationship.holdsKey { markChanged(holder) }
            noteList(holder, index)
            clearOthers(of: index, of: holder)
            changing(holder, relationship) { backing.slots[index] = .one(member) }
            return
        }
        var last: Int64?
        if case .many(let list) = backing.slots[index] {
            last = list.last?.persistentBacking.order(type, index)
        }
        member.persistentBacking.setOrder(RelationOrder.next(after: last), type, index)
        append(member, to: holder, index)
    }

    /// Puts an object at the end of the list of another one. One that was not read is not read for that.
    static func append(
        _ member: any PersistentModel,
        to holder: any PersistentModel,
        _ index: Int
    ) {
        let backing = holder.persistentBacking
        let relationship = backing.shape(of: holder).relationships[index]
        noteList(holder, index)
        switch backing.slots[index] {
        case .many(let list): changing(holder, relationship) { list.append(member) }
        case .unloaded: changing(holder, relationship) {}
        default:
            let list = emptyList(of: relationship.target)
            changing(holder, relationship) {
                list.append(member)
                backing.slots[index] = .many(list)
            }
        }
    }

    /// Takes an object out of a relationship of another one that led to it.
    private static func unlink(
        _ member: any PersistentModel,
        from holder: any PersistentModel,
        _ index: Int
    ) {
        let backing = holder.persistentBacking
        let relationship = backing.shape(of: holder).relationships[index]
        let type = relationship.owner
        if relationship.isToMany {
            member.persistentBacking.removePlace(type, index)
            forget(member, in: holder, index)
        } else {
            if relationship.holdsKey { markChanged(holder) }
            changing(holder, relationship) { vacate(holder, index, by: member) }
        }
    }

    /// Takes an object out of the list of another one, if that is loaded.
    static func forget(
        _ member: any PersistentModel,
        in holder: any PersistentModel,
        _ index: Int
    ) {
        let backing = holder.persistentBacking
        let relationship = backing.shape(of: holder).relationships[index]
        noteCount(holder, relationship)
        noteList(holder, index)
        guard case .many(let list) = backing.slots[index] else { return }
        changing(holder, relationship) { list.remove(member) }
    }

    /// Inserts what is reached from an object that a context has. A context that only reads for objects
    /// whose own has ended takes none of these.
    static func spread(
        _ object: any PersistentModel,
        _ other: any PersistentModel,
        hasInverse: Bool
    ) {
        let (mine, theirs) = (object.persistentBacking, other.persistentBacking)
        switch (mine.context, theirs.context) {
        case (let context?, nil): context.insertObject(other)
        case (nil, let context?) where hasInverse && !context.registry.servesOthers:
            context.insertObject(object)
        case (let context?, let otherContext?) where context !== otherContext:
            context.registry.problem = ObjectError.otherContext(object, other)
        default: break
        }
    }

    /// Notes that the row of an object changes.
    static func markChanged(_ object: any PersistentModel) {
        object.persistentBacking.context?.registry.markChanged(object)
    }

    /// Notes, for a rollback or a transaction that may throw, that a relationship changes whose keys others may
    /// hold.
    private static func noteList(_ object: any PersistentModel, _ index: Int) {
        guard let registry = object.persistentBacking.context?.registry else { return }
        registry.noteMoved(object)
        registry.log?.noteList(of: object, index)
    }

    /// Notes that a save has to count what a relationship holds.
    private static func noteCount(
        _ object: any PersistentModel,
        _ relationship: ObjectShape.Relationship
    ) {
        if relationship.isCounted {
            object.persistentBacking.context?.registry.noteCount(of: object)
        }
    }

    /// Tells those who track a relationship that it changes.
    static func changing(
        _ object: any PersistentModel,
        _ relationship: ObjectShape.Relationship,
        _ change: () -> Void
    ) {
        func typed<Object: PersistentModel>(_ object: Object) {
            object.persistentBacking.changing(object, relationship.keyPath, change)
        }
        typed(object)
        noteCount(object, relationship)
    }
}
