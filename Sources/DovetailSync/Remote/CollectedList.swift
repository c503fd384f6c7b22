import DovetailContext
import DovetailModel
import DovetailStore

/// The values of a list that comes in pages, until it is complete: in memory while they are few, and in a
/// stage of the store after that.
///
/// Invariant of the unchecked `Sendable`: it belongs to one run, which waits for each call before the next.
final class CollectedList<Value: Model & Identifiable>: @unchecked Sendable {
    /// What a key that comes again means.
    enum Repetition {
        /// The same value, which counts once.
        case same
        /// A newer value, which replaces the one before.
        case newer
    }

    let entity: EntityBinding
    private let store: any DataStore
    private let repetition: Repetition
    /// How many values are in memory at most.
    private let mostInMemory: Int
    /// The values in memory; nil for those that were deleted again.
    private var kept: [Value?] = []
    /// Where they are, of those that may be replaced.
    private var places: [RowKey: Int] = [:]
    private var stage: (any StoreConnection)?
    private var canBeStaged: Bool

    /// - Parameter mayBeStaged: Whether the run can merge parts of the list.
    init(
        _ entity: EntityBinding,
        in store: any DataStore,
        _ repetition: Repetition,
        mayBeStaged: Bool,
        mostInMemory: Int
    ) {
        self.entity = entity
        self.store = store
        self.repetition = repetition
        self.mostInMemory = mostInMemory
        // Keys that the database gives, and values that a model's own code makes of what is read, are others
        // after they were in a table.
        canBeStaged =
            mayBeStaged && entity.identifierColumn != nil && entity.generatedColumn == nil
            && !(Value.self is any ModelLifecycle.Type)
    }

    /// Whether values are in a stage.
    var isStaged: Bool { stage != nil }

    /// Whether so many more have to be written, for which a caller takes another thread.
    func blocks(adding count: Int) -> Bool {
        isStaged || (canBeStaged && kept.count + count > mostInMemory)
    }

    /// Adds values, and takes out what was deleted.
    ///
    /// - Throws: ``SynchronizeError`` for one that was there already and is not equal, where these count
    ///   once, as far as it is seen here; ``StoreError``, and ``ModelEncodingError``.
    func add(_ values: [Value], deleted: [RowKey] = []) throws {
        if blocks(adding: values.count), stage == nil {
            stage = try store.makeStage(of: entity)
            canBeStaged = stage != nil
            if stage != nil {
                let before = kept.compactMap { $0 }
                (kept, places) = ([], [:])
                try put(before, deleted: [])
            }
        }
        guard stage == nil else { return try put(values, deleted: deleted) }
        guard repetition == .newer else {
            kept += values.lazy.map { $0 }
            return
        }
        try KeySink.forEachKey(of: values, entity) { place, key in
            if let key, let known = places[key] {
                kept[known] = values[place]
            } else {
                if let key { places[key] = kept.count }
                kept.append(values[place])
            }
        }
        for key in deleted {
            if let place = places.removeValue(forKey: key) { kept[place] = nil }
        }
    }

    /// Writes values into the stage.
    private func put(_ values: [Value], deleted: [RowKey]) throws {
        guard let stage else { return }
        try stage.transaction(keeping: true) {
            var commit = Commit()
            switch repetition {
            case .newer:
                try ValueBatch(.upsert, values).apply(to: stage, of: entity, &commit)
            case .same:
                let comparison = try ListComparison(values, entity)
                for part in entity.parts(of: comparison.missingKeys) {
                    let cursor = try stage.rows(of: Query(entity, filter: entity.filter(of: part)))
                    defer { cursor.close() }
                    try comparison.compare(with: cursor)
                }
                let differing = comparison.updated.compactMap(\.position)
                guard differing.isEmpty else {
                    throw SynchronizeError(table: entity.table, positions: differing)
                }
                let new = comparison.inserted.map { values[$0] }
                try ValueBatch(.insert, new).apply(to: stage, of: entity, &commit)
            }
            let deletions = deleted.map { RowChange(deleting: $0.values) }
            try RowBatch(Value.self, .delete, deletions).apply(to: stage, of: entity, &commit)
        }
    }

    /// The values in memory.
    var values: [Value] { kept.compactMap { $0 } }

    /// Those of some keys that the stage has.
    ///
    /// - Throws: ``StoreError``.
    func staged(_ keys: [RowKey]) throws -> Set<RowKey> {
        var found: Set<RowKey> = []
        guard let stage else { return found }
        for part in entity.parts(of: keys) {
            let cursor = try stage.rows(of: Query(entity, filter: entity.filter(of: part)))
            defer { cursor.close() }
            while try cursor.next() { found.insert(try RowKey(row: cursor, entity: entity)) }
        }
        return found
    }

    /// The values of the stage that hold some values in some columns.
    ///
    /// - Throws: ``StoreError``, and ``ModelDecodingError``.
    func stagedValues(_ wanted: [[QueryValue]], in columns: [Int]) throws -> [Value] {
        var values: [Value] = []
        guard let stage, !wanted.isEmpty else { return values }
        for part in columns.count > 1 ? wanted.map({ [$0] }) : [wanted] {
            let filter = entity.filter(of: part, in: columns)
            let cursor = try stage.rows(of: Query(entity, filter: filter))
            defer { cursor.close() }
            try read(cursor, into: &values)
        }
        return values
    }

    private func read(_ cursor: any RowCursor, into values: inout [Value]) throws {
        try ModelReader.readRows(
            of: Value.self,
            from: cursor,
            fields: entity.fields,
            into: &values
        ) { try cursor.next() }
    }

    /// Values of the stage in the order of their keys.
    ///
    /// - Parameter last: The key before the first one; nil to begin.
    /// - Throws: ``StoreError``, and ``ModelDecodingError``.
    func staged(after last: QueryValue?, limit: Int) throws -> [Value] {
        guard let stage else { return [] }
        // The order is said: a table without whole numbers as keys has another one of its own.
        let order = [QueryOrder(column: entity.keyColumns[0])]
        var query = Query(entity, order: order, limit: limit)
        if let last {
            let key = QueryExpression.attribute(entity.keyColumns[0], isOptional: false)
            query.filter = .comparison(.greater, key, .value(last))
        }
        let cursor = try stage.rows(of: query)
        defer { cursor.close() }
        var values: [Value] = []
        try read(cursor, into: &values)
        return values
    }
}
