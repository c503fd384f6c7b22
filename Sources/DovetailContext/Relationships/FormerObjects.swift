import DovetailStore

/// What the relationships of an object held that cannot be nil, before they held nothing: whoever takes a line out of
/// its order, in whose list it was, can still read `line.order`, until the save that deletes the line or says what it
/// lacks; and after it, as the line is deleted then.
struct FormerObjects {
    let object: any PersistentModel
    /// By relationship.
    var objects: [Int: any PersistentModel] = [:]
}

extension ObjectRegistry {
    /// Notes what a relationship holds that is about to hold nothing. Only where it cannot be nil somebody may ask
    /// for that.
    func noteFormer(_ object: any PersistentModel, _ index: Int) {
        let backing = object.persistentBacking
        let relationship = backing.shape(of: object).relationships[index]
        guard !relationship.isOptional, !relationship.isToMany else { return }
        let other: (any PersistentModel)? =
            switch backing.slots[index] {
            case .one(let other): other
            case .key(let key): referred(relationship.target, key)
            case .nothing, .unloaded, .many, .stranger: nil
            }
        guard let other else { return }
        former[ObjectIdentifier(object), default: FormerObjects(object: object)].objects[index] =
            other
    }

    /// Gives deleted objects, and new ones that have left the context, back what their relationships held, and forgets
    /// it of all others.
    func giveBackFormer() {
        for former in former.values {
            let backing = former.object.persistentBacking
            guard backing.context == nil || ObjectGraph.isGone(former.object) else { continue }
            for (index, other) in former.objects {
                if case .nothing = backing.slots[index] { backing.slots[index] = .one(other) }
            }
        }
        former = [:]
    }
}

extension PersistentModel {
    /// The object that a relationship held before it held nothing, where it holds nothing now.
    func former(_ index: Int) -> (any PersistentModel)? {
        let backing = persistentBacking
        guard case .nothing = backing.slots[index] else { return nil }
        return backing.context?.registry.former[ObjectIdentifier(self)]?.objects[index]
    }
}
