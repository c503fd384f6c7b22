import CSQLite
import DovetailModel
import DovetailSQL
import DovetailStore

/// Compares the tables of a database with a schema and creates what is missing. ``SQLiteStore`` uses
/// it once, while it opens.
///
/// A table that Dovetail made has a row in `dovetail_schema` with its description. Missing indexes
/// are added to it; every other difference is an error, since nothing says how the rows would
/// change. A table without such a row belongs to others: see ``SQLiteForeignTable``. The tables
/// `dovetail_schema` and `dovetail_store` come with the first table that is made.
struct SQLiteTables {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// The number of the form of `dovetail_schema` and `dovetail_store` that this code writes.
    static let format = 1

    /// What a database lacks.
    struct Missing {
        var tables: [EntityDescription] = []
        /// Tables with descriptions that have more indexes than the stored ones, and those indexes.
        var indexes: [(EntityDescription, [EntityDescription.Index])] = []

        var isEmpty: Bool { tables.isEmpty && indexes.isEmpty }
    }

    /// Makes the database fit a schema, in one transaction: of two processes that open it at the
    /// same time one makes the tables, and the other one compares. Where nothing is missing, nothing
    /// is written. The connection's renderer knows the tables of others then.
    ///
    /// - Returns: Whether the database has tables that Dovetail made.
    /// - Throws: ``StoreError``: `invalidSchema` with all differences, `newerFormat`, and `readOnly`
    ///   when a table is missing in a database that cannot be written to.
    func prepare(for schema: Schema) throws -> Bool {
        let missing = try missing(of: schema)
        guard !missing.isEmpty else { return try connection.hasTable("dovetail_schema") }
        if connection.isReadOnly {
            // An index makes reading faster, no more.
            guard let table = missing.tables.first else { return true }
            throw StoreError(
                .readOnly,
                table: table.table,
                location: connection.location,
                explanation: "the table does not exist and the database cannot be written to"
            )
        }
        try connection.transaction(keeping: true) { try create(self.missing(of: schema)) }
        return true
    }

    /// What is missing. Nothing is written.
    private func missing(of schema: Schema) throws -> Missing {
        let stored = try storedDescriptions()
        var missing = Missing()
        var differences: [(table: String, text: String)] = []
        var foreign = SQLForeignTables()
        for binding in schema.bindings {
            let entity = binding.description
            guard let known = stored[entity.table.lowercased()] else {
                let table = try SQLiteForeignTable(entity.table, on: connection)
                if let table {
                    try table.compare(with: entity)
                    foreign[binding] = table.forms(of: entity)
                } else {
                    missing.tables.append(entity)
                }
                continue
            }
            differences += entity.differences(from: known).map { (entity.table, $0) }
            let new = entity.indexes.filter { index in
                !index.isUnique
                    && !known.indexes.contains { known.names($0) == entity.names(index) }
            }
            if !new.isEmpty { missing.indexes.append((entity, new)) }
        }
        connection.renderer = SQLRenderer(connection.renderer.dialect, foreign: foreign)
        guard let first = differences.first else { return missing }
        let tables = Set(differences.map(\.table))
        throw StoreError(
            .invalidSchema,
            table: tables.count == 1 ? first.table : nil,
            location: connection.location,
            explanation: "the tables were made for other models: "
                + differences.map { tables.count == 1 ? $0.text : "\($0.table).\($0.text)" }
                .joined(separator: "; ")
        )
    }

    /// The descriptions of the tables that Dovetail made, by their names in lower case.
    private func storedDescriptions() throws -> [String: EntityDescription] {
        guard try connection.hasTable("dovetail_schema") else { return [:] }
        let format = try connection.text("SELECT value FROM dovetail_store WHERE name = 'format'")
        guard let number = format.flatMap({ Int($0) }), number <= Self.format else {
            throw StoreError(
                .newerFormat,
                location: connection.location,
                explanation: "a newer version of Dovetail has made this database (format "
                    + "\(format.flatMap { Int($0) } ?? 0), known is \(Self.format))"
            )
        }
        let statement = try connection.statement("SELECT entity, description FROM dovetail_schema")
        defer { statement.reset() }
        var descriptions: [String: EntityDescription] = [:]
        while try statement.step() {
            let table = statement.text(0)
            do {
                descriptions[table.lowercased()] = try EntityDescription(json: statement.text(1))
            } catch {
                throw StoreError(
                    .corrupt,
                    table: table,
                    location: connection.location,
                    explanation: "the description of the table in dovetail_schema cannot be read",
                    detail: "\(error)"
                )
            }
        }
        return descriptions
    }

    /// Creates tables and indexes, and writes down what they are. The caller has opened a
    /// transaction.
    private func create(_ missing: Missing) throws {
        guard !missing.isEmpty else { return }
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS dovetail_store (
                name TEXT NOT NULL PRIMARY KEY, value ANY
            ) STRICT;
            CREATE TABLE IF NOT EXISTS dovetail_schema (
                entity TEXT NOT NULL PRIMARY KEY,
                version INTEGER NOT NULL,
                description TEXT NOT NULL
            ) STRICT;
            INSERT OR IGNORE INTO dovetail_store VALUES ('format', \(Self.format));
            """
        )
        let renderer = connection.renderer
        for entity in missing.tables {
            try connection.execute(renderer.createTable(entity))
            for index in entity.indexes {
                try connection.execute(renderer.createIndex(index, of: entity))
            }
            try keep(entity)
        }
        let stored = try storedDescriptions()
        for (entity, indexes) in missing.indexes {
            for index in indexes {
                try connection.execute(renderer.createIndex(index, of: entity))
            }
            // What an older program declared stays, so that two of them do not take turns.
            guard var all = stored[entity.table.lowercased()] else { continue }
            all.indexes += indexes.map { index in
                let columns = entity.names(index).map { name in
                    all.columns.firstIndex { $0.name == name }
                }
                return EntityDescription.Index(columns: columns.compactMap { $0 }, isUnique: false)
            }
            try keep(all)
        }
    }

    /// Writes the description of a table down.
    private func keep(_ entity: EntityDescription) throws {
        let statement = try connection.statement(
            "INSERT OR REPLACE INTO dovetail_schema VALUES (?1, ?2, ?3)"
        )
        try statement.bind([
            .text(entity.table), .integer(Int64(entity.version)), .text(entity.json()),
        ])
        defer { statement.reset() }
        _ = try statement.step()
    }
}
