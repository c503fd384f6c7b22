import CPostgres
import DovetailModel
import DovetailSQL
import DovetailStore

/// Compares the tables of a database with a schema and creates what is missing. ``PostgresStore`` uses it
/// once, while it opens.
///
/// A table that Dovetail made has a row in `dovetail_schema` with its description. Missing indexes are
/// added to it; every other difference is an error. A table without such a row belongs to others: see
/// ``PostgresForeignTable``.
struct PostgresTables {
    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) {
        self.connection = connection
    }

    /// The number of the form of `dovetail_schema` and `dovetail_store` that this code writes.
    private static let format = 1

    /// What a database lacks.
    private struct Missing {
        var tables: [EntityDescription] = []
        /// Tables with descriptions that have more indexes than the stored ones, and those indexes.
        var indexes: [(EntityDescription, [EntityDescription.Index])] = []

        var isEmpty: Bool { tables.isEmpty && indexes.isEmpty }
    }

    /// Makes the database fit a schema, in one transaction: of two processes that open it at the same time
    /// one makes the tables, and the other one waits and compares. Where nothing is missing, nothing is
    /// written. The connection knows the tables and their constraints then.
    ///
    /// - Throws: ``StoreError``.
    func prepare(for schema: Schema) throws {
        if try !missing(of: schema).isEmpty {
            try connection.transaction(keeping: true) {
                // "dovetail" in eight bytes: a lock that only openings take.
                try connection.execute("SELECT pg_advisory_xact_lock(7237113244573526380)")
                try create(self.missing(of: schema), for: schema)
            }
        }
        connection.catalog = try PostgresCatalog(of: schema.bindings.map(\.table), on: connection)
    }

    /// What is missing. Nothing is written.
    private func missing(of schema: Schema) throws -> Missing {
        let stored = try storedDescriptions()
        var missing = Missing()
        var differences: [(table: String, text: String)] = []
        var foreign = SQLForeignTables()
        for binding in schema.bindings {
            let entity = binding.description
            guard let known = stored[entity.table] else {
                if let table = try PostgresForeignTable(entity.table, on: connection) {
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

    /// The descriptions of the tables that Dovetail made, by their names.
    private func storedDescriptions() throws -> [String: EntityDescription] {
        guard try connection.hasTable("dovetail_schema") else { return [:] }
        let format = try connection.run("SELECT value FROM dovetail_store WHERE name = 'format'")
            .text(0, 0)
        guard let number = format.flatMap({ Int($0) }), number <= Self.format else {
            throw StoreError(
                .newerFormat,
                location: connection.location,
                explanation: "a newer version of Dovetail has made this database (format "
                    + "\(format.flatMap { Int($0) } ?? 0), known is \(Self.format))"
            )
        }
        let rows = try connection.run("SELECT entity, description FROM dovetail_schema")
        var descriptions: [String: EntityDescription] = [:]
        for row in 0..<rows.rowCount {
            guard let table = rows.text(row, 0), let text = rows.text(row, 1) else { continue }
            do {
                descriptions[table] = try EntityDescription(json: text)
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

    /// Creates tables and indexes, and writes down what they are. The caller has opened a transaction.
    private func create(_ missing: Missing, for schema: Schema) throws {
        guard !missing.isEmpty else { return }
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
            INSERT INTO dovetail_store VALUES ('format', '\(Self.format)') ON CONFLICT DO NOTHING;
            """
        )
        let renderer = connection.renderer
        // A table is made before those that refer to it; of a circle, the references are added at the end.
        var late: [(EntityDescription, EntityDescription.Reference)] = []
        var made = Set<String>()
        let new = Set(missing.tables.map(\.table))
        for entity in missing.tables {
            var table = entity
            for reference in entity.references
            where reference.table != entity.table && new.contains(reference.table)
                && !made.contains(reference.table)
            {
                table.references.removeAll { $0 == reference }
                late.append((entity, reference))
            }
            try connection.execute(renderer.createTable(table))
            made.insert(entity.table)
        }
        for (entity, reference) in late {
            try connection.execute(renderer.addReference(reference, to: entity))
        }
        for entity in missing.tables {
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
            guard var all = stored[entity.table] else { continue }
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
