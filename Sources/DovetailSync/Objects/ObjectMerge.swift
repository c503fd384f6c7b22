import DovetailContext
import DovetailModel
import DovetailStore

/// What a document of objects makes of changes that were made here: it is merged with them row by row, or replaces
/// them. It belongs to one call of `synchronize`.
final class ObjectMerge<Object: PersistentModel> {
    /// What a policy makes of the rows of one table.
    struct Table {
        let entity: EntityBinding
        let rules: ConflictRules
        let rows: RowMerge
        var conflicts: KeptConflicts.Changes
    }

    let context: ModelContext
    let bases: ObjectBases
    let rules: ConflictRules
    private let root: EntityBinding
    let isMerge: Bool
    var tables: [String: Table] = [:]
    var decisions = DocumentDecisions()
    /// What was changed here, as the document sees it.
    var known = DocumentBases([:], isMerge: false)
    /// The objects that the document does not have, and that go.
    var removed: [any PersistentModel] = []
    /// All conflicts of the document that the rules refuse.
    var refused: [RowConflict] = []
    /// Rows that were deleted here and come back, and those whose deletion is in conflict.
    var revived: Set<RowName> = []
    var disputed: Set<RowName> = []
    /// Rows that are on neither side, new ones of the document that do not come, and what stays although it is gone
    /// there, by the names of the rows.
    var ended: Set<RowName> = []
    var unknown: Set<RowName> = []
    var orphans: [RowName: any PersistentModel] = [:]
    /// What becomes of objects inside of others that documents have no name for, and the relationships to such that
    /// are another thing there.
    var choices = WholeChoices()
    var open: [RowName: Set<String>] = [:]
    /// What was put here into objects that go, and is inside of others there.
    var released: Set<RowName> = []
    /// Objects that were put here into the list which the document fills, and stay there.
    var unlisted: Set<RowName> = []
    /// The rows of which the document says something, and those of them that are there by it.
    private var spoken: Set<RowName> = []
    var coming: Set<RowName> = []

    /// Nil where the store does not know what was changed, and nobody asks.
    ///
    /// - Throws: ``StoreError``, of kind `historyDisabled` where changes are to be merged and the store does not
    ///   know what was changed, `unsupported` where changes wait that would have to be merged, and
    ///   `invalidSchema` where conflicts are to be kept and cannot be; ``QueryError``.
    init?(_ context: ModelContext, _ policy: LocalChangePolicy<Object>) throws {
        root = try context.table(of: Object.self)
        isMerge = policy.isMerge
        if isMerge, context.hasObjectChanges {
            throw StoreError(
                .unsupported,
                table: root.table,
                explanation: "changes that wait cannot be merged with a document; save them before"
            )
        }
        let schema = context.container.schema
        rules = try policy.rules(QueryTranslator(schema.entity(Object.self), in: schema))
        if rules.keeps { try KeptConflicts.require(context, root.table) }
        guard let bases = try ObjectBases(context, of: Object.self, isMerge: isMerge) else {
            return nil
        }
        self.context = context
        self.bases = bases
    }

    /// What was changed here, also of the pairs of some lists.
    ///
    /// - Throws: ``StoreError``.
    func bases(with joins: [EntityBinding]) throws -> DocumentBases {
        try bases.add(joins, in: context)
        return DocumentBases(bases.all, isMerge: isMerge)
    }

    /// Decides what the document does.
    ///
    /// - Parameters:
    ///   - others: The objects of the scope that it does not have.
    ///   - isWhole: Whether it is one of all objects of the class.
    /// - Complexity: linear in the number of objects of the document and of rows that were changed here.
    /// - Throws: ``SynchronizeError`` for conflicts that are errors, and what a fetch throws.
    func decide(
        _ document: RowsOfDocument,
        deleting others: [Object],
        isWhole: Bool
    ) throws -> DocumentDecisions {
        known = document.bases
        let others = try isMerge ? listed(others, document) : others
        let replaced = Set(document.replaced)
        var rows = try document.rows().filter { !replaced.contains($0.name) }
        spoken = Set(rows.map(\.name))
        var gone = rows.filter { $0.theirs == nil }.map(\.name)
        if isWhole {
            gone += try deletedOnBothSides(besides: others)
            if isMerge { bases.delete(try comeAndGone()) }
        }
        for name in gone where !spoken.contains(name) { try settle(name) }
        let coming = rows.lazy.filter { $0.isNamed || $0.theirs == nil }.map(\.name)
        let staying = try Set(coming).union(document.namesInside())
        let going = try document.rows(deleting: others, with: gone, besides: staying)
        // What has only left a list goes with what it was inside of.
        let names = Set(going.lazy.map(\.name))
        rows = rows.filter { !names.contains($0.name) } + going
        let inside = names.subtracting(try others.compactMap { try context.rowName(of: $0) })
        spoken.formUnion(rows.map(\.name))
        spoken.formUnion(gone)
        self.coming = Set(rows.lazy.filter { $0.theirs != nil }.map(\.name))
        for name in replaced { try settle(name) }
        guard isMerge else {
            if KeptConflicts.rows(context) != nil { spoken.formUnion(try document.names()) }
            choices.taken = Set(try document.wholes().map(\.place))
            // The document says itself which objects it replaces.
            _ = try noteWholes(document)
            for row in rows { try replace(row) }
            try decidePairs(document)
            return decisions
        }
        decisions.skipped.formUnion(document.dropped)
        for name in document.taken {
            let column = try table(name.table).entity.nameOfDocuments
            refuse(name, column.map { [$0] } ?? [])
        }
        let absent = names.union(gone)
        for row in rows { try leave(absent, row) }
        let wholes = try document.wholes()
        let changed = try changedThere(rows, wholes)
        // What stays is known before it is asked what goes.
        for row in rows where row.theirs != nil {
            if row.isNew {
                if let owner = row.owner, decisions.skipped.contains(owner) {
                    try leaveOut(row, of: owner)
                }
            } else if row.mine == nil {
                try mergeDeleted(row, isChanged: changed.contains(row.name))
            } else {
                try merge(row, document)
            }
        }
        try decideWholes(wholes, Set(rows.lazy.filter(\.isNew).map(\.name)))
        try keepReferences(rows)
        try breakCircles(rows)
        for row in rows where row.theirs == nil {
            if let mine = row.mine, inside.contains(row.name), let base = base(row.name),
                try !table(row.name.table).rows.differ(mine, base)
            {
                // It goes or stays with the one that it is inside of.
                continue
            }
            if row.mine == nil {
                try mergeDeleted(row, isChanged: false)
            } else {
                try merge(row, document)
            }
        }
        takeReleased(wholes)
        try decidePairs(document)
        removed += try noteWholes(document)
        for row in rows { try note(row) }
        if rules[nil] != .listWins {
            for name in try document.clashes(decisions) { refuse(name, []) }
        }
        guard refused.isEmpty else {
            throw SynchronizeError(table: root.table, conflicts: refused)
        }
        return decisions
    }

