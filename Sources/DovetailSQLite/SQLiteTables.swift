import CSQLite
import DovetailModel
import DovetailSQL
import DovetailStore

/// Compares the tables of a database with a schema and creates what is missing. ``SQLiteStore`` uses
/// it once, while it opens.
///
/// A table that Dovetail made has a row in `dovetail_schema` with its description. Missing indexes
/// are added to it; every other difference is an error, since nothing says how the rows would
/// change. A table without such a row belongs to others: see `SQLForeignTable`. The tables
/// `dovetail_schema` and `dovetail_store` come with the first table that is made.
struct SQLiteTables {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Makes the database fit a schema, in one transaction: of two processes that open it at the
    /// same time one makes the tables, and the other one compares. Where nothing is missing, nothing
    /// is written. The connection's renderer knows the tables of others then.
    ///
    /// - Returns: Whether the database has tables that Dovetail made.
    /// - Throws: ``StoreError``: `invalidSchema` with all differences, `newerFormat`, and `readOnly`
    ///   when a table is missing in a database that cannot be written to.
    func prepare(for schema: Schema) throws -> Bool {
        let tables = try compare(with: schema)
        guard !tables.isComplete else { return try connection.hasTable("dovetail_schema") }
        if connection.isReadOnly {
            // An index makes reading faster, no more.
            guard let table = tables.missing.first else { return true }
            throw StoreError(
                .readOnly,
                table: table.table,
                location: connection.location,
                explanation: "the table does not exist and the database cannot be written to"
            )
        }
        try connection.transaction(keeping: true) { try create(compare(with: schema)) }
        return true
    }

    /// What there is of the schema, and what is missing. Nothing is written.
    private func compare(with schema: Schema) throws -> SQLTables {
        let stored = try storedDescriptions()
        let tables = try SQLTables(
            schema,
            location: connection.location,
            stored: stored,
            by: { $0.lowercased() }
        ) { entity in
            try lostColumns(of: entity)
        } other: { table in
            try SQLForeignTable(sqlite: table, on: connection)
        }
        connection.renderer = SQLRenderer(connection.renderer.dialect, found: tables.found)
        return tables
    }

    /// The columns that a table that Dovetail made does not have any more; nil where it is not there itself.
    private func lostColumns(of entity: EntityDescription) throws -> [String]? {
        let names = try connection.columnNames(of: entity.table)
        if names.isEmpty { return nil }
        return entity.columns.map(\.name).filter { !names.contains($0.lowercased()) }
    }

    /// The descriptions of the tables that Dovetail made, by their names in lower case.
    private func storedDescriptions() throws -> [String: EntityDescription] {
        guard try connection.hasTable("dovetail_schema") else { return [:] }
        let format = try connection.text("SELECT value FROM dovetail_store WHERE name = 'format'")
        try SQLTables.checkFormat(format, location: connection.location)
        let statement = try connection.statement("SELECT entity, description FROM dovetail_schema")
        defer { statement.reset() }
        var descriptions: [String: EntityDescription] = [:]
        while try statement.step() {
            let table = statement.text(0)
            descriptions[table.lowercased()] = try SQLTables.description(
                of: table,
                statement.text(1),
                location: connection.location
            )
        }
        return descriptions
    }

    /// Creates tables and indexes, and writes down what they are. The caller has opened a
    /// transaction.
    private func create(_ tables: SQLTables) throws {
        guard !tables.isComplete else { return }
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
            INSERT OR IGNORE INTO dovetail_store VALUES ('format', \(SQLTables.format));
            """
        )
        let renderer = connection.renderer
        for entity in tables.missing {
            // SQLite goes over the pages of a large value to get to what comes after it in the row.
            let large = tables.large[entity.table] ?? []
            try connection.execute(renderer.createTable(entity, large: large))
            for index in entity.indexes {
                try connection.execute(renderer.createIndex(index, of: entity))
            }
            try keep(entity)
        }
        for (entity, new, all) in tables.indexes {
            for index in new { try connection.execute(renderer.createIndex(index, of: entity)) }
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
