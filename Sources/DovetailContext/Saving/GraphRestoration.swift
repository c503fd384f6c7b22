import DovetailModel
import DovetailStore

/// Puts rows back that a save has written.
final class GraphRestoration {
    private let images: GraphImages
    /// Invariant: what waits in a context does not outlive it.
    private unowned let context: ModelContext
    /// The tables, each after those that it refers to.
    let tables: [EntityBinding]

    /// - Throws: ``StoreError`` of kind `unsupported` where the container was made without one of the models.
    init(_ images: GraphImages, in context: ModelContext) throws {
        self.images = images
        self.context = context
        let names = images.tables
        tables = context.container.schema.inReferenceOrder.filter { names.contains($0.table) }
        guard tables.count == names.count else {
            throw StoreError(
                .unsupported,
                table: names.subtracting(tables.map(\.table)).min(),
                explanation: "the container was made without the model of the plan"
            )
        }
    }

    private var entities: [EntityBinding] { tables.filter { !($0.type is any JoinModel.Type) } }
    private var pairs: [EntityBinding] { tables.filter { $0.type is any JoinModel.Type } }

    /// What happens to one row.
    private enum Action { case delete, update, insert }

    /// What has to happen so that a row is as it was; nil for nothing. One that is marked stands for none
    /// where it comes back, and one that was inserted is marked where its model marks.
    private func action(_ key: RowKey, of entity: EntityBinding) -> Action? {
        let isLive = { (row: [QueryValue]) in
            entity.markColumn.map { row[$0] == .null } ?? true
        }
        let before = images.before[entity.table]?[key]
        guard let after = images.after[entity.table]?[key] else {
            return before == nil ? nil : .insert
        }
        guard let before else { return isLive(after) ? .delete : nil }
        if before == after { return nil }
        return isLive(after) ? .update : .insert
    }

    private func keys(_ action: Action, of entity: EntityBinding) -> [RowKey] {
        images.keys(of: entity.table).filter { self.action($0, of: entity) == action }
    }

    // MARK: Checking

    /// Sees that all rows are as the save has left them, that none refers to one that goes, and that none waits
    /// to be written here.
    ///
    /// - Throws: ``StoreError`` of kind `planOutdated`, with the keys of the rows of one table.
    func check(on connection: any StoreQuerying) throws {
        let keys = Dictionary(
            tables.map { ($0.table, images.keys(of: $0.table)) },
            uniquingKeysWith: { first, _ in first }
        )
        try checkWaiting(keys)
        for entity in tables {
            let now = try connection.images(of: entity, keys[entity.table] ?? [])
            let then = images.after[entity.table] ?? [:]
            try refuse((keys[entity.table] ?? []).filter { now[$0] != then[$0] }, of: entity)
        }
        for target in entities {
            let going = self.keys(.delete, of: target).map(\.values)
            if going.isEmpty { continue }
            for child in context.container.schema.bindings {
                for reference in child.description.references
                where reference.table == target.table {
                    let rows = try connection.images(
                        of: child,
                        going,
                        in: reference.column,
                        .excluded
                    )
                    let known = keys[child.table] ?? []
                    try refuse(rows.keys.filter { !known.contains($0) }, of: child)
                }
            }
        }
    }

    private func checkWaiting(_ keys: [String: Set<RowKey>]) throws {
        let registry = context.registry
        for object in registry.changedObjects + registry.deletedObjects {
            let entity = try context.entity(of: type(of: object).modelRoot)
            guard let key = object.persistentBacking.key,
                keys[entity.table]?.contains(key) == true
            else { continue }
            if object.persistentBacking.state == .stored,
                try registry.changedColumns(of: object, context.entity(of: type(of: object)))
                    .isEmpty
            {
                continue
            }
            try refuse([key], of: entity)
        }
    }

