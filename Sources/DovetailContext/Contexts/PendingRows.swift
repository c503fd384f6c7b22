import DovetailModel
import DovetailStore
import Foundation

/// What waits to be saved of one entity, as rows by their keys: what a fetch puts over the rows of
/// the store.
///
/// A ``ModelContext`` makes one when it fetches and adds to it what has come since.
struct PendingRows {
    let entity: EntityBinding
    /// The row of each key that waits; nil for a deleted one.
    private(set) var rows: [RowKey: RowImage?] = [:]
    /// How many of them are no deletions.
    private var present = 0
    /// The keys in the order in which they came, for rows that no order tells apart. A key that was
    /// deleted and inserted again keeps its place.
    private var keys: [RowKey] = []
    /// Those of them of which nothing waits any more.
    private var forgotten: Set<RowKey> = []
    /// How many rows wait whose key the database will give.
    private var keyless: Int64 = 0
    /// The columns of the unique groups, and for each the keys of the rows by their values there.
    /// Rows that could not be saved together may have the same.
    private let groups: [[Int]]
    private var members: [[[QueryValue]: [RowKey]]]
    /// Finds them by what they refer to.
    private let index = PendingIndex()
    /// The keys with which a row may be stored: all but those of what is only inserted.
    private var maybeStored: Set<RowKey> = []
    /// What waits of other tables, for filters that ask them.
    var others: [ObjectIdentifier: PendingRows] = [:]

    /// Whether no stored row changes, or goes, with what waits here.
    var isNew: Bool { maybeStored.isEmpty }

    init(_ entity: EntityBinding) {
        self.entity = entity
        groups = entity.description.indexes.filter(\.isUnique).map(\.columns)
        members = groups.map { _ in [:] }
    }

    /// Adds one row.
    ///
    /// - Throws: ``StoreError`` for an insert of a key that was inserted before and an update of one
    ///   that was deleted, which could not be saved, and ``ModelDecodingError``.
    mutating func add(_ row: RowImage, _ verb: WriteVerb) throws {
        let key = try key(of: row, verb)
        let known = rows[key]
        if verb != .insert { maybeStored.insert(key) }
        switch verb {
        case .insert:
            if let known, known != nil { throw PendingRows.exists(entity) }
        case .update:
            if let known, known == nil { throw PendingRows.missing(entity) }
        case .upsert: break
        case .delete: return try replace(key, nil)
        }
        try replace(key, row)
    }

    /// Puts the row of an object, or nil for one that is deleted, in the place of what it was.
    ///
    /// - Parameter isNew: Whether no row has the key.
    mutating func put(_ row: RowImage?, _ key: RowKey, isNew: Bool = false) {
        if !isNew { maybeStored.insert(key) }
        do {
            try replace(key, row)
        } catch {
            // A row that a model wrote can be read: its columns hold what their kinds say.
            rows[key] = row
        }
    }

    /// Forgets what waits with a key: the row is as it is stored.
    mutating func forget(_ key: RowKey) {
        guard rows[key] != nil else { return }
        put(nil, key)
        rows[key] = nil
        maybeStored.remove(key)
        forgotten.insert(key)
    }

    /// Puts a row, or nil, in the place of what waits with the key.
    private mutating func replace(_ key: RowKey, _ row: RowImage?) throws {
        let old = rows.updateValue(row, forKey: key)
        present += (row == nil ? 0 : 1) - ((old ?? nil) == nil ? 0 : 1)
        if old == nil, forgotten.remove(key) == nil { keys.append(key) }
        if !index.isEmpty { try index.replace(old ?? nil, by: row, key, entity) }
        for (group, columns) in groups.enumerated() {
            if let old, let old, let values = try values(of: columns, in: old) {
                members[group][values]?.removeAll { $0 == key }
            }
            if let row, let values = try values(of: columns, in: row) {
                members[group][values, default: []].append(key)
            }
        }
    }

    /// The values of a unique group; nil where one is NULL, which many rows may have.
    private func values(of columns: [Int], in row: RowImage) throws -> [QueryValue]? {
        let values = try entity.values(of: row, in: columns)
        return values.contains(.null) ? nil : values
    }

    /// The key of a row. One that the database will give stands for no other row until then: it
    /// has a second value, which no stored key has.
    private mutating func key(of row: RowImage, _ verb: WriteVerb) throws -> RowKey {
        guard let column = entity.generatedColumn, verb.adds, row.isNull(column) else {
            return try RowKey(row: row, entity: entity)
        }
        keyless += 1
        return RowKey([.null, .integer(keyless)])
    }

