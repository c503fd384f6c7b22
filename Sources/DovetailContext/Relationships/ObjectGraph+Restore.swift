import DovetailModel

extension ObjectGraph {
    /// Puts an object that was to be deleted, and is kept, where its own references say that it is. What
    /// others say of it is asked again: some have left it, or are deleted.
    static func restore(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        for (index, relationship) in backing.shape(of: object).relationships.enumerated() {
            switch backing.slots[index] {
            case .one(let other) where relationship.holdsKey:
                if let inverse = relationship.inverse { remind(other, inverse, of: object) }
            case .many(let list) where relationship.join != nil:
                if let inverse = relationship.inverse {
                    for member in list.all { unload(member, inverse) }
                }
                unload(object, index)
            case .nothing, .key, .one, .many, .unloaded, .stranger:
                if !relationship.holdsKey { unload(object, index) }
            }
        }
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
