import DovetailModel
import DovetailSQL
import DovetailStore

extension SQLForeignTable {
    /// Looks at a table; nil when there is none.
    ///
    /// - Parameter uuids: The columns of which the model's values are UUIDs.
    /// - Throws: ``StoreError``.
    init?(
        postgres table: String,
        uuids: Set<String>,
        on connection: PostgresConnection
    ) throws {
        let rows = try connection.run(
            """
            SELECT a.attname, t.typname, a.attnotnull, a.atthasdef OR a.attidentity <> '',
                coalesce(a.attnum = ANY (i.indkey), FALSE), c.relkind IN ('v', 'm'),
                coalesce(k.collname IN ('C', 'POSIX', 'ucs_basic'), FALSE),
                c.relkind = 'p' AND i.indrelid IS NULL, a.atttypmod::text
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
        let columns = (0..<rows.rowCount).map { row in
            Column(
                name: rows.text(row, 0) ?? "",
                type: rows.text(row, 1) ?? "",
                modifier: rows.text(row, 8).flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 },
                isNotNull: rows.isTrue(row, 2),
                hasDefault: rows.isTrue(row, 3),
                isPrimaryKey: rows.isTrue(row, 4),
                comparesBytes: rows.isTrue(row, 6)
            )
        }
        self.init(
            columns,
            isView: rows.isTrue(0, 5),
            lacksKey: rows.isTrue(0, 7),
            location: connection.location,
            folded: { $0 },
            keeps: { kind, column in
                kind == .text && column.type == "uuid"
                    ? uuids.contains(column.name) : Self.keeps(kind, in: column.type)
            },
            form: { kind, column in
                switch kind {
                case .date where column.type != "timestamptz": .date
                case .double where column.type == "float4": .single
                case .text where column.type == "uuid": .uuid
                case .text where !column.comparesBytes: .collated
                default: nil
                }
            },
            rounding: { Self.rounding(of: $0, in: $1) }
        )
    }

    /// How a column rounds. Of the modifier of `numeric` the lowest eleven bits, with a sign, are the digits
    /// after the point, 4 added to the whole; that of `timestamp` is the digits of a second
    /// (https://www.postgresql.org/docs/current/datatype-numeric.html, and `datatype-datetime.html`).
    private static func rounding(of kind: ColumnType, in column: Column) -> ColumnRounding? {
        switch (kind, column.type) {
        case (.date, "date"): return .days
        case (.date, _): return column.modifier.map { .dates(digits: $0) }
        case (.double, "float4"): return .singles
        case (.text, "bpchar"): return .trimmedText
        case (.decimal, _):
            return column.modifier.map { .decimals(digits: (($0 - 4) & 0x7ff ^ 0x400) - 0x400) }
        default: return nil
        }
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
}
