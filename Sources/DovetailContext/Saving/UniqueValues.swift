import DovetailModel
import DovetailStore

/// Finds out which of the new objects of one class stand for a row that has their unique values already,
/// or for other new objects with the same ones.
struct UniqueValues {
    private let entity: EntityBinding
    private let map: ObjectMap
    private let plan: SavePlan
    /// The columns of each group, the key among them where the class declares one.
    private let groups: [[Int]]
    /// The objects by their values in each group.
    private var holders: [[[QueryValue]: any PersistentModel]]
    /// The object that stands for another one.
    private var winners: [ObjectIdentifier: any PersistentModel] = [:]
    /// What the objects that stand for others have taken over.
    private var taken: [ObjectIdentifier: Taken] = [:]
    /// The keys of stored rows that will have other values, or be deleted.
    private var superseded: Set<RowKey> = []
    /// The objects that were looked at, in their order.
    private var objects: [any PersistentModel] = []

    private struct Taken {
        var key: RowKey?
        var row: RowImage?
        /// The latest first.
        var absorbed: [any PersistentModel] = []
    }

    init?(_ entity: EntityBinding, _ map: ObjectMap, _ plan: SavePlan) {
        var groups = entity.description.indexes.filter(\.isUnique).map(\.columns)
        if !entity.hasHiddenKey { groups.append(entity.keyColumns) }
        if groups.isEmpty { return nil }
        self.entity = entity
        self.map = map
        self.plan = plan
        self.groups = groups
        holders = groups.map { _ in [:] }
    }

    /// Notes an object that is to be deleted: its values are free.
    mutating func addDeleted(_ object: any PersistentModel) {
        if let key = object.persistentBacking.key { superseded.insert(key) }
    }

    /// Adds an object whose row will be this one; objects that have a row come first.
    ///
    /// - Throws: ``StoreError`` where two rows would have to become one.
    mutating func add(_ object: any PersistentModel, _ row: RowImage) throws {
        objects.append(object)
        if let key = object.persistentBacking.key, !isNew(object) { superseded.insert(key) }
        for (group, columns) in groups.enumerated() {
            guard let values = try values(of: columns, row) else { continue }
            if let known = holders[group][values] {
                try absorb(winner(of: known), into: object, columns)
            }
            holders[group][values] = object
        }
    }

    /// The values of a group; nil where one is NULL, which many rows may have.
    private func values(of columns: [Int], _ row: any RowSource) throws -> [QueryValue]? {
        let values = try entity.values(of: row, in: columns)
        return values.contains(.null) ? nil : values
    }

    private func winner(of object: any PersistentModel) -> any PersistentModel {
        var object = object
        while let next = winners[ObjectIdentifier(object)] { object = next }
        return object
    }

    /// The row that an object stands for.
    private func key(of object: any PersistentModel) -> RowKey? {
        isNew(object) ? taken[ObjectIdentifier(object)]?.key : object.persistentBacking.key
    }

    /// Whether an object has no row: it is new, or its row was deleted and is inserted again.
    private func isNew(_ object: any PersistentModel) -> Bool {
        if case .insert? = plan[object] { return true }
        return object.persistentBacking.state == .inserted
    }

    private mutating func absorb(
        _ other: any PersistentModel,
        into object: any PersistentModel,
        _ columns: [Int]
    ) throws {
        if other === object { return }
        if type(of: other) != type(of: object),
            let key = self.key(of: other) ?? other.persistentBacking.key
        {
            throw ObjectError.otherClass(entity, columns, type(of: object), key)
        }
        let key = key(of: other)
        if let key, let own = self.key(of: object), own != key {
            throw ObjectError.wouldMerge(entity, columns, own, key)
        }
        let lost = taken.removeValue(forKey: ObjectIdentifier(other))
        winners[ObjectIdentifier(other)] = object
        var all = taken[ObjectIdentifier(object)] ?? Taken()
        all.absorbed += [other] + (lost?.absorbed ?? [])
        all.key = all.key ?? key
        all.row = all.row ?? lost?.row
        taken[ObjectIdentifier(object)] = all
    }

    /// Asks the store which rows have the values, and decides what becomes of the objects.
    ///
    /// - Returns: whether there are any that stand for others.
    /// - Throws: ``StoreError`` where two rows would have to become one, and what the store throws.
    mutating func resolve(on connection: any StoreConnection) throws -> Bool {
        for (group, columns) in groups.enumerated() {
            let wanted = Array(holders[group].keys)
            var start = 0
            while start < wanted.count {
                let part = wanted[start..<min(start + 500, wanted.count)]
                start = part.endIndex
                let query = Query(entity, filter: entity.filter(of: Array(part), in: columns))
                let cursor = try connection.rows(of: query)
                defer { cursor.close() }
                while try cursor.next() { try meet(cursor, group) }
            }
        }
        return try decide(on: connection)
    }

    /// Takes a stored row that may have the values of an object.
    private mutating func meet(_ row: any RowSource, _ group: Int) throws {
        let key = try RowKey(row: row, entity: entity)
        guard !superseded.contains(key), let values = try values(of: groups[group], row),
            let holder = holders[group][values]
        else { return }
        let object = winner(of: holder)
        if let own = self.key(of: object) {
            if own == key { return }
            throw ObjectError.wouldMerge(entity, groups[group], own, key)
        }
        if let table = entity.classTable, try table.model(of: row) != type(of: object).modelClass {
            throw ObjectError.otherClass(entity, groups[group], type(of: object), key)
        }
        var all = taken[ObjectIdentifier(object)] ?? Taken()
        all.key = key
        all.row = RowImage(try entity.values(of: row))
        // One that was to be deleted has a row still where the policy has kept that.
        if let known = map.objects[key], known !== object,
            winners[ObjectIdentifier(known)] == nil
        {
            all.absorbed.append(known)
            winners[ObjectIdentifier(known)] = object
        }
        taken[ObjectIdentifier(object)] = all
    }

    private func decide(on connection: any StoreConnection) throws -> Bool {
        var isDecided = false
        for object in objects {
            guard let taken = taken[ObjectIdentifier(object)],
                winners[ObjectIdentifier(object)] == nil,
                isNew(object),
                let own = object.persistentBacking.key
            else { continue }
            let key = taken.key ?? own
            if !entity.hasHiddenKey, let stored = taken.key, stored != own {
                throw ObjectError.wouldMerge(entity, entity.keyColumns, own, stored)
            }
            // That of a changed object is read, since it may not be what that has seen.
            let row = try taken.row ?? taken.key.flatMap { try self.row($0, on: connection) }
            plan.decide(object, .adopt(row, absorbed: taken.absorbed))
            plan.give(key, to: object, in: map)
            for other in taken.absorbed {
                plan.decide(other, .absorbed(by: object))
                if other.persistentBacking.key != key {
                    plan.give(key, toAbsorbed: other, in: map)
                }
            }
            isDecided = true
        }
        return isDecided
    }

    private func row(_ key: RowKey, on connection: any StoreConnection) throws -> RowImage? {
        let query = Query(entity, filter: entity.filter(of: [key.values]))
        let cursor = try connection.rows(of: query)
        defer { cursor.close() }
        return try cursor.next() ? RowImage(try entity.values(of: cursor)) : nil
    }
}
