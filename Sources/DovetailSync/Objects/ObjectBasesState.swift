import DovetailContext
import DovetailModel
import DovetailStore

/// What is known of the tables of the documents of objects that wait in one save, at its end: what was changed of them
/// counts from here on.
///
/// It is read and kept once for all documents: for each of them it would be all that the others have written.
struct ObjectBasesState {
    /// The tables of which one of them may speak, and others whose rows may go, or lose a reference, with
    /// those that they delete.
    private var own: [EntityBinding] = []
    private var referring: [EntityBinding] = []
    /// What was changed, by table.
    private var rows: [String: [RowKey: BaseRow]] = [:]
    /// What it was of the other tables before.
    private var before: [String: [RowKey: BaseRow]] = [:]

    init(_ all: [ObjectBases], on connection: any StoreConnection) throws {
        for bases in all { try read(bases, on: connection) }
        for entity in own { try give(all, entity, on: connection) }
        follow(all)
    }

    /// Reads what was changed of the tables of a document, and is not known yet.
    private mutating func read(_ bases: ObjectBases, on connection: any StoreConnection) throws {
        for entity in bases.tables where !own.contains(where: { $0.table == entity.table }) {
            own.append(entity)
            referring.removeAll { $0.table == entity.table }
            before[entity.table] = nil
            rows[entity.table] = try BaseUpdate.all(of: entity, on: connection) ?? [:]
        }
        for entity in bases.referring where rows[entity.table] == nil {
            guard case .rows(let known) = try connection.bases(of: entity) else { continue }
            referring.append(entity)
            rows[entity.table] = BaseUpdate.byKey(known)
            before[entity.table] = rows[entity.table]
        }
    }

    /// Takes what the documents say of the rows of a table, one after the other.
    private mutating func give(
        _ all: [ObjectBases],
        _ entity: EntityBinding,
        on connection: any StoreConnection
    ) throws {
        let speaking = all.lazy
            .filter { $0.tables.contains { $0.table == entity.table } }
            .map { bases in
                (bases, given: bases.given.filter { $0.key.table == entity.table })
            }
        let documents = Array(speaking)
        let orders = entity.orderColumns
        let isRead =
            !orders.isEmpty
            || documents.contains { $0.given.keys.contains(where: $0.0.inserted.contains) }
        let keys = Set(documents.lazy.flatMap { $0.given.keys.lazy.map(\.key) })
        let now = isRead ? try stored(entity, Array(keys), on: connection) : [:]
        for (bases, given) in documents {
            for (name, base) in given {
                if now[name.key] == nil, bases.inserted.contains(name) {
                    // It stands for a row that was there, or was not saved.
                    rows[entity.table]?[name.key] = nil
                    continue
                }
                rows[entity.table]?[name.key] = base
                guard var values = base.values, let now = now[name.key] else { continue }
                // Places that were changed here stay so; others are those that the document has made.
                for column in orders where bases.places[name]?.contains(column) != true {
                    values[column] = now[column]
                }
                rows[entity.table]?[name.key] =
                    values == now ? nil : BaseRow(key: base.key, values: values)
            }
            for (name, overlay) in bases.overlays where name.table == entity.table {
                guard let base = rows[entity.table]?[name.key] else { continue }
                var values = base.values ?? overlay.values
                for column in overlay.columns { values[column] = overlay.values[column] }
                rows[entity.table]?[name.key] = BaseRow(key: base.key, values: values)
            }
        }
    }

    private func stored(
        _ entity: EntityBinding,
        _ keys: [RowKey],
        on connection: any StoreConnection
    ) throws -> [RowKey: [QueryValue]] {
        var rows: [RowKey: [QueryValue]] = [:]
        for part in entity.parts(of: keys) {
            let filter = entity.filter(of: part)
            let cursor = try connection.rows(of: Query(entity, filter: filter))
            defer { cursor.close() }
            while try cursor.next() {
                rows[try RowKey(row: cursor, entity: entity)] = try entity.values(of: cursor)
            }
        }
        return rows
    }

    /// Lets what the rules of deletions do to other rows be no change made here, at any depth.
    private mutating func follow(_ all: [ObjectBases]) {
        var gone: Set<RowName> = []
        for bases in all {
            // What one document has brought back is there.
            if !gone.isEmpty {
                for (name, base) in bases.given where base.values != nil { gone.remove(name) }
                for name in bases.overlays.keys { gone.remove(name) }
            }
            gone.formUnion(bases.gone)
        }
        var count = -1
        while count != gone.count {
            count = gone.count
            for entity in own + referring {
                Self.follow(&gone, entity, &rows[entity.table, default: [:]])
            }
        }
    }

    /// Takes rows that are gone, and references to them, out of the bases of a table.
    private static func follow(
        _ gone: inout Set<RowName>,
        _ entity: EntityBinding,
        _ rows: inout [RowKey: BaseRow]
    ) {
        for (key, base) in rows {
            guard var values = base.values else { continue }
            var isGone = gone.contains(RowName(entity.table, key))
            var isChanged = false
            for reference in entity.description.references {
                let value = values[reference.column]
                guard value != .null, gone.contains(RowName(reference.table, RowKey([value])))
                else { continue }
                isChanged = true
                if reference.deleteRule == .cascade { isGone = true }
                values[reference.column] = .null
            }
            if isGone {
                gone.insert(RowName(entity.table, key))
                rows[key] = BaseRow(key: base.key, values: nil)
            } else if isChanged {
                rows[key] = BaseRow(key: base.key, values: values)
            }
        }
    }

    /// Keeps what is another thing than what is stored by now.
    func write(to connection: any StoreConnection) throws {
        for entity in own + referring {
            var known = rows[entity.table] ?? [:]
            try BaseUpdate.dropEqual(&known, entity, on: connection) { _ in true }
            if before[entity.table] == known { continue }
            try connection.setBases(Array(known.values), of: entity)
        }
    }
}
