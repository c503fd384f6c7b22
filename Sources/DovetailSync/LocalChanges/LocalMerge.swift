import DovetailContext
import DovetailModel
import DovetailStore

/// What a list makes of changes that were made here: they are put into it before it is compared with what is
/// stored, or replaced by it.
///
/// Rows that stay what they are here are left out of the comparison, so no value is made of them; those that
/// get attributes of both sides are compared as if the list had them so.
///
/// Invariant of the unchecked exclusivity: it belongs to one call of `synchronize`.
final class LocalMerge<Value: Model & Identifiable> {
    /// A list as the store shall be.
    struct Merged {
        var values: [Value]
        /// The places of values that are not stored.
        var skipped: Set<Int> = []
        /// The rows that stay what they are here.
        var kept: Set<RowKey> = []
        /// The rows that are deleted wherever they are.
        var deleted: [RowKey] = []
        /// The rows that the list does not speak of, and which get a value behind those of the list.
        var beside: [RowKey] = []
        /// The digests of the rows that the values were made with.
        var digests: [RowKey: UInt64] = [:]

        /// Sees that the rows which are written are those that were merged.
        ///
        /// - Throws: ``StoreError`` of kind `planOutdated`.
        func check(_ comparison: ListComparison<Value>) throws {
            if digests.isEmpty { return }
            let others = (comparison.updated + comparison.deleted).filter {
                digests[$0.key].map { [digest = $0.digest] in $0 != digest } ?? false
            }
            guard others.isEmpty else {
                throw BaseUpdate.outdated(others.map(\.key), comparison.entity.table)
            }
        }
    }

    let context: ModelContext
    let entity: EntityBinding
    let rules: ConflictRules
    private let rows: RowMerge
    /// Whether columns hold documents, which are compared as they are written.
    private let hasDocuments: Bool
    /// Nil where the store does not know what was changed, and nobody asks.
    let bases: BaseUpdate?
    let isMerge: Bool
    /// The known rows in the order of their keys.
    private var known: [RowKey]
    /// All conflicts of the list that the rules refuse.
    private(set) var refused: [RowConflict] = []
    var conflicts: KeptConflicts.Changes
    /// What becomes of unique values that both sides have given to rows; nil before the list was looked at.
    var rivals: Rivals?
    /// What ``stayingDeleted(_:)`` gives for all parts of a list; nil for one without parts.
    var stayingOfAll: Set<RowKey>?
    /// Whether the list comes in parts, of which each says something of the rows between its keys.
    private var isParted: Bool { bases?.isParted ?? false }

    /// - Parameter isWhole: Whether the list is one of all rows.
    /// - Throws: ``StoreError``, of kind `historyDisabled` where changes are to be merged and the store does not
    ///   know what was changed, and `invalidSchema` where conflicts are to be kept and cannot be;
    ///   ``QueryError``.
    init(
        _ context: ModelContext,
        _ policy: LocalChangePolicy<Value> = .replace,
        isWhole: Bool
    ) throws {
        let entity = try context.entityOfValues(Value.self)
        isMerge = policy.isMerge
        bases =
            policy.isMerge
            ? try BaseUpdate.required(context, entity)
            : try BaseUpdate(context, entity, isWhole: isWhole)
        guard !policy.isMerge || !context.hasChanges(of: Value.self) else {
            throw StoreError(
                .unsupported,
                table: entity.table,
                explanation: "changes that wait cannot be merged with a list; save them before"
            )
        }
        self.context = context
        self.entity = entity
        known = bases?.keys ?? []
        rules = try policy.rules(QueryTranslator(entity, in: context.container.schema))
        rows = RowMerge(entity, rules)
        hasDocuments = entity.attributes.contains { $0.columnType == .document }
        conflicts = KeptConflicts.Changes(table: entity.table)
        if rules.keeps { try KeptConflicts.require(context, entity.table) }
    }

