import DovetailContext
import DovetailModel
import DovetailStore

/// Makes the store hold a list that is in a stage, one part of its keys after the other, in a transaction of
/// the context that is open.
struct StagedMerge<Value: Model & Identifiable> {
    let context: ModelContext
    let list: CollectedList<Value>
    let run: ListRun<Value>

    private var changes = EntityChanges<Value.ID>()
    private var storedCount = 0
    /// The plans of the parts, where a limit may want them.
    private var plans: [SynchronizePlan] = []
    /// What waits for the last part, of a table in which a unique value may pass from a row of one part to
    /// that of another, or deletions lead to rows of other parts.
    private var waiting: (deleted: [[QueryValue]], updated: [Value], inserted: [Value]) = (
        [], [], []
    )
    /// By which references deletions lead back to the table.
    private let reach: DeletionReach
    /// The rows to which values refer, by table and key, as of ``DeletionReach/targets(of:_:)``.
    private var targets: [String: [QueryValue: [Int]]] = [:]
    /// The rows that the list deletes, where that may lead back.
    private var deleted: [RowKey] = []

    init(_ list: CollectedList<Value>, _ run: ListRun<Value>, in context: ModelContext) {
        reach = DeletionReach(of: [list.entity], context.container.schema)
        self.context = context
        self.list = list
        self.run = run
    }

    /// Compares and writes all parts.
    ///
    /// - Complexity: linear in both; memory holds a part of the list, and what differs in a table with unique
    ///   values or rows that go with others of it, and otherwise the identifiers of these; also what the rows
    ///   refer to, of a table whose deletions lead back to it.
    /// - Throws: as ``ModelContext/synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)``.
    mutating func merge() throws -> EntityChanges<Value.ID> {
        let entity = list.entity
        let waits =
            entity.description.indexes.contains(where: \.isUnique)
            || reach.leadsThroughRows(of: entity)
        let tokens = try context.tokens(of: run.scope)
        let local = try LocalMerge(context, run.localChanges, isWhole: run.scope.isWhole)
        try local.beginParts(list, run.scope)
        var last: QueryValue?
        var isDone = false
        while !isDone {
            let values = try list.staged(after: last, limit: run.limits.partSize)
            isDone = values.count < run.limits.partSize
            let through = try isDone ? nil : key(of: values[values.count - 1])
            try merge(
                values,
                run.scope.untold.part(after: last, through: through),
                local,
                waits: waits
            )
            last = through
            try run.progress?.merge(values.count)
        }
        let share = SynchronizePlan.share(changes.deleted.count, of: storedCount)
        guard changes.deleted.isEmpty || share <= run.deletionLimit else {
            throw SynchronizeError(
                beyondLimit: SynchronizePlan(joining: plans, of: entity.table, tokens)
            )
        }
        try requireTargets()
        if !waiting.deleted.isEmpty { try context.leave(waiting.updated, reach) }
        try context.enqueue(
            tokens: tokens,
            deleted: waiting.deleted,
            updated: waiting.updated,
            inserted: waiting.inserted
        )
        if waits { try context.resolveMissingReferences() }
        local.end()
        return changes
    }

    /// Sees that no value refers to a row that goes with what the list deletes.
    ///
    /// - Throws: ``SynchronizeError`` without positions, and ``StoreError``.
    private func requireTargets() throws {
        let list = DeletionReach.List(
            entity: list.entity,
            deleted: deleted,
            isWhole: run.scope.isWhole && !run.localChanges.isMerge,
            targets: targets,
            listed: list.staged
        )
        guard try reach.positions(in: [list], context)[0].isEmpty else {
            throw SynchronizeError(
                table: list.entity.table,
                positions: [],
                reason: .deletedReference
            )
        }
    }

    private func key(of value: Value) throws -> QueryValue? {
        let row = try RowImage(of: value, attributes: list.entity.attributes)
        return try list.entity.key(of: row).first
    }

    private mutating func merge(
        _ values: [Value],
        _ part: SynchronizeScope<Value>,
        _ local: LocalMerge<Value>,
        waits: Bool
    ) throws {
        try context.require(values, in: part)
        let given = try context.references(
            of: values,
            part,
            run.unknownReferences,
            merging: local
        )
        let comparison = try context.compare(
            given?.values ?? values,
            part,
            1,
            merging: local
        )
        local.take(comparison)
        if run.deletionLimit < 1 { plans.append(try comparison.plan()) }
        storedCount += comparison.storedCount
        if !reach.isEmpty {
            deleted += comparison.deleted.lazy.map(\.key)
            for (table, keys) in try reach.targets(of: comparison.values, list.entity) {
                targets[table, default: [:]].merge(keys) { first, _ in first }
            }
        }
        if waits {
            waiting.deleted += comparison.deleted.map(\.key.values)
            waiting.updated += comparison.updatedValues
            waiting.inserted += comparison.inserted.map { comparison.values[$0] }
        }
        changes.append(waits ? comparison.changes : try context.enqueue(comparison))
        try context.keepReferences(
            given,
            of: comparison,
            run.unknownReferences,
            resolving: !waits
        )
        try context.keepConflicts(local, comparison)
        if !waits { try context.save() }
    }
}
