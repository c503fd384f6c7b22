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
    /// that of another, or rows belong to others of the same table.
    private var waiting: (deleted: [[QueryValue]], updated: [Value], inserted: [Value]) = (
        [], [], []
    )

    /// The keys of the rows of the table to which values belong.
    private var owners: Set<QueryValue> = []

    init(_ list: CollectedList<Value>, _ run: ListRun<Value>, in context: ModelContext) {
        self.context = context
        self.list = list
        self.run = run
    }

    /// Compares and writes all parts.
    ///
    /// - Complexity: linear in both; memory holds a part of the list, and what differs in a table with unique
    ///   values or rows that belong to others of it, and otherwise the identifiers of these.
    /// - Throws: as ``ModelContext/synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)``.
    mutating func merge() throws -> EntityChanges<Value.ID> {
        let entity = list.entity
        let waits =
            entity.description.indexes.contains(where: \.isUnique)
            || OwningReferences(entity) != nil
        let tokens = try context.tokens(of: run.scope)
        let local = try LocalMerge(context, run.localChanges)
        try local.beginParts()
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
        guard !waiting.deleted.contains(where: { $0.first.map(owners.contains) ?? false }) else {
            throw SynchronizeError(table: entity.table, positions: [], reason: .ownerDeleted)
        }
        try context.enqueue(
            tokens: tokens,
            deleted: waiting.deleted,
            updated: waiting.updated,
            inserted: waiting.inserted
        )
        local.end()
        return changes
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
        if waits {
            if let owning = OwningReferences(comparison.entity) {
                owners.formUnion(try owning.owners(of: comparison.values).keys)
            }
            let changed = comparison.updated.compactMap(\.position)
            waiting.deleted += comparison.deleted.map(\.key.values)
            waiting.updated += changed.map { comparison.values[$0] }
            waiting.inserted += comparison.inserted.map { comparison.values[$0] }
        }
        changes.append(waits ? comparison.changes : try context.enqueue(comparison))
        try context.keepReferences(given, of: comparison, run.unknownReferences)
        try context.keepConflicts(local, comparison)
        if !waits { try context.save() }
    }
}
