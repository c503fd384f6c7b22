import DovetailModel
import DovetailStore

// What goes with the object that it belongs to, by the rule `cascade`. The store deletes the row of a part
// with that of its owner, so a save asks before whether others have changed it; and an object is deleted
// with its parts or not at all.

extension ObjectRegistry {
    /// The objects that wait to be deleted, each with one that belongs to it and waits, too. A pair may be
    /// there twice.
    private var ownedParts: [(owner: any PersistentModel, part: any PersistentModel)] {
        var pairs: [(owner: any PersistentModel, part: any PersistentModel)] = []
        func add(_ owner: any PersistentModel, _ part: any PersistentModel) {
            let states = [owner, part].map(\.persistentBacking.state)
            if states.allSatisfy({ $0 == .deleted }), owner !== part { pairs.append((owner, part)) }
        }
        for object in deletedObjects {
            let backing = object.persistentBacking
            let shape = backing.shape(of: object)
            for (index, relationship) in shape.relationships.enumerated() {
                // Parts that refer to their owner are asked themselves, as others may have moved them.
                if relationship.deleteRule == .cascade, !relationship.isOfKey {
                    if relationship.isToMany {
                        for part in ObjectGraph.list(object, index).all { add(object, part) }
                    } else if let part = ObjectGraph.one(object, index) {
                        add(object, part)
                    }
                }
                guard relationship.isPart,
                    let key = backing.slots[index].key(evenOfDeleted: true),
                    let owner = referred(relationship.target, key)
                else { continue }
                add(owner, object)
            }
        }
        return pairs
    }

    /// The first deleted object about which nothing was decided, and which others have changed: of those that
    /// belong to others, which go with them, and of those that refer to deleted ones, with which the reference
    /// goes out of the row. The deletion of others compares by itself.
    ///
    /// - Complexity: linear in their number, and one query for 500 of a class.
    /// - Throws: what the store throws.
    func changedPart(on connection: any StoreConnection) throws -> ChangeConflict? {
        let all = deletedObjects
        if all.isEmpty { return nil }
        let owners = Set(all.map { type(of: $0).rootIdentifier })
        // Others may have given them to a deleted object.
        let referring = try all.filter { object in
            if object.persistentBacking.shape(of: object).relationships.contains(where: {
                $0.isPart && owners.contains($0.target.rootIdentifier)
            }) {
                return true
            }
            let entity = try context.entity(of: type(of: object))
            return try !referencesToDeleted(of: object, entity).isEmpty
        }
        var seen: Set<ObjectIdentifier> = []
        let parts = (referring + ownedParts.map(\.part)).filter {
            seen.insert(ObjectIdentifier($0)).inserted && plan[$0] == nil
        }
        for (_, parts) in Dictionary(grouping: parts, by: { ObjectIdentifier(type(of: $0)) }) {
            let entity = try context.entity(of: type(of: parts[0]))
            let compared = entity.comparedOfDeleted
            for start in stride(from: 0, to: parts.count, by: 500) {
                var waiting: [RowKey: any PersistentModel] = [:]
                for part in parts.dropFirst(start).prefix(500) {
                    if let key = part.persistentBacking.key { waiting[key] = part }
                }
                var changed: [any PersistentModel] = []
                let filter = entity.filter(of: waiting.keys.map(\.values))
                let cursor = try connection.rows(of: Query(entity, filter: filter))
                do {
                    defer { cursor.close() }
                    while try cursor.next() {
                        let row = RowImage(try entity.values(of: cursor))
                        let part = waiting[try RowKey(row: cursor, entity: entity)]
                        guard let part, let base = part.persistentBacking.base else { continue }
                        if entity.differences(base, row).meets(compared) { changed.append(part) }
                    }
                }
                for object in changed {
                    if case .conflict(let conflict)? = try change(
                        ofDeleted: object,
                        entity,
                        on: connection
                    ) {
                        return conflict
                    }
                }
            }
        }
        return nil
    }

    /// The columns of an object that waits to be deleted that refer to others which go, too: what becomes of
    /// them depends on which row goes first.
    func referencesToDeleted(
        of object: any PersistentModel,
        _ entity: EntityBinding
    ) throws -> ColumnSet {
        guard let base = object.persistentBacking.base else { return [] }
        var found = ColumnSet()
        for column in entity.referenceSet where !base.isNull(column) {
            let attribute = entity.attributes[column]
            guard let target = attribute.reference?.target as? any PersistentModel.Type,
                let other = referred(target, RowKey([try QueryValue(base, column, attribute)]))
            else { continue }
            let isDropped = plan.leaving[ObjectIdentifier(other)]?.isDropped == true
            if isDropped || other.persistentBacking.state == .deleted { found.insert(column) }
        }
        return found
    }

    /// What others have done to the row of an object that waits to be deleted.
    enum ChangeOfDeleted {
        case conflict(ChangeConflict)
        /// It has lost references to what they have deleted, or has got one to an object that is deleted here and
        /// takes it out again, or it reads the same from another form: that is no change of the object.
        case noChange
    }

