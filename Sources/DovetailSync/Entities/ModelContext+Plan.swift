public import DovetailContext
public import DovetailModel
import DovetailStore

extension ModelContext {
    /// What ``synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)`` would do with a list. Nothing waits to be saved after it
    /// that did not before.
    ///
    /// ```swift
    /// let plan = try context.plan(users)
    /// if plan.deletedShare < 0.1 { try context.apply(plan, of: users) }
    /// ```
    ///
    /// - Parameters:
    ///   - values: What there is to be.
    ///   - scope: Which rows they are all of; others are not deleted.
    ///   - deletionLimit: What part of the stored rows in the scope may be deleted, from 0 to 1.
    /// - Complexity: as of ``synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)``.
    /// - Throws: as ``synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)``.
    public func plan<Value: Model & Identifiable>(
        _ values: some Sequence<Value>,
        scope: SynchronizeScope<Value> = .full,
        deletionLimit: Double = 1
    ) throws -> SynchronizePlan {
        let values = Array(values)
        try require(values, in: scope)
        let comparison = try compare(values, scope, deletionLimit, countingRows: true)
        try requireTargets(comparison)
        return try comparison.plan()
    }

    /// Does what a plan says, with the values of the list that it was made of, when the context is saved.
    ///
    /// The rows that it writes are compared with the plan here, and again by the save, which may come
    /// later. Rows that somebody else has added to the scope meanwhile stay, and are reported
    /// (``EntityChanges/appeared``).
    ///
    /// - Parameters:
    ///   - plan: What is to happen.
    ///   - values: The list that the plan is of, in any order.
    ///   - scope: The scope that the plan was made with. It is asked for rows that were added; nil for all
    ///     rows, where the plan is one of these, and otherwise to ask for none.
    /// - Returns: What is written, with the identifiers of values and rows.
    ///   Rows whose keys the database gives are inserted by each call: nobody can tell that they are there.
    /// - Complexity: linear in the number of values and of the rows of the scope, and a look into the index of
    ///   the key for each row that is written. After the save the plan has what was there before in memory.
    /// - Throws: ``StoreError`` of kind `planOutdated` where a row that it writes was changed since, deleted,
    ///   or added, with the keys of all such rows; ``SynchronizeError`` where values are missing or others
    ///   than the plan was made of, or it is of another table; and what
    ///   ``synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)`` throws. Nothing waits then that did not before.
    @discardableResult
    public func apply<Value: Model & Identifiable>(
        _ plan: SynchronizePlan,
        of values: some Sequence<Value>,
        scope: SynchronizeScope<Value>? = nil
    ) throws -> EntityChanges<Value.ID> {
        let entity = try entityOfValues(Value.self)
        let values = Array(values)
        let planned = try PlannedValues(plan, values, entity)
        var expected = ExpectedRows(entity)
        for row in plan.inserted + plan.updated + plan.deleted {
            expected.expect(RowKey(row.key), row.before)
        }
        var identifiers: [RowKey: Value.ID] = [:]
        let gone = Set(plan.deleted.map { RowKey($0.key) })
        let reader = RowIdentifiers<Value>(entity)
        var findings = expected.findings()
        try withRows(of: Value.self, keys: expected.keys) { cursor in
            try findings.go(over: cursor) { key in
                if gone.contains(key) { identifiers[key] = try reader.identifier(of: cursor) }
            }
        }
        try findings.finish()
        if let tokens = plan.tokens { try require(tokens.since, entity) }
        let spoken = scope ?? (plan.isWhole ? .full : nil)
        let appeared = try spoken.map { scope in
            try self.identifiers(ofRowsBeside: values, gone, scope, entity)
        }
        if !plan.isEmpty || plan.tokens != nil {
            enqueue(expected.check(keeping: plan.replaced))
        }
        let merge = try LocalMerge<Value>(self, isWhole: plan.isWhole)
        plan.replaced.bases = [entity.table: try basesBefore(plan, entity)]
        // What is deleted on both sides is not in the plan.
        let named = plan.deleted.map { RowKey($0.key) }
        _ = try merge.merge(
            values,
            spoken ?? .full,
            gone: spoken.map { try $0.deletedKeys() } ?? named
        )
        try merge.keepConflicts { expected.contains($0) }
        merge.take(plan)
        merge.begin()
        if !plan.deleted.isEmpty { try leave(planned.updated) }
        try enqueue(
            tokens: plan.tokens,
            deleted: plan.deleted.map(\.key),
            updated: planned.updated,
            inserted: planned.inserted
        )
        merge.end()
        var changes = EntityChanges(
            inserted: planned.inserted.map(\.id),
            updated: planned.updated.map(\.id),
            deleted: plan.deleted.compactMap { identifiers[RowKey($0.key)] },
            unchanged: plan.kept
        )
        changes.appeared = appeared ?? []
        return changes
    }