    /// Whether an object that the document does not have stays.
    func stays(_ object: any PersistentModel) throws -> Bool {
        try context.rowName(of: object).map {
            decisions.staying.contains($0) || unlisted.contains($0)
        } ?? false
    }

    /// Keeps conflicts, and forgets those that are none any more, when the context is saved.
    ///
    /// - Throws: ``StoreError``.
    func keepConflicts() throws {
        if isMerge {
            for table in tables.values { try table.conflicts.enqueue(in: context) { _ in false } }
            return
        }
        for table in Set(spoken.map(\.table)) {
            try KeptConflicts.forget(in: context, table) { spoken.contains(RowName(table, $0)) }
        }
    }

    // MARK: Rows

    /// Leaves out a new object of the document inside of one that was deleted here, which is in conflict for it.
    private func leaveOut(_ row: DocumentRow, of owner: RowName) throws {
        leaveOut([row.name])
        guard let object = row.object, try context.documentKey(of: object) != nil else { return }
        // Another document with it is no news.
        try give(row.theirs, row.name)
        guard disputed.contains(owner) else { return }
        disputed.insert(row.name)
        if try table(row.name.table).rules[nil] == .keep { try note([nil], row) }
    }

    /// Leaves out new objects of the document.
    func leaveOut(_ names: [RowName]) {
        decisions.skipped.formUnion(names)
        unknown.formUnion(names)
    }

    func table(_ name: String) throws -> Table {
        if let known = tables[name] { return known }
        let schema = context.container.schema
        guard let entity = schema.entity(ofTable: name) else {
            throw StoreError(
                .invalidSchema,
                table: name,
                explanation: "the container was made without its model"
            )
        }
        let rules = name == root.table ? rules : ConflictRules(row: rules.row, columns: [:])
        var others = entity.orderColumns
        if let mark = entity.markColumn { others.insert(mark) }
        let holders = try context.holders(of: entity)
        let table = Table(
            entity: entity,
            rules: rules,
            rows: RowMerge(entity, rules, besides: others, in: holders),
            conflicts: KeptConflicts.Changes(table: name)
        )
        tables[name] = table
        return table
    }

    func base(_ name: RowName) -> RowImage? { known[name]?.values.map { RowImage($0) } }

    /// The rows of the class that were deleted here, and that the document does not have either.
    private func deletedOnBothSides(besides others: [Object]) throws -> [RowName] {
        let live = Set(try others.compactMap { try context.rowName(of: $0) })
        return try (known.rows[root.table] ?? [:]).compactMap { key, base in
            let name = RowName(root.table, key)
            guard let values = base.values, !spoken.contains(name), !live.contains(name),
                try context.isRow(values, of: Object.self)
            else { return nil }
            return name
        }
    }

    /// The rows of the class that were made here, are gone here again, and are not in the document either; none of a
    /// class below another one, since nobody knows the class of such a row.
    private func comeAndGone() throws -> [RowName] {
        let made = (known.rows[root.table] ?? [:]).filter { key, base in
            base.values == nil && !spoken.contains(RowName(root.table, key))
        }
        if made.isEmpty || Object.modelSuperclass != nil { return [] }
        return try context.withReadConnection { connection in
            try BaseUpdate.missing(Set(made.keys), root, on: connection)
                .map { RowName(root.table, $0) }
        }
    }

    /// Notes that a row is on neither side.
    private func settle(_ name: RowName) throws {
        _ = try table(name.table)
        ended.insert(name)
        bases.give(nil, name)
        tables[name.table]?.conflicts.note(name.key.values, open: [])
    }

    /// Notes that a row is what the document says, or where it does not have it, that it is in no list of it.
    private func replace(_ row: DocumentRow) throws {
        guard let theirs = row.theirs else { return bases.delete([row.name]) }
        if known[row.name] == nil { return }
        if row.isGiven {
            bases.settle(row.name, row.mine)
        } else {
            try give(theirs, row.name)
        }
    }
}

extension EntityBinding {
    /// The name of the column by which documents name the objects of a class; nil for none.
    fileprivate var nameOfDocuments: String? {
        guard let type = type as? any PersistentModel.Type else { return nil }
        return ModelContext.nameInDocuments(of: type)
    }
}
