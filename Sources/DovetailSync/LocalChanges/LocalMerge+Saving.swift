import DovetailContext
import DovetailModel
import DovetailStore

// What a list puts to what waits beside its rows.
extension LocalMerge {
    /// Takes over what a comparison has found.
    func take(_ comparison: ListComparison<Value>) {
        bases?.take(
            writing: comparison.updated.map(\.key),
            deleting: comparison.deleted.map(\.key),
            inserting: !comparison.inserted.isEmpty
        )
    }

    /// Takes over what a plan writes.
    func take(_ plan: SynchronizePlan) {
        bases?.take(
            writing: plan.updated.map { RowKey($0.key) },
            deleting: plan.deleted.map { RowKey($0.key) },
            inserting: !plan.inserted.isEmpty
        )
    }

    /// Keeps the conflicts, and forgets those that are none any more, when the context is saved.
    ///
    /// - Parameter isReplaced: Whether the list replaces a row.
    /// - Throws: ``StoreError``.
    func keepConflicts(replacing isReplaced: (RowKey) -> Bool) throws {
        if isMerge {
            return try conflicts.enqueue(in: context) { isReplaced($0) && bases?.known[$0] == nil }
        }
        try KeptConflicts.forget(in: context, entity.table) {
            isReplaced($0) || bases?.given[$0] != nil
        }
    }

    /// Puts what comes before the rows of the list to what waits.
    func begin() {
        if let bases, bases.isNeeded { context.enqueue(bases.beginning) }
    }

    /// The same of a list in parts, before it is known whether these write anything.
    ///
    /// - Throws: ``StoreError``, ``QueryError``, ``ModelEncodingError``, and ``ModelDecodingError``.
    func beginParts(_ list: CollectedList<Value>, _ scope: SynchronizeScope<Value>) throws {
        guard let bases else { return }
        bases.isParted = true
        context.enqueue(bases.beginning)
        try context.save()
        let listed = ListedValues(list)
        try settleRivals(listed, scope, gone: try scope.deletedKeys())
        guard isMerge, refersToItself else { return }
        // A row of one part may refer to one of another.
        var missing = Set(bases.known.lazy.filter { $0.value.values != nil }.map(\.key))
        try context.withReadConnection { connection in
            for part in entity.parts(of: Array(missing)) {
                for key in try connection.keys(of: Query(entity, filter: entity.filter(of: part))) {
                    missing.remove(RowKey(key))
                }
            }
        }
        stayingOfAll = try stayingDeleted(listed.with(missing.map(\.values), entity.keyColumns))
    }

    /// Whether rows refer to others of their table.
    var refersToItself: Bool {
        entity.description.references.contains { $0.table == entity.table }
    }

    /// Puts what comes after them to what waits.
    func end() {
        if let bases, bases.isNeeded { context.enqueue(bases.end) }
    }
}
