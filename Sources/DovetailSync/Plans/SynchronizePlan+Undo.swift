public import DovetailContext
import DovetailModel
import DovetailStore

extension SynchronizePlan {
    /// Puts every row back that the plan has written, when the context is saved: what it inserted is deleted,
    /// what it updated or deleted is as it was before.
    ///
    /// ```swift
    /// let plan = try context.plan(users)
    /// try context.apply(plan, of: users)
    /// try context.save()
    /// try plan.undo(in: context)
    /// try context.save()                  // every row is as it was
    /// ```
    ///
    /// Rows that the database has changed with it, such as those that a rule deletes with the row that they
    /// refer to, are not put back.
    ///
    /// Of a plan of objects everything is put back that the save has written: the objects of other classes,
    /// those that rules have deleted, relationships, and the places in lists. What was inserted is deleted
    /// as its model says: a class with `@Model(deletion: .mark)` keeps the row, marked. After the save the
    /// objects that the program holds show what was before. One that the plan has deleted stays
    /// ``PersistentModel/isDeleted`` and keeps its last values: a fetch, or a relationship, gives the object
    /// of the row that is there again. References that were kept until their objects came
    /// (``UnknownReferences/keep``) are not kept again.
    ///
    /// What is put back is no change made here, but where it was one before the plan was applied: that is one again.
    ///
    /// - Parameter context: A context of the same store.
    /// - Complexity: linear in the number of rows that are written; of objects also in that of the context's
    ///   objects of the classes that refer to one that goes.
    /// - Throws: ``StoreError``: `planOutdated` where somebody has changed such a row since, with the keys of
    ///   all of them, and `unsupported` where the program has not applied and saved this plan, where the
    ///   database has given keys, and for a row that was no value of its model. Of objects `planOutdated` has
    ///   the keys of the rows of one table, also of those that refer to one that would go and that the
    ///   plan has not written, and of objects of this context that wait to be changed; and `unsupported` where
    ///   other changes waited with the plan when it was applied or saved, and where a row of the save could
    ///   not be read. All of that is looked at again by the save, so each plan has one of its own, the last
    ///   one first.
    public func undo(in context: ModelContext) throws {
        func refused(_ explanation: String) -> StoreError {
            StoreError(.unsupported, table: table, explanation: explanation)
        }
        if isEmpty, tokens == nil {
            // It has written nothing, and what was changed here was known to the other side from then on.
            let known = replaced.bases
            return try context.putBack(known) { Set((known[$0] ?? [:]).keys) }
        }
        switch replaced.images {
        case .success(let images)?:
            try context.putBack(images)
            return try context.putBack(replaced.bases) { images.keys(of: $0) }
        case .failure(.besideOthers)?:
            throw refused(
                "other changes of the context waited with the plan, so that nothing is kept of it alone"
            )
        case .failure(.unreadable)?:
            throw refused("a row that was written could not be read, so that nothing is kept")
        case nil: break
        }
        guard let before = replaced.all else {
            throw refused(
                "the plan was not applied and saved by this program, so that nothing is kept"
            )
        }
        guard let entity = context.container.schema.entity(ofTable: table)
        else { throw refused("the container was made without the model of the plan") }
        guard !inserted.contains(where: { $0.reason == .withoutKey }) else {
            throw refused("the database has given keys, which the plan does not know")
        }
        var expected = ExpectedRows(entity)
        for row in inserted + updated + deleted { expected.expect(RowKey(row.key), row.after) }
        var findings = expected.findings()
        try context.withRows(of: entity.type, keys: expected.keys) { try findings.go(over: $0) }
        try findings.finish()
        func change(_ verb: WriteVerb, _ row: Row) throws -> RowChange {
            guard let values = before[RowKey(row.key)] else {
                throw refused("a row was no value of its model, and cannot be put back")
            }
            return try RowChange(verb, RowImage(values), of: entity)
        }
        let updates = try updated.map { try change(.update, $0) }
        let insertions = try deleted.map { try change(.insert, $0) }
        context.enqueue(expected.check())
        if let tokens {
            context.enqueue(TokenBatch(entity.type, tokens.since, after: tokens.next))
        }
        let deletions = inserted.map { RowChange(deleting: $0.key) }
        context.enqueue(RowBatch(entity.type, .delete, deletions))
        context.enqueue(RowBatch(entity.type, .update, updates))
        context.enqueue(RowBatch(entity.type, .insert, insertions))
        let keys = expected.keys
        try context.putBack(replaced.bases) { $0 == entity.table ? keys : [] }
    }
}

extension ModelContext {
    /// Lets rows that are put back be no changes made here, but for those that were before.
    ///
    /// - Parameter keys: Gives the keys of such rows of a table.
    fileprivate func putBack(
        _ known: ReplacedRows.Bases,
        _ keys: @escaping @Sendable (String) -> some Sequence<RowKey> & Sendable
    ) throws {
        let tables = container.schema.bindings.filter {
            known[$0.table] != nil || keys($0.table).contains { _ in true }
        }
        guard let first = tables.first else { return }
        enqueue(
            RowlessBatch(first.type, isLast: true) { connection, _ in
                for entity in tables {
                    guard case .rows(let now) = try connection.bases(of: entity) else { continue }
                    var bases = BaseUpdate.byKey(now)
                    for key in keys(entity.table) { bases[key] = nil }
                    for (key, base) in known[entity.table] ?? [:] { bases[key] = base }
                    try BaseUpdate.dropEqual(&bases, entity, on: connection) { _ in false }
                    try connection.setBases(Array(bases.values), of: entity)
                }
            }
        )
    }
}
