public import DovetailContext
public import DovetailModel
import DovetailStore

extension ModelContext {
    /// Makes the store hold exactly the given values of a model, or of a part of them: new ones are
    /// inserted, different ones are updated, and the others are deleted. It is part of the unit of work,
    /// so ``ModelContext/save()`` writes it.
    ///
    /// ```swift
    /// let changes = try context.synchronize(users)
    /// // SELECT "id", "name", "age" FROM "User"
    /// try context.save()
    /// // SELECT … FROM "User" WHERE "id" IN …, the rows that are written: have they changed since?
    /// // DELETE FROM "User" WHERE "id" = ?1
    /// // UPDATE "User" SET "name" = ?2, "age" = ?3 WHERE "id" = ?1
    /// // INSERT INTO "User" ("id", "name", "age") VALUES (?1, ?2, ?3)
    /// ```
    ///
    /// Each statement runs once for each row that differs, and for no other. "Different" means that
    /// at least one column is. What waits to be saved counts as stored. A stored row that is no
    /// value of the model any more is deleted or repaired like every other, as long as its key can
    /// be read.
    ///
    /// A row that somebody else changes before the save makes that throw ``StoreError`` of kind
    /// `planOutdated`; one that somebody else adds stays, and is deleted by the next run.
    ///
    /// - Parameters:
    ///   - values: What there is to be.
    ///   - scope: Which rows they are all of; others are not deleted.
    ///   - deletionLimit: What part of the stored rows in the scope may be deleted, from 0 to 1. A list
    ///     that would delete more is refused, with the plan of it in the error.
    ///   - unknownReferences: What becomes of references to rows that are not there, in attributes with
    ///     `@Attribute(.references(…))`.
    /// - Complexity: linear: two passes over the given values, one to find their keys, and one over
    ///   the stored rows in the scope, which are compared in place. In a scope, the keys that it does not
    ///   have are looked up, and in a store that knows what was changed here so is each row that was. Memory holds
    ///   the given values and keys. The save reads the rows again that
    ///   it updates and deletes, unless a transaction of the context is open since before this call.
    /// - Throws: ``SynchronizeError`` when two given values have one key and are not equal, for values
    ///   outside of the scope, above the limit, and for conflicts that are errors, ``QueryError`` for a scope
    ///   that no store understands, ``StoreError``, of kind `unsupported` for classes with `@Model`, whose
    ///   objects belong to their context, and where changes that wait would have to be merged,
    ///   `historyDisabled` where the store does not know what was changed, and `invalidSchema` where
    ///   references or conflicts are to be kept and the container has no `MissingReference` or
    ///   `MergeConflict`, ``ModelEncodingError`` for a value that has no form in a column, and
    ///   ``ModelDecodingError`` for a stored key that cannot be read. Nothing waits to be saved
    ///   then that did not before.
    @discardableResult
    public func synchronize<Value: Model & Identifiable>(
        _ values: some Sequence<Value>,
        scope: SynchronizeScope<Value> = .full,
        deletionLimit: Double = 1,
        unknownReferences: UnknownReferences = .fail,
        localChanges: LocalChangePolicy<Value> = .replace
    ) throws -> EntityChanges<Value.ID> {
        let values = Array(values)
        let merge = try LocalMerge(self, localChanges, isWhole: scope.isWhole)
        // Those of which references are taken out were inside before.
        try require(values, in: scope)
        let given = try references(of: values, scope, unknownReferences, merging: merge)
        let comparison = try compare(
            given?.values ?? values,
            scope,
            deletionLimit,
            merging: merge
        )
        try requireTargets(comparison)
        try keepConflicts(merge, comparison)
        let changes = try enqueue(comparison, merge)
        try keepReferences(given, of: comparison, unknownReferences)
        return changes
    }

    /// Puts what a comparison has found to what waits.
    ///
    /// - Parameter merge: What becomes of changes made here; nil where the caller sees to that.
    /// - Throws: ``ModelEncodingError``.
    func enqueue<Value>(
        _ comparison: ListComparison<Value>,
        _ merge: LocalMerge<Value>? = nil
    ) throws -> EntityChanges<Value.ID> {
        begin(comparison, merge)
        if !comparison.deleted.isEmpty { try leave(comparison.updatedValues) }
        return try write(comparison, merge)
    }

    /// Puts what comes before the rows of a comparison to what waits.
    func begin<Value>(_ comparison: ListComparison<Value>, _ merge: LocalMerge<Value>?) {
        let expected = comparison.expected
        merge?.take(comparison)
        merge?.begin()
        if !isInTransaction, !expected.isEmpty { enqueue(expected.check()) }
    }

    /// Puts the rows of a comparison to what waits.
    ///
    /// - Throws: ``ModelEncodingError``.
    func write<Value>(
        _ comparison: ListComparison<Value>,
        _ merge: LocalMerge<Value>?
    ) throws -> EntityChanges<Value.ID> {
        try enqueue(
            tokens: comparison.tokens,
            deleted: comparison.deleted.map(\.key.values),
            updated: comparison.updatedValues,
            inserted: comparison.inserted.map { comparison.values[$0] }
        )
        merge?.end()
        return comparison.changes
    }

    /// Keeps and forgets conflicts, as a list that was compared says.
    func keepConflicts<Value>(
        _ merge: LocalMerge<Value>,
        _ comparison: ListComparison<Value>
    ) throws {
        let deleted = Set(comparison.deleted.lazy.map(\.key))
        try merge.keepConflicts { comparison.contains($0) || deleted.contains($0) }
    }