    /// What was changed here, of which the list says something, with nil for the rows of a plan that were not.
    private func basesBefore(
        _ plan: SynchronizePlan,
        _ entity: EntityBinding
    ) throws -> [RowKey: BaseRow?] {
        guard let bases = try BaseUpdate(self, entity) else { return [:] }
        let keys = (plan.inserted + plan.updated + plan.deleted).map { RowKey($0.key) }
        var known = bases.known.mapValues { Optional($0) }
        for key in keys where known[key] == nil { known[key] = .some(nil) }
        return known
    }

    /// The identifiers of the rows of a scope that are neither in a list nor deleted with it.
    private func identifiers<Value: Model & Identifiable>(
        ofRowsBeside values: [Value],
        _ deleted: Set<RowKey>,
        _ scope: SynchronizeScope<Value>,
        _ entity: EntityBinding
    ) throws -> [Value.ID] {
        // Rows outside of the list stay in any case.
        if try scope.deletedKeys() != nil { return [] }
        var places = KeyIndex(reserving: values.count)
        try KeySink.forEachKey(of: values, entity) { place, key in
            if let key { _ = places.add(key, at: place) }
        }
        let reader = RowIdentifiers<Value>(entity)
        var found: [Value.ID] = []
        let query = Query(entity, filter: try scope.filter(in: self, entity))
        try withRows(of: query, Value.self, streams: true) { cursor, _ in
            while try cursor.next() {
                let key = try RowKey(row: cursor, entity: entity)
                if deleted.contains(key) || places.place(of: key) != nil { continue }
                found.append(try reader.identifier(of: cursor))
            }
        }
        return found
    }
}

/// The values of a list that a plan writes.
private struct PlannedValues<Value: Model & Identifiable> {
    private(set) var inserted: [Value] = []
    private(set) var updated: [Value] = []

    /// Finds the values, and compares them with what the plan was made of.
    ///
    /// - Throws: ``SynchronizeError``, and ``ModelEncodingError``.
    init(_ plan: SynchronizePlan, _ values: [Value], _ entity: EntityBinding) throws {
        // It may come from a file.
        let keys = (plan.inserted + plan.updated + plan.deleted).lazy.map(\.key.count)
        guard plan.table == entity.table, keys.allSatisfy({ $0 == entity.keyCount }) else {
            throw SynchronizeError(table: plan.table, positions: [], reason: .notOfPlan)
        }
        // Values without a key are told from each other by their digests.
        var places: [RowKey: Int] = [:]
        var keyless: [UInt64: [Int]] = [:]
        let wanted = Set((plan.inserted + plan.updated).lazy.map { RowKey($0.key) })
        try KeySink.forEachKey(of: values, entity) { place, key in
            guard let key else {
                keyless[try Self.digest(values[place], entity), default: []].append(place)
                return
            }
            if wanted.contains(key), places[key] == nil { places[key] = place }
        }
        var different: [Int] = []
        func value(of row: SynchronizePlan.Row) throws -> Value {
            if row.reason == .withoutKey, let after = row.after {
                guard let place = keyless[after]?.popLast() else {
                    throw SynchronizeError(table: plan.table, positions: [], reason: .notOfPlan)
                }
                return values[place]
            }
            guard let place = places[RowKey(row.key)] else {
                throw SynchronizeError(table: plan.table, positions: [], reason: .notOfPlan)
            }
            if try Self.digest(values[place], entity) != row.after { different.append(place) }
            return values[place]
        }
        updated = try plan.updated.map(value)
        inserted = try plan.inserted.map(value)
        guard different.isEmpty else {
            throw SynchronizeError(
                table: plan.table,
                positions: different.sorted(),
                reason: .notOfPlan
            )
        }
    }

    private static func digest(_ value: Value, _ entity: EntityBinding) throws -> UInt64 {
        RowDigest(try RowImage(of: value, attributes: entity.attributes), of: entity).value
    }
}
