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

    /// A stored row that has the values of an object in a group.
    private struct Meeting {
        let group: Int
        let object: any PersistentModel
        let key: RowKey
        let row: RowImage
        /// The class of the row, in a table of several.
        let model: (any Model.Type)?
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

    /// Notes an object whose row gives its values up: it is to be deleted, or stands for the row already.
    mutating func addLeaving(_ object: any PersistentModel) {
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
        var meetings: [[Meeting]] = []
        for (group, columns) in groups.enumerated() {
            var found: [Meeting] = []
            let wanted = Array(holders[group].keys)
            var start = 0
            while start < wanted.count {
                let part = wanted[start..<min(start + 500, wanted.count)]
                start = part.endIndex
                let query = Query(entity, filter: entity.filter(of: Array(part), in: columns))
                let cursor = try connection.rows(of: query)
                defer { cursor.close() }
                while try cursor.next() {
                    if let meeting = try meeting(cursor, group) { found.append(meeting) }
                }
            }
            meetings.append(found)
        }
        for (object, meeting) in try pairs(meetings) { try take(meeting, object) }
        return try decide(on: connection)
    }

    /// What a stored row and an object have in common; nil where the row gives its values up.
    private func meeting(_ row: any RowSource, _ group: Int) throws -> Meeting? {
        let key = try RowKey(row: row, entity: entity)
        guard !superseded.contains(key), let values = try values(of: groups[group], row),
            let holder = holders[group][values]
        else { return nil }
        let model = try entity.classTable?.model(of: row)
        let row = RowImage(try entity.values(of: row))
        return Meeting(group: group, object: winner(of: holder), key: key, row: row, model: model)
    }

    /// Which row becomes which new object's. What an object has of another row that becomes another object's, that one
    /// gives up, as a changed object does.
    ///
    /// Where an object has values of several rows, those of one group say which one it is: of the key, where the class
    /// declares one, and else of the first group with which no object would have to become two rows.
    ///
    /// - Parameter meetings: What they have in common, by group.
    /// - Throws: ``StoreError`` where two rows would have to become one.
    private func pairs(
        _ meetings: [[Meeting]]
    ) throws -> [(object: any PersistentModel, meeting: Meeting)] {
        let first = entity.hasHiddenKey ? Array(groups.indices) : [groups.count - 1]
        var problem: (any Error)?
        for group in first where group == first.first || !meetings[group].isEmpty {
            do {
                let others = groups.indices.filter { $0 != group }
                return try pairs(([group] + others).flatMap { meetings[$0] })
            } catch {
                problem = problem ?? error
            }
        }
        if let problem { throw problem }
        return []
    }

    /// The same where the first of the meetings of an object says it.
    private func pairs(
        _ meetings: [Meeting]
    ) throws -> [(object: any PersistentModel, meeting: Meeting)] {
        var rows: [ObjectIdentifier: RowKey] = [:]
        var owners: [RowKey: any PersistentModel] = [:]
        var pairs: [(object: any PersistentModel, meeting: Meeting)] = []
        for meeting in meetings {
            let identifier = ObjectIdentifier(meeting.object)
            if let own = key(of: meeting.object) {
                (rows[identifier], owners[own]) = (own, meeting.object)
            }
        }
        for meeting in meetings where owners[meeting.key] == nil {
            let identifier = ObjectIdentifier(meeting.object)
            guard rows[identifier] == nil else { continue }
            (rows[identifier], owners[meeting.key]) = (meeting.key, meeting.object)
            pairs.append((meeting.object, meeting))
        }
        for meeting in meetings where owners[meeting.key] == nil {
            // Invariant: the row is nobody's, so the object has another one.
            guard let own = rows[ObjectIdentifier(meeting.object)] else { continue }
            throw ObjectError.wouldMerge(entity, groups[meeting.group], own, meeting.key)
        }
        return pairs
    }

    /// Lets an object stand for a stored row.
    private mutating func take(_ meeting: Meeting, _ object: any PersistentModel) throws {
        if let model = meeting.model, model != type(of: object).modelClass {
            throw ObjectError.otherClass(
                entity,
                groups[meeting.group],
                type(of: object),
                meeting.key
            )
        }
        var all = taken[ObjectIdentifier(object)] ?? Taken()
        all.key = meeting.key
        all.row = meeting.row
        // One that was to be deleted has a row still where the policy has kept that.
        if let known = map.objects[meeting.key], known !== object,
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
