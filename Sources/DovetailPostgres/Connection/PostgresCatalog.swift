import DovetailSQL
import DovetailStore

/// What is known of the constraints of the tables, for errors that name one, and of the unique columns.
struct PostgresCatalog: Sendable {
    /// A constraint, or a unique index.
    struct Constraint: Sendable {
        let table: String
        /// The columns as errors name them, in their order: `city, name`.
        let columns: String
        let names: [String]
        let isPrimary: Bool
        let isUnique: Bool
    }

    /// By their names.
    private(set) var constraints: [String: Constraint] = [:]
    /// The relations that are no tables.
    private(set) var views: Set<String> = []
    /// The schemas in which the tables are.
    private(set) var places: [String: String] = [:]
    /// The history, where one is kept. ``PostgresStore`` sets it when it is ready.
    var history: PostgresHistory?
    /// Whether the server can be asked what became of a transaction
    /// (https://www.postgresql.org/docs/current/functions-info.html).
    private(set) var knowsTransactions = false
    /// Whether `dovetail_store` is there, which keeps what belongs to lists.
    private(set) var keepsLists = false

    /// Knows nothing.
    init() {}

    /// Asks the database.
    ///
    /// - Throws: ``StoreError``.
    init(of tables: [String], on connection: PostgresConnection) throws {
        let names = try PostgresFields.of([.list(tables.map { .text($0) })])
        let result = try connection.run(
            """
            SELECT i.relname, t.relname, a.attname, x.indisprimary, TRUE, k.place
            FROM pg_catalog.pg_index x
            JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
            JOIN pg_catalog.pg_class t ON t.oid = x.indrelid
            CROSS JOIN LATERAL unnest(x.indkey::int2[]) WITH ORDINALITY AS k (number, place)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND (
                a.attnum = k.number
                -- A part of the index that is an expression of a column, as that of a document.
                OR k.number = 0 AND a.attnum IN (
                    SELECT d.refobjsubid FROM pg_catalog.pg_depend d
                    WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = i.oid AND d.refobjid = t.oid
                ) AND strpos(
                    pg_catalog.pg_get_indexdef(i.oid, k.place::int, TRUE), pg_catalog.quote_ident(a.attname)
                ) > 0
            )
            WHERE x.indisunique AND t.relname = ANY ($1) AND pg_catalog.pg_table_is_visible(t.oid)
            UNION ALL
            SELECT c.conname, t.relname, a.attname, FALSE, FALSE, k.place
            FROM pg_catalog.pg_constraint c
            JOIN pg_catalog.pg_class t ON t.oid = c.conrelid
            CROSS JOIN LATERAL unnest(c.conkey) WITH ORDINALITY AS k (number, place)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number
            WHERE c.contype IN ('f', 'c') AND t.relname = ANY ($1)
                AND pg_catalog.pg_table_is_visible(t.oid)
            ORDER BY 1, 6
            """,
            names
        )
        var found: [String: (table: String, names: [String], isPrimary: Bool, isUnique: Bool)] = [:]
        for row in 0..<result.rowCount {
            guard let name = result.text(row, 0), let table = result.text(row, 1),
                let column = result.text(row, 2)
            else { continue }
            let isPrimary = result.isTrue(row, 3)
            let isUnique = result.isTrue(row, 4)
            found[name, default: (table, [], isPrimary, isUnique)].names.append(column)
        }
        constraints = found.mapValues {
            Constraint(
                table: $0.table,
                columns: $0.names.joined(separator: ", "),
                names: $0.names,
                isPrimary: $0.isPrimary,
                isUnique: $0.isUnique
            )
        }
        let relations = try connection.run(
            """
            SELECT relname, relkind IN ('v', 'm'), relnamespace::regnamespace::text
            FROM pg_catalog.pg_class
            WHERE relname = ANY ($1) AND relkind IN ('r', 'p', 'f', 'v', 'm')
                AND pg_catalog.pg_table_is_visible(oid)
            """,
            names
        )
        for row in 0..<relations.rowCount {
            guard let name = relations.text(row, 0) else { continue }
            places[name] = relations.text(row, 2)
            if relations.isTrue(row, 1) { views.insert(name) }
        }
        let function = try connection.run(
            "SELECT pg_catalog.to_regproc('pg_catalog.pg_xact_status') IS NOT NULL"
        )
        knowsTransactions = function.isTrue(0, 0)
        keepsLists = try connection.hasTable("dovetail_store")
    }

    /// The columns of a table that unique indexes name, but for its key's.
    func uniqueColumns(of table: String) -> Set<String> {
        Set(
            constraints.values.filter { $0.table == table && $0.isUnique && !$0.isPrimary }
                .flatMap(\.names)
        )
    }
}