    /// Merges a list, or a part of one; parts come in the order of their keys.
    ///
    /// - Parameters:
    ///   - values: The list, all inside of its scope.
    ///   - gone: The keys that the list says were deleted; nil for those that it does not have.
    /// - Complexity: linear in the number of values and of rows that were changed here, with a look into the
    ///   index of the key for each of these.
    func merge(
        _ values: [Value],
        _ scope: SynchronizeScope<Value>,
        gone: [RowKey]?
    ) throws -> Merged {
        var merged = Merged(values: values)
        if !isMerge { try addWaiting(values, scope, gone) }
        if !values.isEmpty { bases?.begin() }
        guard let bases, !known.isEmpty else { return merged }
        if rivals == nil { try settleRivals(ListedValues(values, entity), scope, gone: gone) }
        let left = rivals?.left ?? []
        var places: [RowKey: [Int]] = [:]
        try KeySink.forEachKey(of: values, entity) { place, key in
            guard let key else { return }
            if left.contains(key) {
                merged.skipped.insert(place)
                merged.kept.insert(key)
            } else if bases.known[key] != nil {
                places[key, default: []].append(place)
            }
        }
        let named = Set((gone ?? []).filter { bases.known[$0] != nil })
        let both = named.compactMap { places[$0]?.first }.sorted()
        guard both.isEmpty else {
            throw SynchronizeError(table: entity.table, positions: both, reason: .alsoDeleted)
        }
        // Those of other parts are looked at with these.
        let absent = try known[scope.range(in: known)].filter {
            places[$0] == nil && !named.contains($0) && !left.contains($0)
        }
        // A plan without a scope names what it deletes, and no more.
        let tellsOfAll = scope.tellsOfAbsentKeys && (gone == nil || scope.tokens != nil)
        try bases.noteAbsent(Array(named) + (tellsOfAll ? absent : []), in: context)
        let deleted = gone == nil ? try deletedThere(absent, scope) : []
        let keys = Array(places.keys) + Array(named) + deleted
        guard isMerge else {
            for key in keys {
                let row = try row(of: values, at: places[key] ?? [])
                bases.give(try row.map(entity.values), key)
            }
            return merged
        }
        // Whatever a list does not speak of stays.
        merged.kept.formUnion(Set(absent).subtracting(deleted))
        let (stored, broken) = try stored(keys)
        var staying: [RowKey: (mine: RowImage, theirs: RowImage?)] = [:]
        for key in keys.sorted(by: { $0.order(relativeTo: $1) < 0 }) {
            let places = places[key] ?? []
            let theirs = try row(of: values, at: places)
            let base = bases.known[key]?.values.map { RowImage($0) }
            // What is no value of the model is no change, and is replaced.
            let mine = broken.contains(key) ? base : stored[key]
            let (outcome, conflicts) = try outcome(key, base, mine, theirs)
            try note(conflicts, key, base, theirs)
            if let row = stored[key] { merged.digests[key] = RowDigest(row, of: entity).value }
            var result = theirs
            switch outcome {
            case .theirs: if theirs == nil { merged.deleted.append(key) }
            case .mine:
                result = mine
                staying[key] = mine.map { ($0, theirs) }
                merged.skipped.formUnion(places)
                merged.kept.insert(key)
            case .both(let row):
                result = row
                staying[key] = (row, theirs)
                let value: Value = try entity.value(of: row)
                for place in places { merged.values[place] = value }
            }
            noteOpen(key, result, theirs)
            bases.give(try theirs.map(entity.values), key)
        }
        try yieldBeside(
            isParted ? absent : known.filter { places[$0] == nil && !left.contains($0) },
            besides: named.union(deleted),
            &merged
        )
        if !scope.isPage, gone == nil {
            try keepOwners(of: staying, places, values, scope, &merged)
        }
        guard refused.isEmpty else {
            throw SynchronizeError(table: entity.table, conflicts: refused)
        }
        return merged
    }

    /// What a row becomes, and what is in conflict.
    ///
    /// - Throws: ``StoreError``.
    func outcome(
        _ key: RowKey,
        _ base: RowImage?,
        _ mine: RowImage?,
        _ theirs: RowImage?
    ) throws -> (outcome: RowMerge.Outcome, conflicts: RowMerge.Conflicts) {
        let (base, mine) = (base.map(inPresentForm), mine.map(inPresentForm))
        var (outcome, conflicts) = try rows.merge(base: base, mine: mine, theirs: theirs)
        if case .both(let row) = outcome, (try? entity.value(of: row) as Value) == nil {
            // The model takes both forms, and not what they become together.
            (outcome, conflicts) = rows.whole
        }
        return (try yielded(key, outcome, mine, theirs), conflicts)
    }

    /// A row as the model writes it now: an embedded model may have got an attribute since it was written, which is no
    /// change of either side. What is no value of the model stays what it is.
    private func inPresentForm(_ row: RowImage) -> RowImage {
        guard hasDocuments, let value = try? entity.value(of: row) as Value,
            let written = try? RowImage(of: value, attributes: entity.attributes)
        else { return row }
        return written
    }

    /// Takes the rows that wait for known ones, as far as a list says something of them: those that it has, and those
    /// that are stored in its scope. Of lists that wait for one save each says something of few.
    private func addWaiting(
        _ values: [Value],
        _ scope: SynchronizeScope<Value>,
        _ gone: [RowKey]?
    ) throws {
        guard let bases, context.hasChanges(of: Value.self) else { return }
        var spoken = gone ?? []
        try KeySink.forEachKey(of: values, entity) { _, key in
            if let key { spoken.append(key) }
        }
        if gone == nil {
            if let filter = try scope.filter(in: context, entity) {
                spoken += try context.withReadConnection {
                    try $0.keys(of: Query(entity, filter: filter)).map { RowKey($0) }
                }
            } else {
                spoken = try context.keysThatWait(of: Value.self)
            }
        }
        let waiting = try context.keysThatWait(of: Value.self, among: spoken)
        if waiting.isEmpty { return }
        try bases.addWaiting(waiting, in: context)
        known = bases.keys
    }

