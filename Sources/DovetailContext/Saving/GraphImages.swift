import DovetailModel
package import DovetailStore

/// The rows of objects that one save has written, as they were before and after it: what an undo compares and
/// puts back. The rows of join tables are among them, those that rules of deletions have changed, and marked
/// ones.
///
/// It holds both rows of each key, in memory.
package struct GraphImages: Sendable {
    /// Why nothing is kept of a save.
    package enum Refusal: Error {
        /// The program has changed more than what is to be kept.
        case besideOthers
        /// A row does not hold what its columns are made for.
        case unreadable
    }

    typealias Rows = [RowKey: [QueryValue]]

    /// By table.
    var before: [String: Rows] = [:]
    var after: [String: Rows] = [:]

    /// The tables of all rows.
    var tables: Set<String> { Set(before.keys).union(after.keys) }

    /// The keys of the rows of a table.
    ///
    /// - Complexity: linear in their number.
    package func keys(of table: String) -> Set<RowKey> {
        Set((before[table] ?? [:]).keys).union((after[table] ?? [:]).keys)
    }

    /// Forgets the rows that are the same before and after.
    mutating func removeUnchanged() {
        for (table, rows) in before {
            for (key, row) in rows where after[table]?[key] == row {
                before[table]?[key] = nil
                after[table]?[key] = nil
            }
        }
        before = before.filter { !$0.value.isEmpty }
        after = after.filter { !$0.value.isEmpty }
    }
}

extension ModelContext {
    /// Keeps what the next save makes of the objects that wait now.
    ///
    /// - Parameter keep: Takes the rows when they are stored, or why there are none.
    /// - Complexity: linear in what waits; the save reads each row twice.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    package func keepImages(
        _ keep: @escaping (Result<GraphImages, GraphImages.Refusal>) -> Void
    ) throws {
        if hasChanges { registry.recorder = try GraphRecorder(in: self, keep) }
    }

    /// Puts rows back when the context is saved. Its objects show it after that.
    ///
    /// - Complexity: linear in the number of rows, and in that of the objects of the classes that refer to one
    ///   that goes.
    /// - Throws: ``StoreError``, now or by the save: `planOutdated` where somebody has changed one of the rows
    ///   since, has let another row refer to one that goes, or where an object of one waits to be changed or
    ///   deleted here, with the keys of one table; `unsupported` where the container was made without one of
    ///   the models.
    package func putBack(_ images: GraphImages) throws {
        try enter()
        defer { leave() }
        let restoration = try GraphRestoration(images, in: self)
        try withReadConnection { try restoration.check(on: $0) }
        guard let first = restoration.tables.first else { return }
        enqueue(
            RowlessBatch(first.type) { [weak self] connection, _ in
                // Where it is written to be seen and undone, objects would not be those of their rows.
                guard let self, isFlushing else { return }
                try restoration.check(on: connection)
                try restoration.write(to: connection)
            }
        )
    }
}

extension StoreQuerying {
    /// The rows with some keys, also marked ones.
    ///
    /// - Complexity: one query, and for keys of several columns one for each; of a join table one for 500 of
    ///   its owners, whose other pairs are gone over.
    func images(
        of entity: EntityBinding,
        _ keys: Set<RowKey>
    ) throws -> GraphImages.Rows {
        guard entity.type is any JoinModel.Type else {
            return try entity.parts(of: Array(keys)).reduce(into: [:]) { rows, part in
                let filter = entity.filter(of: part)
                rows.merge(try images(of: Query(entity, .included, filter: filter))) { $1 }
            }
        }
        let owners = Set(keys.map { Array($0.values.prefix(1)) })
        return try images(of: entity, Array(owners), in: entity.keyColumns[0], .included)
            .filter { keys.contains($0.key) }
    }

    /// The rows that hold one of some values in a column.
    ///
    /// - Complexity: one query for 500 values.
    func images(
        of entity: EntityBinding,
        _ values: [[QueryValue]],
        in column: Int,
        _ deleted: DeletedValues
    ) throws -> GraphImages.Rows {
        try stride(from: 0, to: values.count, by: 500).reduce(into: [:]) { rows, start in
            let part = Array(values[start..<min(start + 500, values.count)])
            let filter = entity.filter(of: part, in: [column])
            rows.merge(try images(of: Query(entity, deleted, filter: filter))) { $1 }
        }
    }

    private func images(of query: Query) throws -> GraphImages.Rows {
        var images: GraphImages.Rows = [:]
        let cursor = try rows(of: query)
        defer { cursor.close() }
        while try cursor.next() {
            let key = try RowKey(row: cursor, entity: query.entity)
            images[key] = try query.entity.values(of: cursor)
        }
        return images
    }
}
