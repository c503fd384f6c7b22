import DovetailModel
import DovetailStore

// What relationships hold, which is loaded when somebody reads it.

extension ObjectGraph {
    /// The object that a relationship to one holds.
    static func one(_ object: any PersistentModel, _ index: Int) -> (any PersistentModel)? {
        let backing = object.persistentBacking
        let relationship = backing.shape(of: object).relationships[index]
        switch backing.slots[index] {
        case .one(let other): return shown(other, relationship, by: backing)
        case .key(let key):
            let known = backing.context?.registry.referred(relationship.target, key)
            if known == nil { fault(object, index) }
            if let context = backing.context {
                guard let other = known ?? context.registry.referred(relationship.target, key)
                else { return nil }
                if other.persistentBacking.state == .inserted {
                    context.registry.noteMeant(other, by: object)
                }
                backing.slots[index] = .one(other)
            }
            guard case .one(let other) = backing.slots[index] else { return nil }
            return shown(other, relationship, by: backing)
        case .unloaded:
            fault(object, index)
            guard case .one(let other) = backing.slots[index] else { return nil }
            return other
        case .nothing, .many, .stranger: return nil
        }
    }

    /// The object of a relationship, as far as it is there: one that leads nowhere back is not told when
    /// its object is deleted, and another context may have stored one that is deleted here. One that was
    /// new is in no context then.
    private static func shown(
        _ other: any PersistentModel,
        _ relationship: ObjectShape.Relationship,
        by backing: ObjectBacking
    ) -> (any PersistentModel)? {
        let state = other.persistentBacking.state
        let isGone = state.isDeleted || state == .detached && backing.context != nil
        return relationship.isOptional && isGone && !backing.state.isDeleted ? nil : other
    }

    /// Loads a relationship that is read: from the context of the object, or when that has ended from
    /// another one. The object of a marked row has no context.
    private static func fault(_ object: any PersistentModel, _ index: Int) {
        let backing = object.persistentBacking
        if let context = backing.context { return context.fault(object, index) }
        if let marked = backing.batch?.marked { return marked.fault(object, index) }
        backing.batch?.ended?.fault(object, index)
    }

    /// The objects that a relationship to several holds.
    static func list(_ object: any PersistentModel, _ index: Int) -> ObjectListBase {
        let backing = object.persistentBacking
        let relationship = backing.shape(of: object).relationships[index]
        if case .many(let list) = backing.slots[index] { return list }
        if case .unloaded = backing.slots[index] {
            fault(object, index)
            if case .many(let list) = backing.slots[index] { return list }
            // It could not be loaded, and is asked for again.
            return emptyList(of: relationship.target)
        }
        let list = emptyList(of: relationship.target)
        backing.slots[index] = .many(list)
        return list
    }

    static func emptyList<Object: PersistentModel>(of type: Object.Type) -> ObjectListBase {
        ObjectList<Object>()
    }

    /// Makes an object ask again what the rows of others say about a relationship. One that has no row
    /// yet asks at once: it may leave its context, and keeps then what it has.
    ///
    /// - Parameter member: What its list does not have, or it need not be read; nil to read it in any
    ///   case.
    static func unload(
        _ object: any PersistentModel,
        _ index: Int,
        without member: (any PersistentModel)? = nil
    ) {
        let backing = object.persistentBacking
        guard backing.state == .stored || backing.state == .inserted else { return }
        let isNew = backing.state == .inserted
        switch backing.slots[index] {
        case .unloaded: return
        case .nothing where isNew: return
        case .many(let list) where member.map(list.contains) == true: return
        case .nothing, .key, .one, .many, .stranger: put(.unloaded, object, index)
        }
        guard isNew else { return }
        if backing.shape(of: object).relationships[index].isToMany {
            _ = list(object, index)
        } else {
            _ = one(object, index)
        }
    }

    /// Puts what a row says into a relationship, of which those who track it learn.
    static func put(_ slot: RelationSlot, _ object: any PersistentModel, _ index: Int) {
        let backing = object.persistentBacking
        let relationship = backing.shape(of: object).relationships[index]
        backing.context?.registry.log?.noteList(of: object, index)
        changing(object, relationship) { backing.slots[index] = slot }
    }
}
