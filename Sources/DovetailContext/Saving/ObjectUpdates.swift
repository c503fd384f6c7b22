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
    /// What is written instead of what the objects say: they were compared with their rows before.
    var settled: [RowChange]?
    let written: WrittenList
    /// Whether a reference was written, or a place in a list: objects of other classes may hold others then.
    private(set) var movesMembers = false
    /// Which of ``written`` are of its objects.
    private var range = 0..<0

    /// The identifiers of those of its objects that were written.
    var identifiers: ArraySlice<PersistentIdentifier> { written.identifiers[range] }

    /// Makes a list of objects, of which only those are written that wait for it.
    init(
        _ model: any Model.Type,
        _ objects: [any PersistentModel] = [],
        in registry: ObjectRegistry,
        _ written: WrittenList,
        endsTransaction: Bool
    ) {
        self.written = written
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
        let start = written.identifiers.count
        defer { range = start..<written.identifiers.count }
        if let settled { return try write(settled, to: connection, entity, &commit) }
        if endsTransaction { return try write(to: connection, entity, &commit) }
        // A row of another batch that was held back is refused here, and not as one of these.
        commit.conflicts += try connection.settle()
        var given = Commit()
        do {
            try connection.transaction(keeping: true) {
                try write(to: connection, entity, &given)
            }
            commit.append(given)
        } catch let error as StoreError where error.kind == .uniqueViolation {
            _ = try connection.settle()
            written.remove(after: start)
            try write(changes(of: entity), to: connection, entity, &commit)
        }
    }

    private func write(
        _ changes: [RowChange],
        to connection: any StoreConnection,
        _ entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        movesMembers = true
        try RowBatch(model, .update, changes).apply(to: connection, of: entity, &commit)
        let name = model.typeName
        for change in changes { written.append(PersistentIdentifier(name, change.rowKey)) }
    }

    private func write(
        to connection: any StoreConnection,
        _ entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        let (name, objects, registry) = (model.typeName, objects, registry)
        let again: (Int) throws -> RowChange? = { try registry.change(of: objects[$0], entity) }
        let places = entity.relationshipSet
        func apply(_ change: RowChange, at position: Int) throws {
            if change.columns.meets(places) { movesMembers = true }
            do {
                let conflict = try connection.change(
                    change,
                    at: position,
                    of: entity,
                    again: again
                )
                if let conflict { commit.conflicts.append(conflict) }
            } catch let error as StoreError {
                throw error.naming(change.key)
            }
            written.append(PersistentIdentifier(name, change.rowKey))
        }
        let isKeyHidden = entity.hasHiddenKey
        var position = 0
        // A conflict tells all values.
        var change = RowChange(partsOf: entity) { try again(position) }
        while position < objects.count {
            defer { position += 1 }
            let object = objects[position]
            let backing = object.persistentBacking
            guard backing.isWaitingToChange else { continue }
            if let base = backing.base {
                let row = change.clearedRow()
                let columns = try registry.changedColumns(of: object, from: base, entity, in: row)
                if columns.isEmpty { continue }
                if !isKeyHidden { try registry.requireSameKey(columns, of: object, entity) }
                let key = isKeyHidden ? backing.key : nil
                try change.turn(to: columns, from: base, key: key, of: entity)
                try apply(change, at: position)
            } else if let whole = try registry.change(of: object, entity) {
                try apply(whole, at: position)
            }
        }
    }
}
