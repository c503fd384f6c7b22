import DovetailModel
import DovetailStore

// Relationships are loaded for several objects of one class at a time: those that were read together,
// those of a fetch that asks for it, and those of a document.

extension ModelContext {
    /// Loads a relationship that is read, and that of others which were read together with the object.
    /// An error is thrown by the next fetch or save.
    func fault(_ object: any PersistentModel, _ index: Int) {
        let backing = object.persistentBacking
        var objects = [object]
        // In the middle of a save, such as where a new object loads what it is to keep, some objects have
        // other keys than what waits of those that refer to them: nobody else is loaded then.
        if backing.state == .stored, !isFlushing, let batch = backing.batch {
            objects = batch.objects(with: object, index, in: registry) { isUnloaded($0, index) }
        }
        do {
            try load(index, of: objects)
        } catch {
            fault(object, index, after: error, of: objects.count)
        }
    }

    /// Loads the relationship of one object where that of several could not be: a row of another one that
    /// cannot be read is no error of this one.
    private func fault(
        _ object: any PersistentModel,
        _ index: Int,
        after error: any Error,
        of count: Int
    ) {
        do {
            // What the store says ends its work, also a transaction.
            guard count > 1, !(error is StoreError), isUnloaded(object, index) else { throw error }
            try load(index, of: [object])
        } catch {
            registry.problem = registry.problem ?? error
        }
    }

    /// Whether the rows have to be asked what a relationship of an object holds.
    func isUnloaded(_ object: any PersistentModel, _ index: Int) -> Bool {
        let backing = object.persistentBacking
        guard backing.state == .stored, backing.context === self,
            backing.slots.indices.contains(index)
        else { return false }
        switch backing.slots[index] {
        case .unloaded: return true
        case .key(let key):
            let relationship = backing.shape(of: object).relationships[index]
            return registry.referred(relationship.target, key) == nil
        case .nothing, .one, .many, .stranger: return false
        }
    }

    /// Loads a relationship of objects of one class, or of those that inherit it from one, each of them once.
    ///
    /// - Complexity: one query, or two where the relationship has a join table.
    /// - Throws: what a fetch throws.
    func load(_ index: Int, of objects: [any PersistentModel]) throws {
        guard let first = objects.first else { return }
        let outer = registry.loading
        registry.loading = objects.count
        defer { registry.loading = outer }
        registry.moved.noteRead(objects)
        let rows = try load(index, of: objects, first)
        try registry.noteRead(index, of: objects)
        registry.map(of: type(of: first)).didLoad(index, of: objects.count, rows: rows)
    }

    /// - Returns: how many rows were read.
    private func load(
        _ index: Int,
        of objects: [any PersistentModel],
        _ first: any PersistentModel
    ) throws -> Int {
        let shape = first.persistentBacking.shape(of: first)
        let relationship = shape.relationships[index]
        // Of a class that the container does not know there are no rows.
        if relationship.union != nil, !container.schema.contains(relationship.target) {
            for object in objects {
                object.persistentBacking.slots[index] =
                    relationship.isToMany
                    ? .many(ObjectGraph.emptyList(of: relationship.target)) : .nothing
            }
            return 0
        }
        if relationship.holdsKey { return try loadKeys(relationship, index, of: objects) }
        if let join = relationship.join { return try load(join, relationship, index, of: objects) }
        return try loadHolders(of: objects, relationship, index, relationship.target)
    }

    /// Reads the objects whose keys other objects hold.
    private func loadKeys(
        _ relationship: ObjectShape.Relationship,
        _ index: Int,
        of objects: [any PersistentModel]
    ) throws -> Int {
        var keys: [RowKey] = []
        for object in objects {
            let backing = object.persistentBacking
            guard backing.slots.indices.contains(index), case .key(let key) = backing.slots[index]
            else { continue }
            keys.append(key)
        }
        return try load(relationship.target, keys)
    }

