import DovetailContext
import DovetailModel
import DovetailStore

/// A list of values, compared with the rows of their entity: what has to happen to make these equal.
///
/// The initializer indexes the list by keys, and ``compare(with:isInScope:)`` goes over stored rows. A
/// value is named by its position in ``values``. Invariant of the unchecked exclusivity: it belongs to one
/// call, and none of its functions is called while another one changes it.
final class ListComparison<Value: Model & Identifiable> {
    let values: [Value]
    let entity: EntityBinding
    @exclusivity(unchecked) private var places: KeyIndex
    /// By position, whether the value needs no insert: a row has its key, or it repeats a value.
    @exclusivity(unchecked) private var isStored: [Bool]

    /// A row that is there and has to be written.
    struct Difference {
        /// The position of its value; nil where there is none.
        var position: Int?
        let key: RowKey
        /// The columns that differ.
        var columns: ColumnSet = []
        /// The digest of the row.
        let digest: UInt64
        var isInScope = true
    }

    /// The rows that differ from their values.
    private(set) var updated: [Difference] = []
    /// The rows without a value.
    private(set) var deleted: [Difference] = []
    /// The identifiers of these, in the same order.
    private(set) var deletedIdentifiers: [Value.ID] = []
    @exclusivity(unchecked) private(set) var unchanged = 0
    /// How many rows the scope has.
    @exclusivity(unchecked) var storedCount = 0
    /// Of a list of changes, where it begins and ends.
    let tokens: SynchronizePlan.Tokens?
    /// Whether rows are deleted because the list says so, and not because it does not have them.
    private let namesDeletions: Bool
    /// The rows without a value that stay.
    private let kept: Set<RowKey>
    /// The places of values that are not stored.
    private let skipped: Set<Int>
    /// Whether it is a list of all rows of the table.
    var isWhole = false

    /// Takes the list and finds the key of each value. Equal values with one key count once.
    ///
    /// Keys are written by the model into a ``KeySink``, so they have the form that columns have.
    /// Only values that repeat a key are compared as whole rows.
    ///
    /// - Parameters:
    ///   - kept: The rows that stay what they are, without a value.
    ///   - skipped: The places of values that are not stored.
    /// - Throws: ``SynchronizeError``, and ``ModelEncodingError``.
    init(
        _ values: [Value],
        _ entity: EntityBinding,
        tokens: SynchronizePlan.Tokens? = nil,
        namingDeletions namesDeletions: Bool = false,
        keeping kept: Set<RowKey> = [],
        skipping skipped: Set<Int> = []
    ) throws {
        self.kept = kept
        self.skipped = skipped
        self.tokens = tokens
        self.namesDeletions = namesDeletions
        self.values = values
        self.entity = entity
        isStored = Array(repeating: false, count: values.count)
        places = KeyIndex(reserving: values.count)
        var repeated: [(first: Int, second: Int)] = []
        try KeySink.forEachKey(of: values, entity) { place, key in
            if !skipped.isEmpty, skipped.contains(place) {
                isStored[place] = true
                return
            }
            // A value whose key the database will give is a new one.
            if let key, let first = places.add(key, at: place) { repeated.append((first, place)) }
        }
        for (first, second) in repeated {
            guard try row(first).values == row(second).values else {
                throw SynchronizeError(table: entity.table, positions: [first, second])
            }
            isStored[second] = true
        }
    }

    /// The positions of values whose key no row has.
    ///
    /// - Complexity: linear in the number of values, at each call.
    var inserted: [Int] { values.indices.filter { !isStored[$0] } }

    /// The values whose rows differ.
    var updatedValues: [Value] { updated.compactMap(\.position).map { values[$0] } }

    /// The keys of values that no row had yet.
    ///
    /// - Complexity: linear in the number of values, at each call.
    var missingKeys: [RowKey] {
        places.keys { !isStored[$0] }
    }

    /// Whether a value has a key.
    func contains(_ key: RowKey) -> Bool { places.place(of: key) != nil }

    /// The places of values that have one of some keys.
    func places(of keys: [RowKey]) -> [Int] {
        keys.compactMap { places.place(of: $0) }.sorted()
    }

    /// All columns of the value at a position.
    ///
    /// - Throws: ``ModelEncodingError``.
    private func row(_ position: Int) throws -> ValueSink {
        let sink = ValueSink(columns: entity.attributes.count)
        try ModelWriter.writeRows(
            CollectionOfOne(values[position]),
            to: sink,
            attributes: entity.attributes
        ) { _ in }
        return sink
    }

