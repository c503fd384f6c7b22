package import DovetailStore

// What one of several documents that wait for one save has changed of objects. Each asks for what has come since it
// began: to go over all that waits would take as long for each as for all before it.

/// How much waited of objects at some time. What comes later is put behind it.
package struct ObjectChangeMark {
    private let inserted: Int
    private let deleted: Int
    private let changed: [ObjectIdentifier: Int]

    fileprivate init(_ registry: ObjectRegistry?) {
        inserted = registry?.inserted.count ?? 0
        deleted = registry?.deleted.count ?? 0
        changed = Dictionary(
            uniqueKeysWithValues: (registry?.changedMaps ?? []).map {
                (ObjectIdentifier($0), $0.changed.count)
            }
        )
    }

    fileprivate func inserted(
        in registry: ObjectRegistry
    ) -> some Sequence<any PersistentModel> {
        registry.inserted.dropFirst(inserted).lazy.filter(registry.isNew)
    }

    fileprivate func deleted(
        in registry: ObjectRegistry
    ) -> some Sequence<any PersistentModel> {
        registry.deleted.dropFirst(deleted).lazy.filter {
            $0.persistentBacking.state == .deleted
        }
    }

    fileprivate func changed(
        in registry: ObjectRegistry
    ) -> some Sequence<any PersistentModel> {
        registry.changedMaps.lazy.flatMap {
            $0.changed.dropFirst(changed[ObjectIdentifier($0)] ?? 0)
                .filter(\.persistentBacking.isWaitingToChange)
        }
    }
}

/// What has come of objects since a mark.
package struct ObjectChanges {
    /// The rows that will be there.
    package var written: [(name: RowName, entity: EntityBinding, row: RowImage)] = []
    /// Those of them that are new, also before the mark where they were asked for.
    package var inserted: Set<RowName> = []
    /// The rows that will not be there, also before the mark where they were asked for.
    package var deleted: Set<RowName> = []
    /// Whether something waits of a row that was asked for.
    package var concernsNamed = false
}

extension ModelContext {
    /// Whether anything of objects waits to be saved, or what a document of objects has to say of rows.
    package var hasObjectChanges: Bool {
        madeRegistry?.hasChanges == true || pending.contains { $0.last != nil }
    }

    /// How much waits of objects.
    ///
    /// - Complexity: linear in the number of classes.
    package var objectChangeMark: ObjectChangeMark { ObjectChangeMark(madeRegistry) }

    /// What has come of objects since a mark.
    ///
    /// - Parameter names: Rows that are asked for, which may have waited before.
    /// - Complexity: linear in the number of both.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    package func objectChanges(
        since mark: ObjectChangeMark,
        naming names: some Sequence<RowName>
    ) throws -> ObjectChanges {
        var changes = ObjectChanges()
        guard let registry = madeRegistry else { return changes }
        func write(_ object: any PersistentModel) throws -> RowName? {
            guard let name = try rowName(of: object) else { return nil }
            let entity = try entity(of: type(of: object))
            changes.written.append((name, entity, try row(of: object)))
            return name
        }
        for object in mark.inserted(in: registry) {
            if let name = try write(object) { changes.inserted.insert(name) }
        }
        for object in mark.changed(in: registry) { _ = try write(object) }
        for object in mark.deleted(in: registry) {
            if let name = try rowName(of: object) { changes.deleted.insert(name) }
        }
        var types: [String: any PersistentModel.Type] = [:]
        for entity in container.schema.bindings {
            types[entity.table] = entity.type as? any PersistentModel.Type
        }
        for name in names {
            guard let type = types[name.table] else { continue }
            for object in registry.waiting(type, name.key) {
                changes.concernsNamed = true
                switch object.persistentBacking.state {
                case .inserted: changes.inserted.insert(name)
                case .deleted: changes.deleted.insert(name)
                case .stored, .detached, .gone: break
                }
            }
        }
        return changes
    }
}

/// An object that waits, and its row as it was at some time.
package struct WaitingRow {
    package let name: RowName
    package let entity: EntityBinding
    fileprivate let object: any PersistentModel
    private let before: RowImage

    fileprivate init(
        _ name: RowName,
        _ entity: EntityBinding,
        _ object: any PersistentModel,
        _ before: RowImage
    ) {
        (self.name, self.entity, self.object, self.before) = (name, entity, object, before)
    }

    /// What has changed since, and the row as it is; nil for an object that is deleted, or has left.
    ///
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    package func change(
        in context: ModelContext
    ) throws -> (columns: ColumnSet, values: [QueryValue])? {
        let state = object.persistentBacking.state
        guard state == .stored || state == .inserted else { return nil }
        let row = try context.row(of: object)
        return (entity.differences(before, row), try entity.values(of: row))
    }
}

extension ModelContext {
    /// Those of some objects that wait, as they are.
    ///
    /// - Complexity: linear in their number.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    package func waitingRows(of objects: some Sequence<any PersistentModel>) throws -> [WaitingRow]
    {
        try objects.compactMap { object in
            guard object.persistentBacking.context === self, object.persistentBacking.isWaiting,
                let name = try rowName(of: object)
            else { return nil }
            let entity = try entity(of: type(of: object))
            return WaitingRow(name, entity, object, try row(of: object))
        }
    }
}

extension ObjectBacking {
    /// Whether the object waits to be inserted, changed or deleted.
    fileprivate var isWaiting: Bool {
        switch state {
        case .inserted, .deleted: true
        case .stored: isWaitingToChange
        case .detached, .gone: false
        }
    }
}

extension ObjectRegistry {
    /// The objects with a key that wait: one that is to be deleted, and another one in its place.
    fileprivate func waiting(
        _ type: any PersistentModel.Type,
        _ key: RowKey
    ) -> [any PersistentModel] {
        guard let map = maps[type.rootIdentifier] else { return [] }
        return [map.replaced[key], map.objects[key], map.hidden[key]].compactMap(\.self)
            .filter(\.persistentBacking.isWaiting)
    }
}
