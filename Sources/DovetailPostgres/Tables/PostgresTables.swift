import CPostgres
import DovetailModel
import DovetailSQL
import DovetailStore

/// Compares the tables of a database with a schema and creates what is missing. ``PostgresStore`` uses it
/// once, while it opens.
///
/// A table that Dovetail made has a row in `dovetail_schema` with its description. Missing indexes are
/// added to it; every other difference is an error. A table without such a row belongs to others: see
/// `SQLForeignTable`.
struct PostgresTables {
    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) {
        self.connection = connection
    }

    /// Makes the database fit a schema, in one transaction: of two processes that open it at the same time
    /// one makes the tables, and the other one waits and compares. Where nothing is missing, nothing is
    /// written. The connection knows the tables and their constraints then.
    ///
    /// - Throws: ``StoreError``.
    func prepare(for schema: Schema) throws {
        let tables = try compare(with: schema)
        if !tables.isComplete {
            do {
                // What others have made while this one waited for the lock has to be seen.
                try connection.plainTransaction {
                    try connection.lock(.tables)
                    try create(compare(with: schema), schema)
                }
            } catch let error as StoreError where error.kind == .readOnly {
                // An index makes reading faster, no more.
                guard tables.missing.isEmpty else { throw error }
            }
        }
        try findUUIDs(of: schema)
        connection.catalog = try PostgresCatalog(of: schema.bindings.map(\.table), on: connection)
    }

    /// What there is of the schema, and what is missing. Nothing is written.
    private func compare(with schema: Schema) throws -> SQLTables {
        let stored = try storedDescriptions()
        let columns = stored.isEmpty ? [:] : try columns(of: schema.bindings.map(\.table))
        let tables = try SQLTables(
            schema,
            location: connection.location,
            stored: stored,
            by: { $0 }
        ) { entity in
            columns[entity.table].map { types in
                entity.columns.map(\.name).filter { types[$0] == nil }
            }
        } other: { table in
            let binding = schema.entity(ofTable: table)
            let uuids = binding?.attributes.filter { Self.isUUID($0) { _, _ in nil } }
            return try SQLForeignTable(
                postgres: table,
                uuids: Set(uuids?.map(\.name) ?? []),
                on: connection
            )
        }
        connection.renderer = SQLRenderer(connection.renderer.dialect, found: tables.found)
        return tables
    }

    /// The descriptions of the tables that Dovetail made, by their names.
    private func storedDescriptions() throws -> [String: EntityDescription] {
        guard try connection.hasTable("dovetail_schema") else { return [:] }
        let format = try connection.run("SELECT value FROM dovetail_store WHERE name = 'format'")
            .text(0, 0)
        try SQLTables.checkFormat(format, location: connection.location)
        let rows = try connection.run("SELECT entity, description FROM dovetail_schema")
        var descriptions: [String: EntityDescription] = [:]
        for row in 0..<rows.rowCount {
            guard let table = rows.text(row, 0), let text = rows.text(row, 1) else { continue }
            descriptions[table] = try SQLTables.description(
                of: table,
                text,
                location: connection.location
            )
        }
        return descriptions
    }

    /// Creates tables and indexes, and writes down what they are. The caller has opened a transaction.
    private func create(_ tables: SQLTables, _ schema: Schema) throws {
        guard !tables.isComplete else { return }
        for entity in tables.missing { try requireNames(of: entity) }
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS dovetail_store (
                name text COLLATE "C" NOT NULL PRIMARY KEY, value text
            );
            CREATE TABLE IF NOT EXISTS dovetail_schema (
                entity text COLLATE "C" NOT NULL PRIMARY KEY,
                version bigint NOT NULL,
                description text NOT NULL
            );
            INSERT INTO dovetail_store VALUES ('format', '\(SQLTables.format)') ON CONFLICT DO NOTHING;
            """
        )
        let renderer = connection.renderer
        // A table is made before those that refer to it; of a circle, the references are added at the end.
        var late: [(EntityDescription, EntityDescription.Reference)] = []
        var made = Set<String>()
        let new = Set(tables.missing.map(\.table))
        let stored = try columns(of: schema.bindings.map(\.table))
        // The columns of a class's table are the same ones for each class in it.
        let bindings = Dictionary(schema.bindings.map { ($0.table, $0) }) { first, _ in first }
        for entity in tables.missing {
            var table = entity
            for reference in entity.references
            where reference.table != entity.table && new.contains(reference.table)
                && !made.contains(reference.table)
            {
                table.references.removeAll { $0 == reference }
                late.append((entity, reference))
            }
            let uuids = bindings[entity.table].map { binding in
                binding.attributes.indices.filter { column in
                    Self.isUUID(binding.attributes[column]) { table, key in
                        new.contains(table) ? nil : stored[table]?[key] == "uuid"
                    }
                }
            }
            try connection.execute(renderer.createTable(table, uuids: Set(uuids ?? [])))
            made.insert(entity.table)
        }
        for (entity, reference) in late {
            try connection.execute(renderer.addReference(reference, to: entity))
        }
        for entity in tables.missing {
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

    /// Sees that PostgreSQL can have the columns of a table
    /// (https://www.postgresql.org/docs/current/ddl-system-columns.html).
    ///
    /// - Throws: ``StoreError`` of kind `invalidSchema`.
    private func requireNames(of entity: EntityDescription) throws {
        let taken: Set = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]
        guard let column = entity.columns.first(where: { taken.contains($0.name) }) else { return }
        throw StoreError(
            .invalidSchema,
            table: entity.table,
            column: column.name,
            location: connection.location,
            explanation:
                "PostgreSQL has a column of its own with this name in each table; give the attribute "
                + "another one: @Attribute(name: …)"
        )
    }

    /// Writes the description of a table down.
    private func keep(_ entity: EntityDescription) throws {
        try connection.run(
            "INSERT INTO dovetail_schema VALUES ($1, $2, $3) ON CONFLICT (entity) DO UPDATE "
                + "SET version = excluded.version, description = excluded.description",
            PostgresFields.of([
                .value(.text(entity.table)), .value(.integer(Int64(entity.version))),
                .value(.text(entity.json())),
            ])
        )
    }
}

// MARK: UUIDs

extension PostgresTables {
    /// Tells the renderer in which columns of our tables UUIDs are. In databases of the first releases they
    /// are text, and stay so.
    private func findUUIDs(of schema: Schema) throws {
        var found = connection.renderer.found
        let columns = try columns(of: schema.bindings.map(\.table))
        for binding in schema.bindings where found[binding] == nil {
            let types = columns[binding.table] ?? [:]
            for attribute in binding.attributes where types[attribute.name] == "uuid" {
                if Self.isUUID(attribute, { columns[$0]?[$1].map { $0 == "uuid" } }) { continue }
                throw StoreError(
                    .invalidSchema,
                    table: binding.table,
                    column: attribute.name,
                    location: connection.location,
                    explanation: "the column was made for a UUID, and takes no other text"
                )
            }
            found[uuidsOf: binding] = Set(
                binding.attributes.indices.filter { types[binding.attributes[$0].name] == "uuid" }
            )
        }
        connection.renderer = SQLRenderer(connection.renderer.dialect, found: found)
    }

    /// The columns of the tables that are there, with the names of their types.
    private func columns(of tables: [String]) throws -> [String: [String: String]] {
        let rows = try connection.run(
            """
            SELECT c.relname, a.attname, t.typname FROM pg_catalog.pg_attribute a
            JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
            JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
            WHERE c.relname = ANY ($1) AND a.attnum > 0
                AND NOT a.attisdropped AND pg_catalog.pg_table_is_visible(c.oid)
            """,
            PostgresFields.of([.list(tables.map { .text($0) })])
        )
        var columns: [String: [String: String]] = [:]
        for row in 0..<rows.rowCount {
            guard let table = rows.text(row, 0), let name = rows.text(row, 1) else { continue }
            columns[table, default: [:]][name] = rows.text(row, 2)
        }
        return columns
    }

    /// Whether a column is one of UUIDs: a reference is what the key is that it refers to.
    ///
    /// - Parameter stored: Says it of the key of a table that is there; nil of one that is made.
    private static func isUUID(
        _ attribute: ModelAttribute,
        _ stored: (String, String) -> Bool?
    ) -> Bool {
        guard let reference = attribute.reference, let key = reference.key else {
            return attribute.isUUID
        }
        return stored(reference.target.modelTable, key.name) ?? isUUID(key, stored)
    }
}