    /// Those of the given rows that were deleted here and stay so, as far as values refer to rows of their own
    /// model.
    ///
    /// - Complexity: as of ``merge(_:_:gone:)``; nothing for other models.
    /// - Throws: ``StoreError``, ``ModelEncodingError``, and ``SynchronizeError`` for two values of one key.
    func stayingDeleted(_ values: [Value]) throws -> Set<RowKey> {
        if let stayingOfAll { return stayingOfAll }
        guard isMerge, let bases, !known.isEmpty, refersToItself else { return [] }
        var places: [RowKey: [Int]] = [:]
        try KeySink.forEachKey(of: values, entity) { place, key in
            if let key, bases.known[key] != nil { places[key, default: []].append(place) }
        }
        let (stored, broken) = try stored(Array(places.keys))
        var deleted: Set<RowKey> = []
        for (key, places) in places where stored[key] == nil && !broken.contains(key) {
            let base = bases.known[key]?.values.map { RowImage($0) }
            let theirs = try row(of: values, at: places)
            let (outcome, _) = try rows.merge(base: base, mine: nil, theirs: theirs)
            if case .mine = outcome { deleted.insert(key) }
        }
        return deleted
    }

    /// The row of equal values of one key; nil without one.
    private func row(of values: [Value], at places: [Int]) throws -> RowImage? {
        var row: RowImage?
        for place in places {
            let other = try RowImage(of: values[place], attributes: entity.attributes)
            let differing = row?.columns(of: entity.valueSet, differingFrom: other) ?? []
            guard differing.isEmpty else {
                throw SynchronizeError(table: entity.table, positions: [places[0], place])
            }
            row = other
        }
        return row
    }

    /// Those of some rows that were in the scope of a list when it was synchronized last, and are not in it.
    func deletedThere(
        _ keys: [RowKey],
        _ scope: SynchronizeScope<Value>
    ) throws -> [RowKey] {
        var (known, values): ([RowKey], [Value]) = ([], [])
        for key in keys {
            // What was not there before is new here; what is no value of the model was nobody's.
            guard let base = bases?.known[key]?.values.map({ RowImage($0) }),
                let value = try? entity.value(of: base) as Value
            else { continue }
            known.append(key)
            values.append(value)
        }
        let places = Set(try scope.places(outside: values, entity))
        return known.indices.filter { !places.contains($0) }.map { known[$0] }
    }

    /// The rows with some keys, as they are here, and the keys of those that are no values of
    /// the model.
    func stored(
        _ keys: [RowKey]
    ) throws -> (rows: [RowKey: RowImage], broken: Set<RowKey>) {
        var rows: [RowKey: RowImage] = [:]
        var broken: Set<RowKey> = []
        try context.withRows(of: entity.type, keys: keys) { cursor in
            while try cursor.next() {
                let key = try RowKey(row: cursor, entity: entity)
                if let values = try? entity.values(of: cursor),
                    (try? entity.value(of: cursor) as Value) != nil
                {
                    rows[key] = RowImage(values)
                } else {
                    broken.insert(key)
                }
            }
        }
        return (rows, broken)
    }

    /// Refuses the list for a row, and the columns that both sides have changed.
    func refuse(_ key: RowKey, _ columns: [Int]) {
        refused.append(
            RowConflict(
                table: entity.table,
                key: key.values,
                attributes: columns.map(entity.comparedName)
            )
        )
    }

    /// Keeps a conflict.
    ///
    /// - Parameter column: The column; nil for a row as a whole.
    /// - Throws: ``ModelDecodingError``.
    func keep(_ key: RowKey, _ column: Int?, _ base: RowImage?, _ theirs: RowImage?) throws {
        conflicts.add(try KeptConflict(key: key, column, base: base, remote: theirs, of: entity))
    }

    /// Notes what is in conflict.
    private func note(
        _ found: RowMerge.Conflicts,
        _ key: RowKey,
        _ base: RowImage?,
        _ theirs: RowImage?
    ) throws {
        if found.contains(where: { rules[$0] == .error }) {
            refuse(key, found.compactMap { $0 })
        }
        for column in found where rules[column] == .keep { try keep(key, column, base, theirs) }
    }

    /// Notes that a row which the list does not have is in conflict, as a whole, and says whether it stays.
    func stays(_ key: RowKey, _ row: RowImage) throws -> Bool {
        try note([nil], key, row, nil)
        if rules[nil] == .listWins { return false }
        bases?.give(nil, key)
        noteOpen(key, row, nil)
        return true
    }

    /// Notes what is still another value there, and can stay in conflict.
    private func noteOpen(
        _ key: RowKey,
        _ row: RowImage?,
        _ theirs: RowImage?
    ) {
        var open: Set<String?> = []
        if let row, let theirs {
            for column in row.columns(of: entity.valueSet, differingFrom: theirs) {
                open.insert(entity.comparedName(of: column))
            }
        } else if (row == nil) != (theirs == nil) {
            open.insert(nil)
        }
        conflicts.note(key.values, open: open, row == nil ? nil : theirs)
    }
}
