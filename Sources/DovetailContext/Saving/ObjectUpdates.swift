import DovetailModel
import DovetailStore

/// Changed objects of one class. Of each, what may have changed is compared with what it was and written,
/// one after the other, in one row that is used again: to make a row and a change of each first took as
/// long as the statements.
final class ObjectUpdates: ObjectBatch {
    let model: any Model.Type
    var verb: WriteVerb? { .update }
    var count: Int? { objects.count }
    private var objects: [any PersistentModel]
    private let registry: ObjectRegistry
    /// Whether a row that is refused undoes the whole transaction, so that nothing is undone here.
    private let endsTransaction: Bool
    private(set) var written: [PersistentIdentifier] = []
    /// The object that is being written. Not checked for overlapping accesses: it is read and set by
    /// itself, once for each row.
    @exclusivity(unchecked) private var current: (any PersistentModel)?

    /// Makes a list of objects, of which only those are written that wait for it.
    init(
        _ model: any Model.Type,
        _ objects: [any PersistentModel] = [],
        in registry: ObjectRegistry,
        endsTransaction: Bool
    ) {
        self.model = model
        self.objects = objects
        self.registry = registry
        self.endsTransaction = endsTransaction
    }

    func add(_ object: any PersistentModel) { objects.append(object) }

    func changes(of entity: EntityBinding) throws -> [RowChange] {
        try objects.lazy.filter(\.persistentBacking.isWaitingToChange)
            .compactMap { try registry.change(of: $0, entity) }
    }

    func rows(of entity: EntityBinding) throws -> [RowImage] {
        try changes(of: entity).compactMap(\.mine)
    }

    /// Writes what has changed. Where a unique value is refused, two of the objects may have swapped it.
    func apply(
        to connection: any StoreConnection,
        of entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        if endsTransaction { return try write(to: connection, entity, &commit) }
        var given = Commit()
        do {
            try connection.transaction(keeping: true) {
                try write(to: connection, entity, &given)
            }
            commit.append(given)
        } catch let error as StoreError where error.kind == .uniqueViolation {
            let changes = try changes(of: entity)
            try RowBatch(model, .update, changes).apply(to: connection, of: entity, &commit)
            written = changes.map { PersistentIdentifier(model.typeName, $0.rowKey) }
        }
    }

    private func write(
        to connection: any StoreConnection,
        _ entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        let name = model.typeName
        var written: [PersistentIdentifier] = []
        written.reserveCapacity(objects.count)
        var row = RowImage(unknown: entity.attributes.count)
        // A conflict tells all values.
        let completed = { try self.current.flatMap { try self.registry.change(of: $0, entity) } }
        defer { current = nil }
        for object in objects where object.persistentBacking.isWaitingToChange {
            // A store may keep a row that it was given.
            if isKnownUniquelyReferenced(&row) {
                row.clear()
            } else {
                row = RowImage(unknown: entity.attributes.count)
            }
            let change: RowChange
            if let base = object.persistentBacking.base {
                let columns = try registry.changedColumns(of: object, entity, in: row)
                if columns.isEmpty { continue }
                current = object
                change = try RowChange(
                    updating: columns,
                    of: entity,
                    toPart: row,
                    from: base,
                    completed: completed
                )
            } else if let whole = try registry.change(of: object, entity) {
                change = whole
            } else {
                continue
            }
            do {
                let conflict = try connection.apply(change, to: entity)
                if let conflict { commit.conflicts.append(conflict) }
            } catch let error as StoreError {
                throw error.naming(change.key)
            }
            written.append(PersistentIdentifier(name, change.rowKey))
        }
        self.written = written
    }
}
