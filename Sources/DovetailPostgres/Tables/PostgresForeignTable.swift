import DovetailModel
import DovetailSQL
import DovetailStore

/// A table or view that somebody else has made, compared with a model and never changed.
///
/// There may be further columns, as long as a row can do without them. Indexes and constraints are not
/// looked at.
struct PostgresForeignTable {
    /// What is compared of a column.
    private struct Column {
        let name: String
        /// The name of its type in `pg_type`.
        let type: String
        let isNotNull: Bool
        let hasDefault: Bool
        let isPrimaryKey: Bool
        /// Whether text in it is compared by its bytes.
        let comparesBytes: Bool
    }

    private let columns: [String: Column]
    private let isView: Bool
    private let location: String

    /// Looks at a table; nil when there is none.
    ///
    /// - Throws: ``StoreError``.
    init?(_ table: String, on connection: PostgresConnection) throws {
        let rows = try connection.run(
            """
            SELECT a.attname, t.typname, a.attnotnull, a.atthasdef OR a.attidentity <> '',
                coalesce(a.attnum = ANY (i.indkey), FALSE), c.relkind IN ('v', 'm'),
                coalesce(k.collname IN ('C', 'POSIX', 'ucs_basic'), FALSE)
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
            JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
            LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary
            LEFT JOIN pg_catalog.pg_collation k ON k.oid = a.attcollation
            WHERE c.oid = pg_catalog.to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped
            """,
            PostgresFields.of([.value(.text(connection.quoted(table)))])
        )
        guard rows.rowCount > 0 else { return nil }
        func isTrue(_ row: Int, _ column: Int) -> Bool { rows.bytes(row, column)?.first == 1 }
        var columns: [String: Column] = [:]
        for row in 0..<rows.rowCount {
            let name = rows.text(row, 0) ?? ""
            columns[name] = Column(
                name: name,
                type: rows.text(row, 1) ?? "",
                isNotNull: isTrue(row, 2),
                hasDefault: isTrue(row, 3),
                isPrimaryKey: isTrue(row, 4),
                comparesBytes: isTrue(row, 6)
            )
        }
        self.columns = columns
        isView = isTrue(0, 5)
        location = connection.location
    }

    /// Compares the table with what a model needs.
    ///
    /// - Throws: ``StoreError`` of kind `invalidSchema` when a column is missing, of a type that would
    ///   change its values, or part of another key; when the table requires a value where the model's may
    ///   be nil, or in a column that the model does not have.
    func compare(with entity: EntityDescription) throws {
        var unknown = columns
        for (index, attribute) in entity.columns.enumerated() {
            func mismatch(_ explanation: String) -> StoreError {
                self.mismatch(entity, attribute.name, explanation)
            }
            guard let column = unknown.removeValue(forKey: attribute.name) else {
                throw mismatch("the table that exists lacks this column")
            }
            guard Self.keeps(attribute.type, in: column.type) else {
                throw mismatch(
                    "a column of type \(column.type) does not keep values of kind \(attribute.type)"
                )
            }
            if isView { continue }
            guard column.isPrimaryKey == entity.key.contains(index) else {
                throw mismatch("the table that exists has another key")
            }
            guard !attribute.isOptional || !column.isNotNull || attribute.isGenerated else {
                throw mismatch(
                    "the table that exists requires a value, and the model's may be nil"
                )
            }
        }
        if isView { return }
        for column in unknown.values.sorted(by: { $0.name < $1.name })
        where column.isNotNull && !column.hasDefault && !column.isPrimaryKey {
            throw mismatch(entity, column.name, "the table that exists requires this column")
        }
        if let key = unknown.values.first(where: \.isPrimaryKey) {
            throw mismatch(entity, key.name, "the table that exists has another key")
        }
    }

    /// The columns that a query has to take in another form, so that it compares them as it compares those
    /// of our own tables.
    func forms(of entity: EntityDescription) -> [Int: SQLColumnForm] {
        var forms: [Int: SQLColumnForm] = [:]
        for (index, attribute) in entity.columns.enumerated() {
            guard let column = columns[attribute.name] else { continue }
            switch attribute.type {
            case .date where column.type != "timestamptz": forms[index] = .date
            case .text where !column.comparesBytes: forms[index] = .collated
            default: break
            }
        }
        return forms
    }

    /// Whether a column of a type gives back what was written.
    private static func keeps(_ kind: ColumnType, in type: String) -> Bool {
        switch kind {
        case .boolean: type == "bool"
        case .integer: ["int2", "int4", "int8"].contains(type)
        case .double: ["float4", "float8"].contains(type)
        case .decimal: type == "numeric"
        case .text: ["text", "varchar", "bpchar", "name"].contains(type)
        case .date: ["timestamptz", "timestamp", "date"].contains(type)
        case .data: type == "bytea"
        case .document: ["json", "text", "varchar"].contains(type)
        }
    }

    private func mismatch(
        _ entity: EntityDescription,
        _ column: String,
        _ explanation: String
    ) -> StoreError {
        StoreError(
            .invalidSchema,
            table: entity.table,
            column: column,
            location: location,
            explanation: explanation
        )
    }
}
