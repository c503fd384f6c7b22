import DovetailModel
import DovetailStore

/// Objects of one class that write themselves.
protocol ObjectBatch: ChangeBatch {
    /// Where it puts the identifiers of the objects whose rows it has written.
    var written: WrittenList { get }
    /// Adds one more.
    func add(_ object: any PersistentModel)
}

/// New objects of one class. They write themselves into the statement, one after the other: to make a
/// row of each first was most of the time that inserting takes beside the store.
final class ObjectInsertions: ObjectBatch {
    let model: any Model.Type
    var verb: WriteVerb? { .insert }
    var count: Int? { objects.count }
    /// Not checked for overlapping accesses at each insertion: no access calls out.
    @exclusivity(unchecked) private var objects: [any PersistentModel] = []
    private let context: ModelContext
    let written: WrittenList

    init(_ model: any Model.Type, in context: ModelContext, _ written: WrittenList) {
        self.model = model
        self.context = context
        self.written = written
    }

    func add(_ object: any PersistentModel) { objects.append(object) }

    func rows(of entity: EntityBinding) throws -> [RowImage] {
        try objects.map { try context.row(of: $0) }
    }

    /// The keys of the rows to which the objects refer, by their types; nil where there are more objects than so
    /// many, or lists hold them to which no property of theirs leads back.
    func holders(
        of entity: EntityBinding,
        atMost most: Int
    ) -> [ObjectIdentifier: Set<RowKey>]? {
        let isHeldOnly = entity.relationshipColumns.contains {
            if case .member(_, _, .some, _) = $0 { true } else { false }
        }
        guard objects.count <= most, !isHeldOnly else { return nil }
        var found: [ObjectIdentifier: Set<RowKey>] = [:]
        for object in objects {
            let backing = object.persistentBacking
            for (index, relationship) in backing.shape(of: object).relationships.enumerated()
            where relationship.holdsKey {
                guard let key = backing.slots[index].key(evenOfDeleted: true) else { continue }
                found[relationship.target.rootIdentifier, default: []].insert(key)
            }
        }
        return found
    }

    func apply(
        to connection: any StoreConnection,
        of entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        let writer = try connection.writer(.insert, into: entity)
        let name = model.typeName
        for object in objects {
            do {
                try context.write(object, to: writer, entity)
                try writer.finishRow()
                if let key = writer.lastKey { commit.add(key, of: entity) }
                // Here, while the object is in the cache: a second pass over many costs as much as
                // writing them.
                if let key = object.persistentBacking.key {
                    written.append(PersistentIdentifier(name, key))
                }
            } catch let error as StoreError {
                throw error.naming(object.persistentBacking.key?.values ?? [])
            }
        }
        try writer.finish()
    }
}
