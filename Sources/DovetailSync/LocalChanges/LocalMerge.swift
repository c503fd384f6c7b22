import DovetailContext
import DovetailModel
import DovetailStore

/// Puts what was changed here into a list, before that is compared with what is stored.
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

    /// What the other side says about a row that it does not have.
    enum Absence {
        /// Nothing: it is as it was.
        case unchanged
        /// It has deleted those of some rows that were in the scope.
        case deleted(_ scope: SynchronizeScope<Value>)
    }

    private let context: ModelContext
    private let entity: EntityBinding
    private let rules: ConflictRules
    private let rows: RowMerge
    let bases: BaseUpdate
    /// All conflicts of the list that the rules refuse.
    private var refused: [RowConflict] = []
    private var kept: KeptConflicts.Changes

    /// - Throws: ``StoreError``, of kind `historyDisabled` where the store does not know what was changed, and
    ///   `invalidSchema` where conflicts are to be kept and cannot be; ``QueryError``.
    init(
        _ context: ModelContext,
        _ entity: EntityBinding,
        _ policy: LocalChangePolicy<Value>
    ) throws {
        bases = try BaseUpdate.required(context, entity)
        guard !context.hasChanges(of: Value.self) else {
            throw StoreError(
                .unsupported,
                table: entity.table,
                explanation: "changes that wait cannot be merged with a list; save them before"
            )
        }
        self.context = context
        self.entity = entity
        rules = try policy.rules(QueryTranslator(entity, in: context.container.schema))
        rows = RowMerge(entity, rules)
        kept = KeptConflicts.Changes(table: entity.table)
        if rules.keeps { try KeptConflicts.require(context, entity.table) }
    }

    /// Merges a list.
    ///
    /// - Parameters:
    ///   - values: The list, all inside of its scope.
    ///   - gone: The keys that the list says were deleted.
    ///   - absence: What it says about others.
    /// - Complexity: linear in the number of values and of rows that were changed here, with a look into the
    ///   index of the key for each of these.
    func merge(_ values: [Value], gone: [RowKey], _ absence: Absence) throws -> Merged {
        var merged = Merged(values: values)
        if bases.known.isEmpty { return merged }
        var places: [RowKey: [Int]] = [:]
        try KeySink.forEachKey(of: values, entity) { place, key in
            if let key, bases.known[key] != nil { places[key, default: []].append(place) }
        }
        let gone = Set(gone.filter { bases.known[$0] != nil })
        let both = gone.compactMap { places[$0]?.first }.sorted()
        guard both.isEmpty else {
            throw SynchronizeError(table: entity.table, positions: both, reason: .alsoDeleted)
        }
        let absent = bases.known.keys.filter { places[$0] == nil && !gone.contains($0) }
        let deleted = try deletedThere(absent, absence)
        // Whatever a list does not speak of stays.
        merged.kept = Set(absent).subtracting(deleted)
        let keys = Array(places.keys) + Array(gone) + deleted
        let mine = try stored(keys)
        for key in keys.sorted(by: { $0.order(relativeTo: $1) < 0 }) {
            let (places, mine) = (places[key] ?? [], mine[key])
            let theirs = try row(of: values, at: places)
            let base = bases.known[key]?.values.map { RowImage($0) }
            let (outcome, conflicts) = try rows.merge(base: base, mine: mine, theirs: theirs)
            try note(conflicts, key, base, mine, theirs)
            if let mine { merged.digests[key] = RowDigest(mine, of: entity).value }
            switch outcome {
            case .theirs:
                bases.settle(key)
                if theirs == nil, mine != nil { merged.deleted.append(key) }
                continue
            case .mine:
                merged.skipped.formUnion(places)
                merged.kept.insert(key)
            case .both(let row):
                let value: Value = try entity.value(of: row)
                for place in places { merged.values[place] = value }
            }
            bases.keep(BaseRow(key: key.values, values: try theirs.map(entity.values)))
        }
        guard refused.isEmpty else {
            throw SynchronizeError(table: entity.table, conflicts: refused)
        }
        return merged
    }

    /// Keeps the conflicts, and forgets those that are none any more, when the context is saved.
    func keepConflicts() throws { try kept.enqueue(in: context) }

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
    private func deletedThere(_ keys: [RowKey], _ absence: Absence) throws -> [RowKey] {
        guard case .deleted(let scope) = absence else { return [] }
        var (known, values): ([RowKey], [Value]) = ([], [])
        for key in keys where try scope.mayContain(key) {
            // What was not there before is new here; what is no value of the model was nobody's.
            guard let base = bases.known[key]?.values.map({ RowImage($0) }),
                let value = try? entity.value(of: base) as Value
            else { continue }
            known.append(key)
            values.append(value)
        }
        let places = Set(try scope.places(outside: values, entity))
        return known.indices.filter { !places.contains($0) }.map { known[$0] }
    }

    /// The rows with some keys, as they are here. What cannot be read is none, and is replaced.
    private func stored(_ keys: [RowKey]) throws -> [RowKey: RowImage] {
        var rows: [RowKey: RowImage] = [:]
        try context.withRows(of: entity.type, keys: keys) { cursor in
            while try cursor.next() {
                guard let values = try? entity.values(of: cursor) else { continue }
                rows[try RowKey(row: cursor, entity: entity)] = RowImage(values)
            }
        }
        return rows
    }

    /// Notes what is in conflict.
    private func note(
        _ conflicts: RowMerge.Conflicts,
        _ key: RowKey,
        _ base: RowImage?,
        _ mine: RowImage?,
        _ theirs: RowImage?
    ) throws {
        let errors = conflicts.filter { rules[$0] == .error }
        if !errors.isEmpty {
            let names = errors.compactMap { $0.map { entity.attributes[$0].name } }
            refused.append(RowConflict(key: key.values, attributes: names))
        }
        for column in conflicts where rules[column] == .keep {
            func part(_ row: RowImage?) throws -> [String: QueryValue]? {
                guard let row else { return nil }
                let columns = column.map { [$0] } ?? Array(entity.attributes.indices)
                return try Dictionary(
                    columns.map {
                        (entity.attributes[$0].name, try QueryValue(row, $0, entity.attributes[$0]))
                    },
                    uniquingKeysWith: { first, _ in first }
                )
            }
            kept.add(
                KeptConflict(
                    table: entity.table,
                    key: key.values,
                    attribute: column.map { entity.attributes[$0].name },
                    base: try part(base),
                    remote: try part(theirs)
                )
            )
        }
        // What is still another value there stays in conflict.
        var open: Set<String?> = []
        if let mine, let theirs {
            for column in mine.columns(of: entity.valueSet, differingFrom: theirs) {
                open.insert(entity.attributes[column].name)
            }
        } else if (mine == nil) != (theirs == nil) {
            open.insert(nil)
        }
        kept.note(key.values, open: open)
    }
}
