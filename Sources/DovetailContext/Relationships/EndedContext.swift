import DovetailModel
import DovetailStore

/// What the objects of a context ask for their relationships when it has ended: another context, which is
/// made when the first of them asks.
///
/// It does not have these objects, which keep it, but others for the same rows. What a relationship leads
/// to is of it, and it lives as long as one of the objects.
final class EndedContext {
    private let container: ModelContainer
    private lazy var context = ModelContext(container)
    /// For objects that were read alone, or in a batch that another context has left.
    private weak var alone: FaultBatch?

    init(_ container: ModelContainer) {
        self.container = container
    }

    /// Lets an object ask it.
    func take(_ backing: ObjectBacking) {
        if backing.batch?.end(with: self) == true { return }
        let batch = alone ?? FaultBatch(loadedFor: 0)
        alone = batch
        _ = batch.end(with: self)
        (backing.batch, backing.position) = (batch, 0)
    }

    /// Reads what a relationship of an object leads to, and keeps it there. It is empty where the row of
    /// the object is gone, and where it cannot be read.
    func fault(_ object: any PersistentModel, _ index: Int) {
        let backing = object.persistentBacking
        let relationship = backing.shape(of: object).relationships[index]
        let other = backing.key.flatMap { twin(of: object, $0) }
        if relationship.isToMany {
            backing.slots[index] = .many(list(of: relationship.target, other, index))
        } else {
            backing.slots[index] =
                other.flatMap { ObjectGraph.one($0, index) }.map { .one($0) } ?? .nothing
        }
    }

    /// The object that the other context has for the row of an object; those of the ones that were read
    /// with it are read, too.
    private func twin(of object: any PersistentModel, _ key: RowKey) -> (any PersistentModel)? {
        let type = type(of: object)
        let root = type.modelRoot as? any PersistentModel.Type ?? type
        if let known = context.registeredObject(root, key) { return known }
        let backing = object.persistentBacking
        let keys = backing.batch?.keys(from: backing.position) ?? []
        if key.count == 1, keys.count > 1 {
            // A row of another one that cannot be read is no matter of this one, which is read below then.
            _ = try? context.load(root, keys)
        }
        return context.object(root, key)
    }

    /// A list of its own of what the other object has.
    private func list<Object: PersistentModel>(
        of type: Object.Type,
        _ other: (any PersistentModel)?,
        _ index: Int
    ) -> ObjectListBase {
        guard let other else { return ObjectList<Object>() }
        // Invariant: the relationship leads to this class, of which its list was made.
        let list = unsafeDowncast(ObjectGraph.list(other, index), to: ObjectList<Object>.self)
        return ObjectList(list.objects)
    }
}

extension ObjectGraph {
    /// Loads a relationship that is read: from the context of the object, or when that has ended from
    /// another one.
    static func fault(_ object: any PersistentModel, _ index: Int) {
        let backing = object.persistentBacking
        if let context = backing.context { return context.fault(object, index) }
        backing.batch?.ended?.fault(object, index)
    }
}
