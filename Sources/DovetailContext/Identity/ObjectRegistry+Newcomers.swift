import DovetailModel
import DovetailStore

extension ObjectRegistry {
    /// Applies the delete rules of objects that wait to be deleted to what other contexts have given them
    /// since.
    ///
    /// - Parameter isTouched: Whether objects of a class may have come to them.
    /// - Complexity: one query for 500 of them, of each class and relationship whose objects others have
    ///   written.
    /// - Throws: what a fetch throws.
    func deleteNewcomers(of isTouched: (any PersistentModel.Type) -> Bool) throws {
        let classes = Dictionary(grouping: deletedObjects) { ObjectIdentifier(type(of: $0)) }
        for objects in classes.values {
            let shape = objects[0].persistentBacking.shape(of: objects[0])
            for (index, relationship) in shape.relationships.enumerated()
            where relationship.leavesNewcomers && isTouched(relationship.target) {
                for start in stride(from: 0, to: objects.count, by: 500) {
                    let part = Array(objects.dropFirst(start).prefix(500))
                    for (other, object) in try newcomers(of: part, index) {
                        if relationship.deleteRule == .cascade {
                            context.deleteObject(other)
                        } else {
                            ObjectGraph.leave(other, index, of: object)
                            noteRelease(other, index, of: object)
                        }
                    }
                }
            }
        }
    }

    /// The objects that are not deleted, and whose rows say to belong to some that are. These hold what they
    /// held.
    private func newcomers(
        of objects: [any PersistentModel],
        _ index: Int
    ) throws -> [(newcomer: any PersistentModel, object: any PersistentModel)] {
        let slots = objects.map { $0.persistentBacking.slots[index] }
        defer {
            for (object, slot) in zip(objects, slots) {
                object.persistentBacking.slots[index] = slot
            }
        }
        for object in objects { object.persistentBacking.slots[index] = .unloaded }
        try context.load(index, of: objects)
        return objects.flatMap { object in
            let members: [any PersistentModel] =
                switch object.persistentBacking.slots[index] {
                case .many(let list): list.all
                case .one(let other): [other] + ObjectGraph.rivals(of: object, index)
                case .nothing, .key, .unloaded, .stranger: []
                }
            return members.filter { !$0.persistentBacking.state.isDeleted }.map { ($0, object) }
        }
    }
}

extension ObjectShape.Relationship {
    /// Whether objects that come to a deleted one are deleted with it, or leave it.
    fileprivate var leavesNewcomers: Bool {
        !holdsKey && join == nil && (deleteRule == .cascade || deleteRule == .nullify)
    }
}