    /// Reads the objects that have some keys of one column, but for those that this context has.
    func load<Object: PersistentModel>(_ type: Object.Type, _ keys: [RowKey]) throws -> Int {
        var seen: Set<RowKey> = []
        let missing = keys.filter { registry.referred(type, $0) == nil && seen.insert($0).inserted }
        guard !missing.isEmpty else { return 0 }
        let entity = try entity(of: type)
        let query = Query(entity, filter: entity.filter(of: missing, in: entity.keyColumns[0]))
        return try (objects(of: query, deferring: true) as [Object]).count
    }

    /// Reads the objects that hold the keys of others: what relationships of these hold.
    private func loadHolders<Object: PersistentModel>(
        of owners: [any PersistentModel],
        _ relationship: ObjectShape.Relationship,
        _ index: Int,
        _ type: Object.Type
    ) throws -> Int {
        let entity = try entity(of: type)
        var groups = FaultGroups<Object>(of: owners.compactMap { $0.persistentBacking.key })
        var found: [Object] = []
        if let column = entity.column(of: relationship, index) {
            found = try objects(
                of: Query(entity, filter: entity.filter(of: groups.keys, in: column)),
                deferring: true
            )
        }
        func slot(of member: Object) -> RelationSlot {
            let backing = member.persistentBacking
            return relationship.inverse.map { backing.slots[$0] }
                ?? backing.holderSlot(ObjectIdentifier(relationship.owner), index)
        }
        for object in found {
            guard let key = slot(of: object).key else { continue }
            let backing = object.persistentBacking
            let place = relationship.isToMany ? backing.order(relationship.owner, index) : nil
            groups.add(object, to: key, place)
        }
        // A new object and the one of a row may have the same key.
        let mayShareKeys = owners.first.map {
            registry.map(of: Swift.type(of: $0)).hasSharedKeys
        }
        func isHeld(_ member: Object, by owner: any PersistentModel) -> Bool {
            guard mayShareKeys == true else { return true }
            switch slot(of: member) {
            case .one(let holder): return holder === owner
            case .key(let key): return registry.referred(Swift.type(of: owner), key) === owner
            case .nothing, .unloaded, .many, .stranger: return false
            }
        }
        for object in owners {
            let backing = object.persistentBacking
            guard let key = backing.key, case .unloaded = backing.slots[index] else { continue }
            let members = groups.members(of: key).filter { isHeld($0, by: object) }
            if relationship.isToMany {
                backing.slots[index] = .many(ObjectList(members))
            } else {
                backing.slots[index] =
                    try holder(members, relationship, of: object).map { .one($0) }
                    ?? .nothing
            }
        }
        return found.count
    }

    /// The one of several objects that say to be in a relationship to one: that which was put there here,
    /// which the save leaves there.
    private func holder(
        _ members: [any PersistentModel],
        _ relationship: ObjectShape.Relationship,
        of object: any PersistentModel
    ) throws -> (any PersistentModel)? {
        guard members.count > 1, let inverse = relationship.inverse else { return members.first }
        registry.noteRivals(members, of: object)
        return try members.first { try registry.waits($0, for: inverse) } ?? members.first
    }
}

extension EntityBinding {
    /// The filter that takes the rows with some keys in a column. Rows without one are not asked for, so
    /// an index finds them.
    func filter(of keys: [RowKey], in column: Int) -> QueryExpression {
        let attribute = QueryExpression.attribute(column, isOptional: false)
        let values = keys.compactMap(\.values.first)
        if values.count == 1 { return .equal(attribute, .value(values[0])) }
        return .isIn(attribute, QueryList(values))
    }

    /// The column in which the rows hold the key of an object that has a relationship to them; nil where
    /// there is none.
    func column(of relationship: ObjectShape.Relationship, _ index: Int) -> Int? {
        for part in relationshipColumns {
            switch part {
            case .key(let other, let column) where other == relationship.inverse: return column
            case .member(let type, index, let key?, _) where type == relationship.owner: return key
            default: break
            }
        }
        return nil
    }
}
