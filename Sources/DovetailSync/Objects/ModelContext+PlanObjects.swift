public import DovetailContext
public import DovetailModel
import DovetailStore
public import Foundation

extension ModelContext {
    /// What `synchronize` would do with the objects of a document. Nothing changes in the context.
    ///
    /// ```swift
    /// let plan = try context.plan([Album].self, from: data, as: .json)
    /// print(plan)
    /// // Album: 1 inserted, 1 updated, 0 deleted, 3 kept
    /// // + c
    /// // ~ a: title, tracks
    /// try context.apply(plan, of: [Album].self, from: data, as: .json)
    /// try context.save()
    /// ```
    ///
    /// Rows are named by what names the objects in documents. Objects of other classes that the document has
    /// are in ``SynchronizePlan/parts``, a plan of each class that changes.
    ///
    /// - Parameters:
    ///   - type: The class, whose objects documents can name.
    ///   - data: An array of them.
    ///   - format: The format.
    ///   - deletionLimit: What part of the stored objects may be deleted, from 0 to 1.
    ///   - localChanges: What becomes of what was changed here since the last document. Conflicts that would be
    ///     kept are not in the plan; those that are errors are thrown.
    /// - Complexity: as of the `synchronize` of objects.
    /// - Throws: what the `synchronize` of objects throws.
    public func plan<Object: PersistentModel>(
        _ type: [Object].Type,
        from data: Data,
        as format: ModelFormat,
        deletionLimit: Double = 1,
        localChanges: LocalChangePolicy<Object> = .replace
    ) throws -> SynchronizePlan {
        try requireNamed(Object.self)
        let changes = localChanges.isMerge ? try ObjectMerge(self, localChanges) : nil
        var plan: SynchronizePlan?
        do {
            try merge(
                Object.self,
                from: data,
                as: format,
                filling: nil,
                leavingOut: false,
                over: { try changes?.bases(with: $0) }
            ) { document in
                let absent = try self.objects(of: Object.self, besides: document.known(Object.self))
                let decisions = try document.merge.flatMap {
                    try changes?.decide($0, deleting: absent, isWhole: true)
                }
                let objects = try decisions.flatMap { try document.merge?.objects($0) }
                let going = try absent.filter { try changes?.stays($0) != true }
                try Self.requireTargets(
                    document,
                    going + (changes?.removed ?? []),
                    Object.typeName
                )
                let made = try ObjectPlan(
                    objects ?? document.objects,
                    of: Object.self,
                    deleting: going,
                    and: document.replaced + (changes?.removed ?? []),
                    in: self
                ).plan
                plan = made
                if !made.deleted.isEmpty, made.deletedShare > deletionLimit {
                    throw SynchronizeError(beyondLimit: made)
                }
                throw Planned()
            }
        } catch is Planned {}
        return plan ?? SynchronizePlan(joining: [], of: Object.typeName, nil)
    }

    /// Does what a plan of objects says, with the document that it was made of. It is part of the unit of work.
    ///
    /// Another plan is made and compared with it. So it is refused where it would not be made in the same way
    /// by now, and the save finds what others change after that. After the save the plan has in memory what was
    /// there before, for ``SynchronizePlan/undo(in:)``, unless other changes waited with it.
    ///
    /// - Parameters:
    ///   - plan: What is to happen.
    ///   - type: The class.
    ///   - data: The document.
    ///   - format: The format.
    ///   - localChanges: The policy that the plan was made with.
    /// - Complexity: twice that of the `synchronize` of objects; the save reads each row twice that it writes.
    /// - Throws: ``StoreError`` of kind `planOutdated` where something else would happen by now, with the keys
    ///   of the rows that are not the same, and what the `synchronize` of objects throws. Nothing is changed in
    ///   the context then.
    @discardableResult
    public func apply<Object: PersistentModel>(
        _ plan: SynchronizePlan,
        of type: [Object].Type,
        from data: Data,
        as format: ModelFormat,
        localChanges: LocalChangePolicy<Object> = .replace
    ) throws -> SynchronizeResult<Object> {
        let now = try self.plan(type, from: data, as: format, localChanges: localChanges)
        guard now == plan else {
            let rows = (Set(now.rows).symmetricDifference(plan.rows)).map(\.key)
            throw StoreError(
                .planOutdated,
                table: plan.table,
                explanation:
                    "the plan is of another document or policy, or objects have changed since it "
                    + "was made; make another one"
            )
            .naming(all: Array(Set(rows)))
        }
        let isAlone = !hasChanges
        let (result, bases) = try synchronizeObjects(
            from: data,
            as: format,
            nil,
            1,
            .fail,
            localChanges
        ) { given in
            try self.objects(of: Object.self, besides: given)
        }
        plan.replaced.bases = bases?.replaced ?? [:]
        if isAlone {
            try keepImages { plan.replaced.keep($0) }
        } else {
            plan.replaced.keep(.failure(.besideOthers))
        }
        return result
    }

