import DovetailModel

/// A row that a table has taken.
///
/// Invariant of the unchecked `Sendable`: nobody changes the image any more. `MemoryRowWriter` and
/// `MemoryState.setNull` fill an image of their own, and let go of it when a table takes it.
struct StoredRow: @unchecked Sendable {
    let image: RowImage
}

/// One state of a table: its rows by key, and its indexes. A copy costs nothing and stays what it
/// is.
struct MemoryTable: Sendable {
    let entity: EntityBinding
    private(set) var rows = SortedMap<StoredRow>()
    /// By position in `EntityDescription.indexes`: the keys of the rows, by the values of the
    /// index's columns with the key after them. Rows with NULL are in it.
    private(set) var indexes: [SortedMap<RowKey>]
    /// What each column has to hold. The attributes say it too, and take longer to look at.
    private let columns: [(type: ColumnType, isRequired: Bool)]
    /// The largest key that was ever in the table, or 0; used where keys are generated.
    private var lastNumber: Int64 = 0
    /// By key the rows as they were when the table was synchronized last, of those that were changed since,
    /// with nil where there was none. Nil before the first time. A map whose copies share what is the same,
    /// since each transaction has one.
    private var bases: SortedMap<StoredRow?>?

    init(_ entity: EntityBinding) {
        self.entity = entity
        indexes = entity.description.indexes.map { _ in SortedMap() }
        columns = entity.description.columns.enumerated().map { position, column in
            (column.type, !column.isOptional || entity.keyColumns.contains(position))
        }
    }

    private var indexed: [EntityDescription.Index] { entity.description.indexes }

    /// The key of a row, and its keys in the indexes.
    private func keys(of row: RowImage) throws -> (key: RowKey, inIndexes: [RowKey]) {
        let key = try RowKey(row: row, entity: entity)
        return (key, try indexed.map { RowKey(try values(of: $0, in: row) + key.values) })
    }

    private func values(
        of index: EntityDescription.Index,
        in row: RowImage
    ) throws -> [QueryValue] {
        try entity.values(of: row, in: index.columns)
    }

    // MARK: Changing

    /// Gives a row its key, where the table does so and the row has none.
    ///
    /// - Throws: ``StoreError`` when the largest integer was a key already.
    func generateKey(of row: RowImage) throws {
        guard let column = entity.generatedColumn, row.isNull(column) else { return }
        guard lastNumber < .max else {
            throw StoreError(
                .storageFailure,
                table: entity.table,
                explanation: "the largest key was given already"
            )
        }
        row.set(column, integer: lastNumber + 1)
    }

    /// Checks what every row has to be. A row that the table takes has passed this.
    ///
    /// - Throws: ``StoreError``: `notNullViolation`, and `constraintViolation` for a value of another
    ///   kind than its column, which only a model that is written by hand can have.
    func checkColumns(of row: RowImage) throws {
        for column in columns.indices {
            if row.isNull(column) {
                guard columns[column].isRequired else { continue }
                throw StoreError(
                    .notNullViolation,
                    table: entity.table,
                    column: entity.attributes[column].name,
                    explanation: "a required column has no value"
                )
            }
            guard row.holds(columns[column].type, column) else {
                throw StoreError(
                    .constraintViolation,
                    table: entity.table,
                    explanation: "a value is of another type than its column"
                )
            }
        }
        let classes = entity.description.classes
        let name = classes.flatMap { row.text($0.column) }.map {
            String(decoding: $0, as: UTF8.self)
        }
        for choice in entity.description.choices ?? [] {
            let count = choice.columns.count { !row.isNull($0) }
            let isRequired =
                choice.isRequired
                && (choice.classes.map { all in name.map(all.contains) ?? false } ?? true)
            if count == 1 || count == 0 && !isRequired { continue }
            throw StoreError(
                .constraintViolation,
                table: entity.table,
                explanation: "a relationship to a protocol has \(count) keys"
            )
        }
        guard let required = name.flatMap({ classes?.required[$0] }) else { return }
        guard !required.contains(where: row.isNull) else {
            throw StoreError(
                .constraintViolation,
                table: entity.table,
                explanation: "a row lacks what its class requires"
            )
        }
    }

