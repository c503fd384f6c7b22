import DovetailContext
import DovetailModel
import DovetailStore

extension ModelContext {
    /// Sees that no value of a list refers to a row that goes with what it deletes.
    ///
    /// - Complexity: linear in the number of values, and as of ``DeletionReach/positions(in:_:)``; nothing where
    ///   nothing is deleted, and for models whose rows do not go with others of theirs.
    /// - Throws: ``SynchronizeError`` with the positions of those that do, and ``StoreError``.
    func requireTargets<Value>(_ comparison: ListComparison<Value>) throws {
        if comparison.deleted.isEmpty { return }
        let reach = DeletionReach(of: [comparison.entity], container.schema)
        if reach.isEmpty { return }
        let positions = try reach.positions(in: [comparison.list(for: reach)], self)[0]
        guard positions.isEmpty else {
            throw SynchronizeError(
                table: comparison.entity.table,
                positions: positions.sorted(),
                reason: .deletedReference
            )
        }
    }

    /// Lets the rows of values leave those that are deleted next, and would take them along.
    ///
    /// - Throws: ``ModelEncodingError``.
    func leave<Value: Model & Identifiable>(_ values: [Value]) throws {
        if values.isEmpty { return }
        let entity = try entityOfValues(Value.self)
        try leave(values, DeletionReach(of: [entity], container.schema))
    }

    /// The same of one of several tables.
    func leave<Value: Model & Identifiable>(_ values: [Value], _ reach: DeletionReach) throws {
        let changes = try reach.leaving(values, try entityOfValues(Value.self))
        if !changes.isEmpty { enqueue(RowBatch(Value.self, .update, changes)) }
    }
}
