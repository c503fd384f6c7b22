import DovetailModel
import DovetailStore

/// What objects ask whose rows are marked as deleted. They are in no context: two fetches give two of them
/// for one row, and nothing that is done with one is saved before it is inserted again.
///
/// It belongs to the registry of a context, and lives as long as one of the objects.
final class MarkedObjects {
    let container: ModelContainer
    private weak var context: ModelContext?
    private var made: ModelContext?

    init(of context: ModelContext) {
        container = context.container
        self.context = context
    }

    /// The context that has read them, or after its end another one.
    var reader: ModelContext {
        if let context { return context }
        if let made { return made }
        let new = ModelContext.forObjectsWithout(in: container)
        made = new
        return new
    }

    /// Reads what a relationship of an object leads to, where its row says so: also the object of another
    /// marked row. Nobody is in its lists. What cannot be read stays a key.
    func fault(_ object: any PersistentModel, _ index: Int) {
        let backing = object.persistentBacking
        let relationship = backing.shape(of: object).relationships[index]
        switch backing.slots[index] {
        case .key(let key):
            let context = reader
            let other =
                context.object(relationship.target, key)
                ?? context.markedObject(relationship.target, key)
            if let other { backing.slots[index] = .one(other) }
        default:
            backing.slots[index] =
                relationship.isToMany
                ? .many(ObjectGraph.emptyList(of: relationship.target)) : .nothing
        }
    }
}

extension ModelContext {
    /// The object of the marked row at which a cursor is: the one that waits here to be deleted, or a new
    /// one.
    ///
    /// - Parameters:
    ///   - shape: That of its class, where it is below that of the map.
    ///   - make: Makes an object of the row.
    /// - Throws: ``ModelDecodingError`` for a row that is no object of the class.
    func deletedObject<Object>(
        at row: any RowSource,
        _ entity: EntityBinding,
        _ map: ObjectMap,
        _ shape: ObjectShape? = nil,
        make: () throws -> Object
    ) throws -> Object {
        let key = try RowKey(row: row, entity: entity)
        if let known = map.objects[key], known.persistentBacking.state == .deleted,
            let object = known as? Object
        {
            return object
        }
        let object = try make()
        if let model = object as? any PersistentModel {
            model.persistentBacking.begin(shape ?? map.shape)
            model.persistentBacking.begin(marked: registry.marked, key)
            try readRelationships(of: model, from: row, entity)
        }
        return object
    }

    /// A new object of the marked row with a key; nil where there is none. An error is thrown by the next
    /// fetch or save.
    fileprivate func markedObject(
        _ type: any PersistentModel.Type,
        _ key: RowKey
    ) -> (any PersistentModel)? {
        func read<Object: PersistentModel>(_ type: Object.Type) throws -> Object? {
            let entity = try entity(of: type)
            let query = Query(entity, .only, filter: entity.filter(of: [key.values]))
            return try withRows(of: query, type, false) { cursor, entity in
                var objects: [Object] = []
                try readRows(of: type, from: cursor, entity, into: &objects)
                return objects.first
            }
        }
        do {
            return try read(type)
        } catch {
            registry.problem = registry.problem ?? error
            return nil
        }
    }
}

extension ObjectGraph {
    /// Brings an object that was marked, and is inserted again, in step with the objects that its context
    /// has: it is in the relationships that its row says. What it refers to does not come back with it.
    ///
    /// - Complexity: linear in the number of its relationships; one query for each that others hold the
    ///   keys of. Where other classes have relationships to its class which lead nowhere back, linear in
    ///   the number of objects.
    static func bringBack(_ object: any PersistentModel, in context: ModelContext) {
        let backing = object.persistentBacking
        let shape = backing.shape(of: object)
        func isIn(_ type: any PersistentModel.Type, _ key: RowKey, _ index: Int?) {
            guard let index, let holder = context.registeredObject(type, key) else { return }
            let relationship = holder.persistentBacking.shape(of: holder).relationships[index]
            switch holder.persistentBacking.slots[index] {
            // A new one with a declared key, which nobody else refers to.
            case .nothing where holder.persistentBacking.state == .inserted:
                if relationship.isToMany {
                    append(object, to: holder, index)
                } else {
                    put(.one(object), holder, index)
                }
            default: unload(holder, index, without: object)
            }
        }
        context.registry.forgetOthers(of: object)
        var unknown: [Int] = []
        for (index, relationship) in shape.relationships.enumerated() {
            switch backing.slots[index] {
            case .key, .one:
                guard relationship.holdsKey else { continue }
                backing.slots[index] = context.slot(
                    bringingBack: backing.slots[index],
                    relationship.target
                )
                if let key = backing.slots[index].key {
                    isIn(relationship.target, key, relationship.inverse)
                }
            // It was given some.
            case .many(let list) where list.count > 0: continue
            case .many, .nothing, .unloaded, .stranger:
                if relationship.holdsKey || relationship.join != nil { continue }
                backing.slots[index] = .unloaded
                unknown.append(index)
            }
        }
        for union in shape.unions { backing.slots[union.place] = .nothing }
        if let entity = try? context.entity(of: type(of: object)) {
            for case .member(let owner, let index, _?, _) in entity.relationshipColumns {
                guard let owner = owner as? any PersistentModel.Type,
                    let key = backing.holderSlot(ObjectIdentifier(owner), index).key
                else { continue }
                isIn(owner, key, index)
            }
        }
        // It has no row that could be asked later, where it leaves the context.
        for index in unknown {
            if shape.relationships[index].isToMany {
                _ = list(object, index)
            } else {
                _ = one(object, index)
            }
        }
    }
}

extension ModelContext {
    /// What the relationship of an object that comes back holds: the key of another one, unless that waits
    /// here to be deleted, or is new.
    fileprivate func slot(
        bringingBack slot: RelationSlot,
        _ target: any PersistentModel.Type
    ) -> RelationSlot {
        switch slot {
        case .key(let key):
            guard let known = registeredObject(target, key) else { return slot }
            return .one(known)
        case .one(let other):
            let backing = other.persistentBacking
            guard backing.context == nil, backing.batch?.marked?.container == container else {
                return slot
            }
            return backing.key.map { .key($0) } ?? .nothing
        case .nothing, .unloaded, .many, .stranger: return slot
        }
    }
}

extension ObjectRegistry {
    /// Lets an object go whose row is gone, or marked.
    func end(_ object: any PersistentModel) {
        release(object)
        let entity = try? context.entity(of: type(of: object))
        let isMarked = entity?.markColumn != nil
        if !isMarked { giveUpDeferred(of: object) }
        object.persistentBacking.end(marked: isMarked ? marked : nil)
    }

    /// Makes relationships empty that held an object when its row was marked, and lead nowhere back: their
    /// rows say so since.
    fileprivate func forgetOthers(of object: any PersistentModel) {
        let root = type(of: object).rootIdentifier
        let schema = context.container.schema
        let isReferred = [schema.bindings, schema.subclasses].joined().contains { entity in
            entity.links.contains { link in
                link.holdsKey && link.inverse == nil
                    && link.relationship.target.tableIdentifier == root
            }
        }
        guard isReferred else { return }
        for other in allObjects {
            let backing = other.persistentBacking
            for (index, slot) in backing.slots.enumerated() {
                if case .one(let held) = slot, held === object,
                    backing.shape(of: other).relationships[index].inverse == nil
                {
                    ObjectGraph.put(.nothing, other, index)
                }
            }
        }
    }
}