    /// Checks that a row may be added, or may take the place of the row with its key.
    ///
    /// Of several violations the one is reported that SQLite finds first: the key when it is an
    /// integer, then the unique groups from the last one on, then any other key.
    ///
    /// - Throws: ``StoreError`` of kind `uniqueViolation`.
    func checkUnique(_ row: RowImage, replacing: Bool) throws {
        let key = try RowKey(row: row, entity: entity)
        let keyExists = !replacing && rows[key] != nil
        if case .integer = key, keyExists { throw keyViolation() }
        for (position, index) in indexed.enumerated().reversed()
        where index.isUnique && entity.isLive(row) {
            let values = try values(of: index, in: row)
            guard !values.contains(.null),
                keys(in: position, values).contains(where: { other in
                    (!replacing || other != key)
                        && rows[other].map { entity.isLive($0.image) } ?? false
                })
            else { continue }
            throw StoreError(
                .uniqueViolation,
                table: entity.table,
                column: entity.description.names(of: index.columns),
                explanation: "another row has this value already"
            )
        }
        if keyExists { throw keyViolation() }
    }

    private func keyViolation() -> StoreError {
        StoreError(
            .uniqueViolation,
            table: entity.table,
            column: entity.description.names(of: entity.keyColumns),
            explanation: "a row with this key exists already"
        )
    }

    /// Adds a row that was checked, or replaces that with the same key.
    mutating func put(_ row: StoredRow) throws {
        let (key, new) = try keys(of: row.image)
        let before = rows[key]
        let old = try before.map { try keys(of: $0.image).inIndexes }
        keepBase(before, key)
        rows.set(key, row)
        for (position, indexKey) in new.enumerated() {
            if let old {
                if old[position] == indexKey { continue }
                indexes[position].remove(old[position])
            }
            indexes[position].set(indexKey, key)
        }
        if case .integer(let number) = key { lastNumber = max(lastNumber, number) }
    }

    /// Removes the row with a key.
    mutating func remove(_ key: RowKey) throws {
        guard let row = rows[key] else { return }
        let old = try keys(of: row.image).inIndexes
        keepBase(row, key)
        rows.remove(key)
        for (position, indexKey) in old.enumerated() { indexes[position].remove(indexKey) }
    }

    // MARK: Bases

    /// Keeps what a row was before its first change.
    private mutating func keepBase(_ row: StoredRow?, _ key: RowKey) {
        guard bases != nil, bases?[key] == nil else { return }
        // A deleted row is none for who looks at changes.
        bases?.set(key, row.flatMap { entity.isLive($0.image) ? $0 : nil })
    }

    /// The rows that were changed, as they were.
    func changedRows() throws -> ChangedRows {
        guard let bases else { return .all }
        var rows: [BaseRow] = []
        var iterator = bases.iterator(from: RowKey([]))
        while let (key, row) = iterator.next() {
            rows.append(
                BaseRow(key: key.values, values: try row.map { try entity.values(of: $0.image) })
            )
        }
        return .rows(rows)
    }

    /// Forgets what was changed, but for some rows.
    mutating func follow(from rows: [BaseRow]) {
        var bases = SortedMap<StoredRow?>()
        for row in rows {
            bases.set(RowKey(row.key), row.values.map { StoredRow(image: RowImage($0)) })
        }
        self.bases = bases
    }

    // MARK: Searching

    /// The keys of the rows with these values in the first columns of an index, in the order of the
    /// index.
    ///
    /// - Complexity: O(log n), and linear in the number of keys that are taken.
    func keys(in index: Int, _ values: [QueryValue]) -> AnyIterator<RowKey> {
        var iterator = indexes[index].iterator(from: RowKey(values))
        return AnyIterator {
            guard let (key, row) = iterator.next(), key.starts(with: values) else { return nil }
            return row
        }
    }

    /// The keys of the rows with a value in a column that is a foreign key. There is an index for
    /// each of these, unless the key begins with it.
    func keys(where column: Int, is value: QueryValue) -> AnyIterator<RowKey> {
        if let index = indexed.firstIndex(where: { $0.columns.first == column }) {
            return keys(in: index, [value])
        }
        return keys(beginningWith: value)
    }

    /// The keys of rows that begin with a value, in their order.
    func keys(beginningWith value: QueryValue) -> AnyIterator<RowKey> {
        var iterator = rows.iterator(from: RowKey([value]))
        return AnyIterator {
            guard let (key, _) = iterator.next(), key.starts(with: [value]) else { return nil }
            return key
        }
    }
}
