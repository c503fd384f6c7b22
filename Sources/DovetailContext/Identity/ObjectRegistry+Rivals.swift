import DovetailModel

// Objects that say to be in a relationship to one in which others have put another one.

extension ObjectRegistry {
    /// Notes that several objects say to be in a relationship of another one to one.
    func noteRivals(_ objects: [any PersistentModel], of holder: any PersistentModel) {
        rivals[ObjectIdentifier(holder), default: []] += objects
    }

    /// The objects that say to be in a relationship to one, as far as others have put one there after this
    /// context has.
    ///
    /// - Parameter inverse: The relationship that leads to the object that has it.
    func rivals(
        of holder: any PersistentModel,
        _ target: any PersistentModel.Type,
        _ inverse: Int
    ) -> [any PersistentModel] {
        if rivals.isEmpty { return [] }
        let key = holder.persistentBacking.key
        return rivals[ObjectIdentifier(holder), default: []].filter { object in
            let backing = object.persistentBacking
            return type(of: object).rootIdentifier == target.rootIdentifier
                && !backing.state.isDeleted && backing.context === context
                && backing.slots[inverse].key == key
        }
    }
}