    /// The waiting rows that a filter takes, in the order in which they came.
    ///
    /// - Complexity: linear in what is found for a filter that says what the key, a unique group, a column, or one of
    ///   the row that it refers to is, the first two times for each of these and otherwise in the rows.
    func taken(
        by filter: QueryExpression?,
        on connection: any StoreQuerying
    ) throws -> [RowImage] {
        try taken(by: filter, WaitingRelations(others, connection))
    }

    /// The same, with the rows of other tables.
    func taken(by filter: QueryExpression?, _ others: WaitingRelations) throws -> [RowImage] {
        if present == 0 { return [] }
        let candidates = try candidates(for: filter, others)
        return try candidates.lazy.compactMap { rows[$0] ?? nil }.filter {
            try QueryEvaluator(entity, row: $0, others: others).isTaken(by: filter)
        }
    }

    /// Counts the rows of a query, those of the store with it.
    ///
    /// Where few rows wait, the store counts all but theirs. Otherwise its rows are gone over, so
    /// that no statement is too long.
    func count(of query: Query, on connection: any StoreQuerying) throws -> Int {
        guard rows.count <= 100, entity.keyColumns.count == 1 else {
            let cursor = try MergedCursor.rows(of: query, self, streams: true, on: connection)
            defer { cursor.close() }
            var count = 0
            while try cursor.next() { count += 1 }
            return count
        }
        let key = QueryExpression.attribute(entity.keyColumns[0], isOptional: false)
        let waiting = QueryList(rows.keys.map { $0.values[0] })
        let others = QueryExpression.not(.isIn(key, waiting))
        let filter = query.filter.map { .and($0, others) } ?? others
        let stored = try connection.count(of: Query(query.entity, filter: filter))
        let all = try stored + taken(by: query.filter, on: connection).count
        return min(max(0, all - query.offset), query.limit ?? .max)
    }

    /// The keys of the rows that a filter may take: few where it says what the key, a unique group or a column has to
    /// be, otherwise all.
    private func candidates(
        for filter: QueryExpression?,
        _ others: WaitingRelations
    ) throws -> [RowKey] {
        guard let filter else { return keys }
        // Rows whose key the database gives have another key meanwhile.
        if entity.keyColumns.count == 1, let list = filter.list(of: entity.keyColumns[0]),
            !list.contains(.null)
        {
            let wanted = Set(list.lazy.map { RowKey([$0]) })
            return index.sort(wanted.filter { rows[$0] != nil }, by: keys)
        }
        let found = filter.equalities.filter { column, value in
            value.fits(entity.attributes[column].columnType)
        }
        let values = entity.keyColumns.compactMap { found[$0] }
        if values.count == entity.keyColumns.count, !values.contains(.null) {
            return [RowKey(values)]
        }
        for (group, columns) in groups.enumerated() {
            let values = columns.compactMap { found[$0] }
            if values.count == columns.count, !values.contains(.null) {
                return members[group][values] ?? []
            }
        }
        for column in entity.referenceSet where found[column] == nil {
            guard let list = filter.list(of: column), !list.contains(.null) else { continue }
            return try index.sort(index.keys(in: column, list, rows, entity), by: keys)
        }
        if let (column, keys) = try others.references(wantedBy: filter, entity.referenceSet) {
            return try index.sort(index.keys(in: column, keys, rows, entity), by: self.keys)
        }
        let asked = found.keys.filter { found[$0] != .null && index.isAskedAgain(for: $0) }
        let fewest = try asked.map { column in
            try index.keys(in: column, found[column].map { [$0] } ?? [], rows, entity)
        }
        .min { $0.count < $1.count }
        if let fewest { return index.sort(fewest, by: keys) }
        return keys
    }

    static func exists(_ entity: EntityBinding) -> StoreError {
        StoreError(
            .uniqueViolation,
            table: entity.table,
            column: entity.keyColumns.map { entity.attributes[$0].name }.joined(separator: ", "),
            explanation: "a row with this key exists already"
        )
    }

    static func missing(_ entity: EntityBinding) -> StoreError {
        StoreError(
            .notFound,
            table: entity.table,
            explanation: "there is no row with this key to update"
        )
    }
}