    /// Goes over stored rows and finds what differs.
    ///
    /// No value is made of a row: its key is looked up, and the value that has it is written
    /// against the columns.
    ///
    /// - Parameter isInScope: Whether the rows are in the scope of the list.
    /// - Throws: ``StoreError``, ``ModelEncodingError``, and ``ModelDecodingError`` for a key that
    ///   cannot be read.
    func compare(with cursor: any RowCursor, isInScope: Bool = true) throws {
        let comparison = RowComparison(cursor)
        let identifiers = RowIdentifiers<Value>(entity)
        var (current, currentKey) = (0, RowKey([]))
        // One run of the writer for all rows: the sequence moves the cursor.
        let matches = Matches { [self] in
            while try cursor.next() {
                if isInScope { storedCount += 1 }
                let key = try RowKey(row: cursor, entity: entity)
                guard let position = places.place(of: key) else {
                    if !kept.isEmpty, kept.contains(key) {
                        unchanged += 1
                        continue
                    }
                    deletedIdentifiers.append(try identifiers.identifier(of: cursor))
                    let digest = RowDigest(cursor, of: entity).value
                    deleted.append(Difference(key: key, digest: digest))
                    continue
                }
                isStored[position] = true
                comparison.reset()
                (current, currentKey) = (position, key)
                return values[position]
            }
            return nil
        }
        try ModelWriter.writeRows(matches, to: comparison, attributes: entity.attributes) { _ in
            if comparison.differing.isEmpty {
                unchanged += 1
                return
            }
            updated.append(
                Difference(
                    position: current,
                    key: currentKey,
                    columns: comparison.differing,
                    digest: RowDigest(cursor, of: entity).value,
                    isInScope: isInScope
                )
            )
        }
        if let error = matches.error { throw error }
    }

    /// Sees that the values without a row can be stored; the others were written when they were compared.
    ///
    /// - Throws: ``ModelEncodingError`` for a value that has no form in a column.
    func requireColumnsOfInserted() throws {
        try ModelWriter.writeRows(
            inserted.lazy.map { self.values[$0] },
            to: ValueSink(columns: 0),
            attributes: entity.attributes
        ) { _ in }
    }

    /// What deletions are checked against.
    ///
    /// - Complexity: linear in the number of values.
    /// - Throws: ``ModelEncodingError``.
    func list(for reach: DeletionReach) throws -> DeletionReach.List {
        DeletionReach.List(
            entity: entity,
            deleted: deleted.map(\.key),
            isWhole: isWhole && kept.isEmpty,
            targets: try reach.targets(of: values, entity),
            skipped: skipped,
            listed: { Set($0.lazy.filter(self.contains)) }
        )
    }

    /// What has to happen, by identifiers.
    var changes: EntityChanges<Value.ID> {
        EntityChanges(
            inserted: inserted.map { values[$0].id },
            updated: updated.compactMap(\.position).map { values[$0].id },
            deleted: deletedIdentifiers,
            unchanged: unchanged
        )
    }

    /// What has to happen, as a plan.
    ///
    /// - Complexity: linear in the number of values, and in the size of those that are written.
    /// - Throws: ``ModelEncodingError`` for a value that has no form in a column.
    func plan() throws -> SynchronizePlan {
        SynchronizePlan(
            table: entity.table,
            inserted: try inserted.map { position in
                let row = RowImage(try row(position).values)
                let key = try entity.key(of: row)
                return SynchronizePlan.Row(
                    key: key,
                    reason: key.contains(.null) ? .withoutKey : .notStored,
                    columns: [],
                    before: nil,
                    after: RowDigest(row, of: entity).value
                )
            },
            updated: try updated.map { difference in
                let after = try difference.position.map {
                    RowDigest(RowImage(try row($0).values), of: entity).value
                }
                return SynchronizePlan.Row(
                    key: difference.key.values,
                    reason: difference.isInScope ? .differs : .comesIn,
                    columns: difference.columns.map { entity.attributes[$0].name },
                    before: difference.digest,
                    after: after
                )
            }
            .inOrderOfKeys(),
            deleted: deleted.map {
                SynchronizePlan.Row(
                    key: $0.key.values,
                    reason: namesDeletions ? .deletedThere : .notGiven,
                    columns: [],
                    before: $0.digest,
                    after: nil
                )
            }
            .inOrderOfKeys(),
            kept: unchanged,
            stored: storedCount,
            tokens: tokens,
            isWhole: isWhole
        )
    }

    /// What part of the rows of the scope is deleted, from 0 to 1.
    var deletedShare: Double { SynchronizePlan.share(deleted.count, of: storedCount) }

    /// The rows that are written, as they are now.
    var expected: ExpectedRows {
        var expected = ExpectedRows(entity)
        for row in deleted { expected.expect(row.key, row.digest) }
        for row in updated { expected.expect(row.key, row.digest) }
        return expected
    }
}

/// The values that belong to rows, one after the other; an error ends them.
private final class Matches<Value>: Sequence, IteratorProtocol {
    private(set) var error: (any Error)?
    private let advance: () throws -> Value?

    init(_ advance: @escaping () throws -> Value?) {
        self.advance = advance
    }

    func next() -> Value? {
        do {
            return try advance()
        } catch {
            self.error = error
            return nil
        }
    }
}
