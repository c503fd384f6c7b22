import DovetailContext
import DovetailModel
import DovetailStore

/// What a list makes of changes that were made here, from its comparison to its save.
struct LocalState<Value: Model & Identifiable> {
    /// Nil where the list replaces them.
    let merge: LocalMerge<Value>?
    private let bases: BaseUpdate?

    /// - Throws: ``StoreError``, and ``QueryError``.
    init(_ context: ModelContext, _ policy: LocalChangePolicy<Value>) throws {
        let entity = try context.entityOfValues(Value.self)
        if policy.isMerge {
            let merge = try LocalMerge(context, entity, policy)
            (self.merge, bases) = (merge, merge.bases)
        } else {
            (merge, bases) = (nil, try BaseUpdate(context, entity))
        }
    }

    /// Takes over what a comparison has found.
    func take(_ comparison: ListComparison<Value>) {
        let written = comparison.updated + comparison.deleted
        bases?.take(
            writing: written.map(\.key),
            inserting: !comparison.inserted.isEmpty,
            given: comparison.contains
        )
    }

    /// Takes over what a plan writes.
    func take(_ plan: SynchronizePlan) {
        let written = plan.updated + plan.deleted
        bases?.take(
            writing: written.map { RowKey($0.key) },
            inserting: !plan.inserted.isEmpty
        ) { _ in false }
    }

    /// Forgets the conflicts of rows that the list replaces.
    func forgetConflicts(_ comparison: ListComparison<Value>, in context: ModelContext) throws {
        if merge != nil { return }
        let deleted = Set(comparison.deleted.lazy.map(\.key))
        try KeptConflicts.forget(in: context, comparison.entity.table) {
            comparison.contains($0) || deleted.contains($0)
        }
    }

    /// Puts what comes before the rows of the list to what waits. In a transaction nobody else changes rows.
    func begin(in context: ModelContext) {
        if let bases, bases.isNeeded, !context.isInTransaction { context.enqueue(bases.beginning) }
    }

    /// Puts what comes after them to what waits.
    func end(in context: ModelContext) {
        if let bases, bases.isNeeded { context.enqueue(bases.end) }
    }
}
