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
    /// - Complexity: as of the `synchronize` of objects.
    /// - Throws: what the `synchronize` of objects throws.
    public func plan<Object: PersistentModel>(
        _ type: [Object].Type,
        from data: Data,
        as format: ModelFormat,
        deletionLimit: Double = 1
    ) throws -> SynchronizePlan {
        try requireNamed(Object.self)
        var plan: SynchronizePlan?
        do {
            try merge(Object.self, from: data, as: format, filling: nil, leavingOut: false) {
                let others = try self.objects(of: Object.self, beside: $0)
                let made = try ObjectPlan($0, of: Object.self, deleting: others, in: self).plan
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
    /// - Complexity: twice that of the `synchronize` of objects; the save reads each row twice that it writes.
    /// - Throws: ``StoreError`` of kind `planOutdated` where something else would happen by now, with the keys
    ///   of the rows that are not the same, and what the `synchronize` of objects throws. Nothing is changed in
    ///   the context then.
    @discardableResult
    public func apply<Object: PersistentModel>(
        _ plan: SynchronizePlan,
        of type: [Object].Type,
        from data: Data,
        as format: ModelFormat
    ) throws -> SynchronizeResult<Object> {
        let now = try self.plan(type, from: data, as: format)
        guard now == plan else {
            let rows = (Set(now.rows).symmetricDifference(plan.rows)).map(\.key)
            throw StoreError(
                .planOutdated,
                table: plan.table,
                explanation:
                    "the plan is of another document, or objects have changed since it was "
                    + "made; make another one"
            )
            .naming(all: Array(Set(rows)))
        }
        let isAlone = !hasChanges
        let result = try synchronize(type, from: data, as: format)
        if isAlone {
            try keepImages { plan.replaced.keep($0) }
        } else {
            plan.replaced.keep(.failure(.besideOthers))
        }
        return result
    }

    /// The stored objects of a class that are not in a document.
    func objects<Object: PersistentModel>(
        of type: Object.Type,
        beside document: MergedDocument
    ) throws -> [Object] {
        let known = Set(
            document.objects.lazy.filter { !$0.isNew && $0.object is Object }
                .map { $0.object.persistentModelID }
        )
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
        var kept = 0
    }

    private(set) var plan: SynchronizePlan

    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    init<Object: PersistentModel>(
        _ document: MergedDocument,
        of type: Object.Type,
        deleting others: [Object],
        in context: ModelContext
    ) throws {
        var rows: [String: Rows] = [:]
        for given in document.objects {
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
                columns: change.names,
                before: change.before,
                after: change.after
            )
            if given.isNew {
                rows[name, default: Rows()].inserted.append(row)
            } else {
                rows[name, default: Rows()].updated.append(row)
            }
        }
        let deleted = try others.map { object in
            SynchronizePlan.Row(
                key: [try context.documentKey(of: object) ?? .null],
                reason: .notGiven,
                columns: [],
                before: try context.digest(of: object),
                after: nil
            )
        }
        func plan(
            _ table: String,
            _ deleted: [SynchronizePlan.Row] = [],
            parts: [SynchronizePlan] = []
        ) -> SynchronizePlan {
            let all = rows[table] ?? Rows()
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
        self.plan = plan(Object.typeName, deleted, parts: parts.filter { !$0.isEmpty })
    }
}
