import DovetailModel
import DovetailStore

/// Reads relationships for objects whose context has ended, from a second context that is made at the first
/// read.
///
/// That one has objects of its own for the same rows, and does not know the ended ones, which keep it: it
/// lives as long as one of them.
final class EndedContext {
    private let container: ModelContainer
    private var made: ModelContext?
    /// For objects that were read alone, or in a batch that another context has left.
    private weak var alone: FaultBatch?

    init(_ container: ModelContainer) {
        self.container = container
    }

    /// The second context.
    var context: ModelContext {
        if let made { return made }
        let new = ModelContext.forObjectsWithout(in: container)
        made = new
        return new
    }

    /// Lets an object ask it.
    func take(_ backing: ObjectBacking) {
        if backing.batch?.end(with: self) == true { return }
        let batch = alone ?? FaultBatch(loadedFor: 0)
        alone = batch
        _ = batch.end(with: self)
        (backing.batch, backing.position) = (batch, 0)
    }

    /// Whether an object is one of the second context, and not one of those that ask it.
    func has(_ object: any PersistentModel) -> Bool {
        made != nil && object.persistentBacking.context === made
    }

    /// Reads what a relationship of an object leads to, and keeps it there. It is empty where the row of
    /// the object is gone, or is one of another class by now. What cannot be read is asked for again at
    /// the next look, and nobody is told why: there is no call that could throw it.
    func fault(_ object: any PersistentModel, _ index: Int) {
        let backing = object.persistentBacking
        let relationship = backing.shape(of: object).relationships[index]
        let other = twin(of: object)
        let found: RelationSlot
        if relationship.isToMany {
            found = .many(list(of: relationship.target, other, index))
        } else {
            let slot = backing.slots[index]
            let one = other.flatMap { self.one(relationship.target, $0, index, slot) }
            found = one.map { .one($0) } ?? .nothing
        }
        if exchange(&context.registry.problem, with: nil) == nil { backing.slots[index] = found }
    }

    /// What the relationship to one of an object holds, of which the second context has another one. What
    /// it was given, and nobody has saved, is not in its row.
    private func one(
        _ target: any PersistentModel.Type,
        _ other: any PersistentModel,
        _ index: Int,
        _ slot: RelationSlot
    ) -> (any PersistentModel)? {
        if case .key(let key) = slot, other.persistentBacking.slots[index].key != key {
            return context.object(target, key)
        }
        return ObjectGraph.one(other, index)
    }

    /// The objects of a relationship to a protocol, in their order.
    func members<Value>(
        of object: any PersistentModel,
        _ union: ObjectShape.Union,
        _ type: Value.Type
    ) -> [any PersistentModel] {
        twin(of: object).map { ObjectGraph.list($0, union, of: Value.self).all } ?? []
    }

    /// The object that the second context has for the row of an object; those of the ones that were read
    /// with it are read, too.
    private func twin(of object: any PersistentModel) -> (any PersistentModel)? {
        let backing = object.persistentBacking
        guard let key = backing.key else { return nil }
        let type = type(of: object)
        let root = type.modelRoot as? any PersistentModel.Type ?? type
        var found = context.registeredObject(root, key)
        if found == nil {
            let keys = backing.batch?.keys(from: backing.position) ?? []
            if key.count == 1, keys.count > 1 {
                // A row of another one that cannot be read is no matter of this one, which is read below
                // then.
                _ = try? context.load(root, keys)
            }
            found = context.object(root, key)
        }
        // Relationships are known by their place in the shape of this class.
        return found.flatMap { Swift.type(of: $0) == type ? $0 : nil }
    }

    /// A list of its own of what the other object has.
    private func list<Object: PersistentModel>(
        of type: Object.Type,
        _ other: (any PersistentModel)?,
        _ index: Int
    ) -> ObjectListBase {
        guard let other else { return ObjectList<Object>() }
        // Invariant: both objects are of one class, whose relationship leads to this one.
        let list = unsafeDowncast(ObjectGraph.list(other, index), to: ObjectList<Object>.self)
        return ObjectList(list.objects)
    }
}

extension ModelContext {
    /// Makes the context that reads for objects without one.
    static func forObjectsWithout(in container: ModelContainer) -> ModelContext {
        let context = ModelContext(container)
        context.registry.servesOthers = true
        return context
    }
}