    /// The stored objects of a class that are not among some.
    ///
    /// - Complexity: the identifiers of all objects of the class, and a query for those that are given.
    func objects<Object: PersistentModel>(
        of type: Object.Type,
        besides others: [Object]
    ) throws -> [Object] {
        let known = Set(others.lazy.map(\.persistentModelID))
        let stored = try fetchIdentifiers(FetchDescriptor<Object>())
        return try objects(Object.self, with: stored.filter { !known.contains($0) })
    }

    /// Sees that documents can name the objects of a class.
    ///
    /// - Throws: ``StoreError`` of kind `unsupported`.
    func requireNamed<Object: PersistentModel>(_ type: Object.Type) throws {
        if isNamed(type) { return }
        throw StoreError(
            .unsupported,
            table: Object.typeName,
            explanation: "its objects have no name in documents; declare a key, or an attribute "
                + "with `.unique`"
        )
    }
}

/// Ends the reading of a document that is only planned.
private struct Planned: Error {}

extension SynchronizePlan {
    /// All rows of it and of its parts.
    fileprivate var rows: [Row] { inserted + updated + deleted + parts.flatMap(\.rows) }
}

/// The plan of a document of objects.
private struct ObjectPlan {
    /// What happens to the objects of one class.
    private struct Rows {
        var inserted: [SynchronizePlan.Row] = []
        var updated: [SynchronizePlan.Row] = []
        var deleted: [SynchronizePlan.Row] = []
        var kept = 0
    }

    private(set) var plan: SynchronizePlan

    /// - Parameters:
    ///   - objects: Those of the document.
    ///   - others: Those of the class that go.
    ///   - parts: Others that go, which are inside of others.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    init<Object: PersistentModel>(
        _ objects: [MergedDocument.Given],
        of type: Object.Type,
        deleting others: [Object],
        and parts: [any PersistentModel],
        in context: ModelContext
    ) throws {
        var rows: [String: Rows] = [:]
        for given in objects {
            let own = Swift.type(of: given.object)
            let name = given.object is Object ? Object.typeName : own.typeName
            if !given.isNew, !given.isChanged {
                rows[name, default: Rows()].kept += 1
                continue
            }
            let change = try context.change(of: given)
            let row = SynchronizePlan.Row(
                key: [try context.documentKey(of: given.object) ?? .null],
                reason: given.isNew ? .notStored : .differs,
                columns: given.isNew ? [] : change.names,
                before: change.before,
                after: change.after
            )
            if given.isNew {
                rows[name, default: Rows()].inserted.append(row)
            } else {
                rows[name, default: Rows()].updated.append(row)
            }
        }
        func deletion(_ object: any PersistentModel) throws -> SynchronizePlan.Row {
            SynchronizePlan.Row(
                key: [try context.documentKey(of: object) ?? .null],
                reason: .notGiven,
                columns: [],
                before: try context.digest(of: object),
                after: nil
            )
        }
        rows[Object.typeName, default: Rows()].deleted = try others.map(deletion)
        let known = Set(others.lazy.map { ObjectIdentifier($0) })
        for object in parts where !known.contains(ObjectIdentifier(object)) {
            let name = object is Object ? Object.typeName : Swift.type(of: object).typeName
            rows[name, default: Rows()].deleted.append(try deletion(object))
        }
        func plan(_ table: String, parts: [SynchronizePlan] = []) -> SynchronizePlan {
            let all = rows[table] ?? Rows()
            let deleted = all.deleted
            return SynchronizePlan(
                table: table,
                inserted: all.inserted,
                updated: all.updated,
                deleted: deleted,
                kept: all.kept,
                stored: all.updated.count + all.kept + deleted.count,
                tokens: nil,
                isWhole: false,
                parts: parts
            )
        }
        let parts = rows.keys.filter { $0 != Object.typeName }.sorted().map { plan($0) }
        self.plan = plan(Object.typeName, parts: parts.filter { !$0.isEmpty })
    }
}