    /// What others have changed of an object that waits to be deleted, with its references; nil for nothing.
    ///
    /// - Complexity: a look into the index of the key, and one for each reference that its row lost.
    /// - Throws: what the store throws.
    func change(
        ofDeleted object: any PersistentModel,
        _ entity: EntityBinding,
        on connection: any StoreConnection
    ) throws -> ChangeOfDeleted? {
        let compared = entity.comparedOfDeleted
        guard let change = try deletion(of: object, entity, plan, comparing: compared),
            let conflict = try connection.stored(for: change, entity).conflict,
            let theirs = conflict.theirs
        else { return nil }
        let alike = columnsReadAlike(in: conflict, of: type(of: object), entity)
        let columns = try conflict.columns.subtracting(alike).filter { column in
            let attribute = entity.attributes[column]
            guard let target = attribute.reference?.target else { return true }
            if conflict.base[column] == .null {
                return try !losesReference(column, to: theirs[column], entity)
            }
            guard theirs[column] == .null else { return true }
            let owner = try context.entity(of: target)
            let isKey = owner.filter(of: [[conflict.base[column]]])
            return try connection.count(of: Query(owner, filter: isKey)) != 0
        }
        if columns.isEmpty { return .noChange }
        return .conflict(
            ChangeConflict(
                table: conflict.table,
                verb: conflict.verb,
                key: conflict.key,
                columns: ColumnSet(columns),
                base: conflict.base,
                mine: conflict.mine,
                theirs: theirs
            )
        )
    }

    /// Whether a reference goes out of a row, since what it leads to is deleted here. That does not depend on which
    /// of the two rows goes first.
    private func losesReference(
        _ column: Int,
        to key: QueryValue,
        _ entity: EntityBinding
    ) throws -> Bool {
        let rule = entity.description.references.first { $0.column == column }?.deleteRule
        guard rule == .nullify,
            let target = entity.attributes[column].reference?.target as? any PersistentModel.Type,
            let other = referred(target, RowKey([key])),
            other.persistentBacking.state == .deleted
        else { return false }
        if plan.keeps(other) { return false }
        return true
    }

    /// Keeps what belongs together, where the policy keeps one of it: objects with the parts that were
    /// deleted with them, and parts with their objects.
    ///
    /// - Throws: what the store throws.
    func keepTogether(on connection: any StoreConnection) throws {
        var kept: [any PersistentModel] = []
        for (object, fate) in plan.fates.values {
            if case .keep = fate { kept.append(object) }
        }
        if kept.isEmpty { return }
        var relatives: [ObjectIdentifier: [any PersistentModel]] = [:]
        let places = Dictionary(
            zip(deletedObjects.map { ObjectIdentifier($0) }, 0...),
            uniquingKeysWith: { $1 }
        )
        for (owner, part) in ownedParts {
            let ends = [owner, part].map { ObjectIdentifier($0) }
            relatives[ends[1], default: []].append(owner)
            // What had been deleted before its owner was, is not deleted for that.
            if let first = places[ends[0]], let second = places[ends[1]], first < second {
                relatives[ends[0], default: []].append(part)
            }
        }
        while let object = kept.popLast() {
            var others = relatives.removeValue(forKey: ObjectIdentifier(object)) ?? []
            // Others may have given it to an object that is deleted here.
            if case .keep(let stored)? = plan[object] {
                let entity = try context.entity(of: type(of: object))
                others += try deletedOwners(of: object, in: stored, entity)
            }
            for other in others {
                if plan.keeps(other) { continue }
                guard let key = other.persistentBacking.key else { continue }
                let entity = try context.entity(of: type(of: other))
                let found = try connection.stored(for: RowChange(deleting: key.values), entity)
                guard case .row(let stored) = found else { continue }
                plan.decide(other, .keep(stored))
                kept.append(other)
            }
        }
    }

    /// Deletes what belongs to a deleted object by what the policy has decided: others have given it there,
    /// this context somewhere else, and they win. The store would delete its row with that of the owner.
    ///
    /// - Throws: what the store throws.
    func deleteGivenParts() throws {
        for (object, fate) in plan.fates.values {
            guard case .update = fate else { continue }
            let entity = try context.entity(of: type(of: object))
            let owners = try deletedOwners(of: object, in: row(of: object, entity, plan), entity)
            if owners.allSatisfy(plan.keeps) { continue }
            context.deleteObject(object)
            plan.decide(object, .delete)
        }
    }

    /// The objects that wait to be deleted, and which an object belongs to by its row.
    private func deletedOwners(
        of object: any PersistentModel,
        in row: RowImage,
        _ entity: EntityBinding
    ) throws -> [any PersistentModel] {
        let shape = object.persistentBacking.shape(of: object)
        return try entity.relationshipColumns.compactMap { part in
            guard case .key(let index, let column) = part, !row.isNull(column),
                shape.relationships[index].isPart
            else { return nil }
            let key = RowKey([try QueryValue(row, column, entity.attributes[column])])
            guard let owner = referred(shape.relationships[index].target, key),
                owner.persistentBacking.state == .deleted
            else { return nil }
            return owner
        }
    }
}

extension EntityBinding {
    /// What counts of a row that is to be deleted: attributes and references. Its places in lists do not.
    var comparedOfDeleted: ColumnSet {
        ColumnSet(0..<declaredCount).union(referenceSet)
    }
}

extension ObjectShape.Relationship {
    /// Whether the objects that it leads to hold the key of its own.
    fileprivate var isOfKey: Bool {
        guard let inverse else { return false }
        return ObjectShape.of(target).relationships[inverse].holdsKey
    }

    /// Whether it leads to what its object is deleted with.
    fileprivate var isPart: Bool {
        guard holdsKey, let inverse else { return false }
        return ObjectShape.of(target).relationships[inverse].deleteRule == .cascade
    }
}
