import DovetailModel

/// All tables of a memory store at one time: a value. A writer changes a copy, and readers keep the
/// one that they have.
struct MemoryState: Sendable {
    /// A foreign key that may refer to no row: what has to be looked at before a commit.
    struct Suspect: Hashable, Sendable {
        /// The position of the table that has the key, and of the reference in its description.
        let table: Int
        let reference: Int
        let value: QueryValue
    }

    let references: MemoryReferences
    private(set) var tables: [MemoryTable]
    /// What ``StoreTransactions/setToken(_:of:)`` has kept, by table.
    var tokens: [String: String] = [:]
    /// Collected until the outermost transaction ends, since a later statement may put things right.
    private var suspects: Set<Suspect> = []

    init(_ schema: Schema) {
        references = MemoryReferences(schema)
        tables = schema.bindings.map { MemoryTable($0) }
    }

    /// The position of an entity's table.
    ///
    /// - Throws: ``StoreError`` of kind `invalidSchema` when the store was made without it.
    func position(of entity: EntityBinding) throws -> Int {
        guard let position = references.positions[entity.table.lowercased()] else {
            throw StoreError(
                .invalidSchema,
                table: entity.table,
                explanation: "the store was made without this table"
            )
        }
        return position
    }

    // MARK: Writing
    //
    // Each of these checks before it changes anything, so one that throws has changed nothing.

    /// Writes one row.
    ///
    /// - Complexity: O(log n) for each index, and for a deletion that of what goes with the row.
    /// - Throws: ``StoreError``.
    mutating func write(_ row: RowImage, _ verb: WriteVerb, _ table: Int) throws {
        let entity = tables[table].entity
        switch verb {
        case .insert:
            try tables[table].generateKey(of: row)
            try tables[table].checkColumns(of: row)
            try put(row, table, replacing: false)
        case .upsert:
            try tables[table].generateKey(of: row)
            try tables[table].checkColumns(of: row)
            let key = try RowKey(row: row, entity: entity)
            try put(row, table, replacing: tables[table].rows[key] != nil)
        case .update:
            guard try tables[table].rows[RowKey(row: row, entity: entity)] != nil else {
                throw StoreError(
                    .notFound,
                    table: entity.table,
                    explanation: "there is no row with this key to update"
                )
            }
            try tables[table].checkColumns(of: row)
            try put(row, table, replacing: true)
        case .delete:
            _ = try delete(RowKey(row: row, entity: entity), table)
        }
    }

    /// Adds a row whose columns were checked, or puts it in the place of that with its key.
    private mutating func put(_ row: RowImage, _ table: Int, replacing: Bool) throws {
        try tables[table].checkUnique(row, replacing: replacing)
        for (position, reference) in references.outgoing[table].enumerated() {
            let value = try value(of: reference.column, in: row, table)
            guard value != .null, tables[reference.target].rows[RowKey([value])] == nil else {
                continue
            }
            suspects.insert(Suspect(table: table, reference: position, value: value))
        }
        try tables[table].put(StoredRow(image: row))
    }

    private func value(of column: Int, in row: RowImage, _ table: Int) throws -> QueryValue {
        try QueryValue(row, column, tables[table].entity.attributes[column])
    }

    /// Deletes the row with a key, and does with the rows that refer to it what their rules say.
    ///
    /// The work is a list and not recursion, so that a chain of rows may have any length.
    ///
    /// - Returns: false when there is no such row.
    mutating func delete(_ key: RowKey, _ table: Int) throws -> Bool {
        guard tables[table].rows[key] != nil else { return false }
        var waiting = [(table: table, key: key)]
        while let (table, key) = waiting.popLast() {
            guard tables[table].rows[key] != nil else { continue }
            try tables[table].remove(key)
            for (child, position) in references.incoming[table] {
                let reference = references.outgoing[child][position]
                let value = key.values[0]
                let rows = tables[child].keys(where: reference.column, is: value)
                switch reference.rule {
                case .cascade: waiting += rows.map { (child, $0) }
                case .nullify: for row in rows { try setNull([reference.column], row, child) }
                case .deny, .noAction:
                    guard rows.next() != nil else { continue }
                    suspects.insert(Suspect(table: child, reference: position, value: value))
                }
            }
        }
        return true
    }

