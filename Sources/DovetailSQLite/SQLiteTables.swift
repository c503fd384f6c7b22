import CSQLite
import DovetailModel
import DovetailSQL
import DovetailStore

/// Compares the tables of a database with a schema and creates what is missing.
///
/// ``SQLiteStore`` uses it once, while it opens. It never changes a table that exists: a schema
/// that evolved is an error here. Names are compared without regard to case, as SQLite does.
struct SQLiteTables {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// The entities without a table. Nothing is written.
    ///
    /// - Throws: ``StoreError`` of kind `invalidSchema` when a table lacks a column, has another
    ///   key, requires a column that the model does not have, or a value where the model's may be
    ///   nil.
    func missing(of schema: Schema) throws -> [EntityBinding] {
        var missing: [EntityBinding] = []
        for entity in schema.entities {
            let columns = try columns(of: entity.table)
            if columns.isEmpty {
                missing.append(entity)
            } else {
                try compare(columns, with: entity)
            }
        }
        return missing
    }

    /// Creates the tables of entities in one transaction, which is not begun when there are none.
    ///
    /// - Throws: ``StoreError``; `readOnly` when there are some and the database cannot be written
    ///   to.
    func create(_ entities: [EntityBinding]) throws {
        guard let first = entities.first else { return }
        guard !connection.isReadOnly else {
            throw StoreError(
                .readOnly,
                table: first.table,
                location: connection.location,
                explanation: "the table does not exist and the database cannot be written to"
            )
        }
        try connection.transaction(keeping: true) {
            for entity in entities {
                try connection.execute(connection.renderer.createTable(entity))
            }
        }
    }

    /// What is compared of a column that exists.
    private struct Column {
        /// Whether it refuses NULL.
        let isNotNull: Bool
        /// Whether a row has to give it a value: NOT NULL without a default.
        let isRequired: Bool
        let isPrimaryKey: Bool
    }

    /// The columns of a table by their names in lower case; none when there is no such table. See
    /// https://sqlite.org/pragma.html#pragma_table_info.
    private func columns(of table: String) throws -> [String: Column] {
        let statement = try connection.statement(
            """
            SELECT name, "notnull", "notnull" AND dflt_value IS NULL, pk > 0
            FROM pragma_table_info(?1)
            """
        )
        try statement.bind([.text(table)])
        defer { statement.reset() }
        var columns: [String: Column] = [:]
        while try statement.step() {
            let name = sqlite3_column_text(statement.handle, 0).map { String(cString: $0) } ?? ""
            columns[name.lowercased()] = Column(
                isNotNull: sqlite3_column_int(statement.handle, 1) == 1,
                isRequired: sqlite3_column_int(statement.handle, 2) == 1,
                isPrimaryKey: sqlite3_column_int(statement.handle, 3) == 1
            )
        }
        return columns
    }

    /// Types are not compared: outside of STRICT tables a column holds any value, and reading tells
    /// what does not fit.
    private func compare(_ columns: [String: Column], with entity: EntityBinding) throws {
        var unknown = columns
        for attribute in entity.attributes {
            guard let column = unknown.removeValue(forKey: attribute.name.lowercased()) else {
                throw mismatch(entity, attribute.name, "the table that exists lacks this column")
            }
            guard column.isPrimaryKey == attribute.isPrimaryKey else {
                throw mismatch(entity, attribute.name, "the table that exists has another key")
            }
            // A default does not help: nil is written as NULL.
            guard !attribute.isOptional || !column.isNotNull else {
                throw mismatch(
                    entity,
                    attribute.name,
                    "the table that exists requires a value, and the model's may be nil"
                )
            }
        }
        for (name, column) in unknown.sorted(by: { $0.key < $1.key }) where column.isRequired {
            throw mismatch(entity, name, "the table that exists requires this column")
        }
    }

    /// The error about one column of a table that exists.
    private func mismatch(_ entity: EntityBinding, _ column: String, _ text: String) -> StoreError {
        StoreError(
            .invalidSchema,
            table: entity.table,
            column: column,
            location: connection.location,
            explanation: text
        )
    }
}