    /// Sees that the values of a list are in its scope.
    ///
    /// - Throws: ``SynchronizeError``, and what ``SynchronizeScope`` throws.
    func require<Value>(_ values: [Value], in scope: SynchronizeScope<Value>) throws {
        let entity = try entityOfValues(Value.self)
        let outside = try scope.places(outside: values, entity)
        guard outside.isEmpty else {
            throw SynchronizeError(
                table: entity.table,
                positions: outside,
                reason: .outsideScope
            )
        }
    }

    /// Compares a list, which is in its scope, with what is stored, and with what waits to be saved.
    ///
    /// - Parameter countsRows: Whether ``ListComparison/storedCount`` is asked for where the comparison does
    ///   not go over all rows of the scope.
    func compare<Value: Model & Identifiable>(
        _ values: [Value],
        _ scope: SynchronizeScope<Value>,
        _ deletionLimit: Double,
        countingRows countsRows: Bool = false,
        merging merge: LocalMerge<Value>? = nil
    ) throws -> ListComparison<Value> {
        let entity = try entityOfValues(Value.self)
        let tokens = try tokens(of: scope)
        let gone = try scope.deletedKeys()
        let merged = try merge?.merge(values, scope, gone: gone)
        let comparison = try ListComparison(
            merged?.values ?? values,
            entity,
            tokens: tokens,
            namingDeletions: gone != nil,
            keeping: merged?.kept ?? [],
            skipping: merged?.skipped ?? []
        )
        comparison.isWhole = scope.isWhole
        if let gone {
            let both = comparison.places(of: gone)
            guard both.isEmpty else {
                throw SynchronizeError(table: entity.table, positions: both, reason: .alsoDeleted)
            }
            let keys = Set(comparison.missingKeys + gone + (merged?.deleted ?? []))
            try withRows(of: Value.self, keys: Array(keys)) { try comparison.compare(with: $0) }
        } else {
            let query = Query(entity, filter: try scope.filter(in: self, entity))
            try withRows(of: query, Value.self, streams: true) { cursor, _ in
                try comparison.compare(with: cursor)
            }
            var others = scope.letsRowsIn ? Set(comparison.missingKeys) : []
            if let merged, !merged.deleted.isEmpty || !merged.beside.isEmpty {
                // A row that was moved out of the scope here may be one that the list deletes.
                let found = Set((comparison.deleted + comparison.updated).lazy.map(\.key))
                others.formUnion((merged.deleted + merged.beside).filter { !found.contains($0) })
            }
            if !others.isEmpty {
                try withRows(of: Value.self, keys: Array(others)) {
                    try comparison.compare(with: $0, isInScope: false)
                }
            }
        }
        try merged?.check(comparison)
        if gone != nil, countsRows || deletionLimit < 1 {
            comparison.storedCount = try fetchCount(FetchDescriptor<Value>())
        }
        guard comparison.deleted.isEmpty || comparison.deletedShare <= deletionLimit else {
            throw SynchronizeError(beyondLimit: try comparison.plan())
        }
        try comparison.requireColumnsOfInserted()
        return comparison
    }

    /// Puts rows and values to what waits. In this order a unique value may pass from a deleted row to any
    /// other one, and from an updated row to a new one. What is updated has left the deleted ones before
    /// (``leave(_:)``).
    ///
    /// - Throws: ``ModelEncodingError``.
    func enqueue<Value: Model & Identifiable>(
        tokens: SynchronizePlan.Tokens?,
        deleted: [[QueryValue]],
        updated: [Value],
        inserted: [Value]
    ) throws {
        if let tokens { enqueue(TokenBatch(Value.self, tokens.next, after: tokens.since)) }
        if !deleted.isEmpty {
            enqueue(RowBatch(Value.self, .delete, deleted.map { RowChange(deleting: $0) }))
        }
        update(updated)
        insert(contentsOf: inserted)
    }

    /// Of a list of changes, where it begins and ends; nil for others.
    ///
    /// - Throws: ``SynchronizeError`` where it begins at another token than the one that is stored, and
    ///   ``StoreError``.
    func tokens<Value>(of scope: SynchronizeScope<Value>) throws -> SynchronizePlan.Tokens? {
        guard let tokens = scope.tokens else { return nil }
        guard tokens.since != nil else {
            // A list of everything, whatever was told before.
            let stored = try changeToken(of: Value.self)
            return SynchronizePlan.Tokens(since: stored, next: tokens.next)
        }
        try require(tokens.since, try entityOfValues(Value.self))
        return tokens
    }

    /// Sees that a list of changes begins where the last one has ended.
    ///
    /// - Throws: ``SynchronizeError``, and ``StoreError``.
    func require(_ token: String?, _ entity: EntityBinding) throws {
        guard try changeToken(of: entity.type) == token else {
            throw SynchronizeError(table: entity.table, positions: [], reason: .otherToken)
        }
    }

    /// The entity of a model whose values are synchronized.
    ///
    /// - Throws: ``StoreError``, of kind `unsupported` for classes with `@Model`.
    func entityOfValues(_ model: any Model.Type) throws -> EntityBinding {
        guard !(model is any PersistentModel.Type) else {
            throw StoreError(
                .unsupported,
                table: model.modelTable,
                explanation: "objects belong to their context: set their properties, insert and "
                    + "delete them; values are synchronized"
            )
        }
        return try container.schema.entity(model)
    }
}