    /// Sets columns to NULL, which other tables and unique groups do not mind.
    private mutating func setNull(_ columns: [Int], _ key: RowKey, _ table: Int) throws {
        guard let old = tables[table].rows[key] else { return }
        let row = RowImage(columns: tables[table].entity.attributes.count)
        try old.image.write(to: row)
        for column in columns { row.setNull(column) }
        try tables[table].put(StoredRow(image: row))
    }

    /// Sets the unique columns of rows to NULL, also required ones: they are written again before
    /// anybody reads them.
    mutating func park(_ keys: [[QueryValue]], _ table: Int) throws {
        let entity = tables[table].entity
        let columns = entity.description.indexes.filter(\.isUnique).flatMap(\.columns)
            .filter { !entity.keyColumns.contains($0) }
        for key in keys { try setNull(columns, RowKey(key), table) }
    }

    // MARK: Bases

    /// What ``StoreQuerying/bases(of:)`` gives.
    func bases(of entity: EntityBinding) throws -> ChangedRows {
        try tables[position(of: entity)].changedRows()
    }

    mutating func setBases(_ bases: [BaseRow], _ table: Int) { tables[table].follow(from: bases) }

    // MARK: Committing

    /// Checks the foreign keys that may refer to no row.
    ///
    /// Of several violations the one is reported that `PRAGMA foreign_key_check` of SQLite finds first
    /// where there are few tables: in the last table, of its first row, the last foreign key.
    ///
    /// - Complexity: O(log n) for each foreign key that referred to no row when it was written, and
    ///   for each deleted row that others with the rule `deny` referred to.
    /// - Throws: ``StoreError`` of kind `foreignKeyViolation`.
    mutating func checkReferences() throws {
        var first: (suspect: Suspect, key: RowKey)?
        for suspect in suspects {
            let reference = references.outgoing[suspect.table][suspect.reference]
            guard tables[reference.target].rows[RowKey([suspect.value])] == nil,
                let key = tables[suspect.table].keys(where: reference.column, is: suspect.value)
                    .min(by: { $0.order(relativeTo: $1) < 0 })
            else { continue }
            guard let known = first else {
                first = (suspect, key)
                continue
            }
            let order = key.order(relativeTo: known.key)
            let isFirst =
                suspect.table == known.suspect.table
                ? order < 0 || order == 0 && suspect.reference > known.suspect.reference
                : suspect.table > known.suspect.table
            if isFirst { first = (suspect, key) }
        }
        suspects.removeAll()
        guard let suspect = first?.suspect else { return }
        let entity = tables[suspect.table].entity
        let column = references.outgoing[suspect.table][suspect.reference].column
        throw StoreError(
            .foreignKeyViolation,
            table: entity.table,
            column: entity.attributes[column].name,
            explanation: "a row refers to one that does not exist"
        )
    }
}

/// Which tables refer to which, by their positions in the schema.
struct MemoryReferences: Sendable {
    struct Reference: Sendable {
        let column: Int
        /// The table that is referred to, by its key of one column.
        let target: Int
        let rule: DeleteRule
    }

    /// The tables by their names in lower case.
    let positions: [String: Int]
    /// By table, the references of its rows.
    let outgoing: [[Reference]]
    /// By table, the references to its rows: the table that has each, and its position there.
    let incoming: [[(table: Int, reference: Int)]]

    init(_ schema: Schema) {
        let positions = Dictionary(
            schema.bindings.enumerated().map { ($1.table.lowercased(), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let outgoing = schema.bindings.map { entity in
            entity.description.references.compactMap { reference in
                positions[reference.table.lowercased()].map {
                    Reference(column: reference.column, target: $0, rule: reference.deleteRule)
                }
            }
        }
        var incoming: [[(table: Int, reference: Int)]] = schema.bindings.map { _ in [] }
        for (table, references) in outgoing.enumerated() {
            for (position, reference) in references.enumerated() {
                incoming[reference.target].append((table, position))
            }
        }
        (self.positions, self.outgoing, self.incoming) = (positions, outgoing, incoming)
    }
}
