import Dovetail

/// One table: its description, which is in the file too, and its rows by their keys.
struct LineFileTable {
    let description: EntityDescription
    var rows: [[QueryValue]: [QueryValue]] = [:]
    /// The largest key that was ever in the table, where keys are generated.
    var lastKey: Int64 = 0

    func key(of row: [QueryValue]) -> [QueryValue] { description.key.map { row[$0] } }

    func error(
        _ kind: StoreError.Kind,
        _ columns: [Int],
        _ explanation: String
    ) -> StoreError {
        StoreError(
            kind,
            table: description.table,
            column: columns.isEmpty ? nil : description.names(of: columns),
            explanation: explanation
        )
    }

    /// Gives a row its key, where it has none and the table does so.
    mutating func generateKey(of row: inout [QueryValue]) {
        guard let column = description.columns.firstIndex(where: \.isGenerated) else { return }
        if row[column] == .null { row[column] = .integer(lastKey + 1) }
        if case .integer(let key) = row[column] { lastKey = max(lastKey, key) }
    }

    /// Checks a row that comes into the table.
    func check(_ row: [QueryValue]) throws {
        for (column, value) in row.enumerated() where value == .null {
            guard description.columns[column].isOptional else {
                throw error(.notNullViolation, [column], "a required column has no value")
            }
        }
        let key = key(of: row)
        func isLive(_ row: [QueryValue]) -> Bool {
            description.mark.map { row[$0] == .null } ?? true
        }
        for index in description.indexes where index.isUnique && isLive(row) {
            let values = index.columns.map { row[$0] }
            guard !values.contains(.null) else { continue }
            for (other, stored) in rows
            where other != key && isLive(stored)
                && index.columns.map({ stored[$0] }) == values
            {
                throw error(
                    .uniqueViolation,
                    index.columns,
                    "another row has this value already"
                )
            }
        }
    }
}

/// All tables at one time: a value, so that a transaction keeps a copy to go back to.
struct LineFileState {
    var tables: [String: LineFileTable] = [:]
    /// Counts what was changed, so that a transaction that changed nothing writes nothing.
    private(set) var changes = 0

    /// Adds a table, or compares it with the one in the file.
    mutating func add(_ description: EntityDescription, _ url: URL) throws {
        guard let known = tables[description.table] else {
            return tables[description.table] = LineFileTable(description: description)
        }
        let differences = description.differences(from: known.description)
        guard differences.isEmpty else {
            throw StoreError(
                .invalidSchema,
                table: description.table,
                location: url.path,
                explanation: differences.joined(separator: "; ")
            )
        }
    }

    func table(_ name: String) throws -> LineFileTable {
        guard let table = tables[name] else {
            throw StoreError(
                .invalidSchema,
                table: name,
                explanation: "the store was made without this table"
            )
        }
        return table
    }

    /// Writes a row and gives it as it is stored.
    mutating func write(
        _ values: [QueryValue],
        _ verb: WriteVerb,
        _ name: String
    ) throws -> [QueryValue] {
        var table = try table(name)
        // Taken out, so that changing the table does not copy it.
        tables[name] = nil
        defer { if tables[name] == nil { tables[name] = table } }
        var row = values
        if verb.adds { table.generateKey(of: &row) }
        let key = table.key(of: row)
        switch verb {
        case .insert where table.rows[key] != nil:
            throw table.error(
                .uniqueViolation,
                table.description.key,
                "a row with this key exists already"
            )
        case .update where table.rows[key] == nil:
            throw table.error(.notFound, [], "there is no row with this key to update")
        case .delete:
            tables[name] = table
            _ = try delete(key, name)
        default:
            try table.check(row)
            table.rows[key] = row
            changes += 1
        }
        return row
    }

    /// Deletes a row, and does with the rows that refer to it what their rules say. Says whether it
    /// was there.
    mutating func delete(_ key: [QueryValue], _ name: String) throws -> Bool {
        guard tables[name]?.rows.removeValue(forKey: key) != nil else { return false }
        changes += 1
        for (child, table) in tables {
            for reference in table.description.references where reference.table == name {
                for (childKey, row) in table.rows where row[reference.column] == key[0] {
                    switch reference.deleteRule {
                    case .cascade: _ = try delete(childKey, child)
                    case .nullify: tables[child]?.rows[childKey]?[reference.column] = .null
                    // What is left open is found at the end of the transaction.
                    case .deny, .noAction: break
                    }
                }
            }
        }
        return true
    }

    /// Takes the unique values from rows that are about to be written.
    mutating func park(_ keys: [[QueryValue]], _ name: String) throws {
        let description = try table(name).description
        let columns = description.indexes.filter(\.isUnique).flatMap(\.columns)
        for column in columns where !description.key.contains(column) {
            for key in keys { tables[name]?.rows[key]?[column] = .null }
        }
    }

    /// Checks that each reference is to a row that is there.
    func checkReferences() throws {
        for table in tables.values {
            for reference in table.description.references {
                let target = tables[reference.table]
                for row in table.rows.values {
                    let value = row[reference.column]
                    guard value != .null, target?.rows[[value]] == nil else { continue }
                    throw table.error(
                        .foreignKeyViolation,
                        [reference.column],
                        "a row refers to one that does not exist"
                    )
                }
            }
        }
    }
}