    private func refuse(_ outdated: some Collection<RowKey>, of entity: EntityBinding) throws {
        if outdated.isEmpty { return }
        throw StoreError(
            .planOutdated,
            table: entity.table,
            explanation: outdated.count == 1
                ? "a row has changed since the plan was applied, or refers to one that would go"
                : "\(outdated.count) rows have changed since the plan was applied, or refer to "
                    + "some that would go"
        )
        .naming(all: outdated.map(\.values))
    }

    // MARK: Writing

    /// Writes the rows: those that stay refer to no row that goes, when that goes. The objects of the context
    /// are read again after it.
    ///
    /// - Throws: what the store throws, such as `uniqueViolation` for a value that another row has by now.
    func write(to connection: any StoreConnection) throws {
        var written: [RowBatch] = []
        // What waits before it is refused here, and not as one of these rows.
        try settle(connection)
        do {
            written = try connection.transaction(keeping: true) { try writeAll(to: connection) }
        } catch let error as StoreError where error.kind == .uniqueViolation {
            // Rows that stay, and others that go or come, may have a unique value by turns.
            try settle(connection)
            for entity in entities where connection.hasUniqueValues(entity) {
                let keys = keys(.update, of: entity) + keys(.delete, of: entity)
                if !keys.isEmpty { try connection.park(keys.map(\.values), of: entity) }
            }
            written = try writeAll(to: connection)
            try settle(connection)
            for entity in entities { try connection.unpark(entity) }
        }
        try context.noteWritten(written)
        var rows = TouchedRows()
        let schema = context.container.schema
        for batch in written {
            try rows.add(batch, of: schema.entity(batch.model), in: schema, isFollowed: false)
        }
        context.registry.takeRows(rows, gone: goneObjects())
    }

    private func writeAll(to connection: any StoreConnection) throws -> [RowBatch] {
        let batches =
            try batches(.delete, pairs) + batches(.update, entities)
            + batches(.delete, entities.reversed()) + batches(.insert, entities)
            + batches(.update, pairs) + batches(.insert, pairs)
        for batch in batches {
            var commit = Commit()
            let entity = try context.container.schema.entity(batch.model)
            try batch.apply(to: connection, of: entity, &commit)
        }
        // What is held back may be refused, too.
        try settle(connection)
        return batches
    }

    private func settle(_ connection: any StoreConnection) throws {
        if let conflict = try connection.settle().first { throw context.error(of: conflict) }
    }

    /// The rows to which the same happens, by class.
    private func batches(_ action: Action, _ entities: [EntityBinding]) throws -> [RowBatch] {
        try entities.flatMap { entity in
            let side = action == .delete ? images.after : images.before
            let verb: WriteVerb =
                switch action {
                case .delete: .delete
                case .update: .update
                case .insert: .insert
                }
            var types: [ObjectIdentifier: any Model.Type] = [:]
            var changes: [ObjectIdentifier: [RowChange]] = [:]
            for key in keys(action, of: entity) {
                guard let row = side[entity.table]?[key].map({ RowImage($0) }) else { continue }
                let type = try entity.classTable?.model(of: row) ?? entity.type
                let change =
                    action == .delete
                    ? RowChange(deleting: key.values) : try RowChange(verb, row, of: entity)
                types[ObjectIdentifier(type)] = type
                changes[ObjectIdentifier(type), default: []].append(change)
            }
            return types.map { RowBatch($1, verb, changes[$0] ?? []) }
        }
    }

    /// The objects of the context whose rows go, each with its row.
    private func goneObjects() -> [(object: any PersistentModel, row: RowImage)] {
        var gone: [(object: any PersistentModel, row: RowImage)] = []
        for entity in entities {
            guard let type = entity.type as? any PersistentModel.Type else { continue }
            for key in keys(.delete, of: entity) {
                guard let object = context.registry.object(type, key),
                    let row = images.after[entity.table]?[key]
                else { continue }
                gone.append((object, RowImage(row)))
            }
        }
        return gone
    }
}
