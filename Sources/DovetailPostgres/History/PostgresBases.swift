import DovetailModel
import DovetailSQL
import DovetailStore

/// What has changed since an entity was synchronized last: the first row that its history has of a key since
/// then says what the row was.
///
/// `dovetail_store` has three numbers of the transaction that has put a list there: the last commit that it
/// saw, its own number, and the last row of the history that it had written by then. Changes that it did not
/// see count, whichever was stored first. What both sides do not have in the same form is put into the
/// history, with the verb `base` and the columns that the other side has, or `none` where that has no row, and
/// comes before all changes.
struct PostgresBases {
    private let connection: PostgresConnection
    private let entity: EntityBinding
    /// The table with the history of the entity.
    private let history: String
    /// The name in `dovetail_store` of where the changes begin.
    private let name: String

    init(_ connection: PostgresConnection, _ entity: EntityBinding) {
        self.connection = connection
        self.entity = entity
        history = PostgresHistory.table(of: entity)
        name = "synchronized \(entity.table)"
    }

    /// Where the changes begin.
    private struct Beginning {
        let seen: Int64
        let commit: Int64
        let sequence: Int64

        init?(_ text: String) {
            let numbers = text.split(separator: " ").compactMap { Int64($0) }
            guard numbers.count == 3 else { return nil }
            (seen, commit, sequence) = (numbers[0], numbers[1], numbers[2])
        }
    }

    /// Nil where the entity was never synchronized.
    private func beginning() throws -> Beginning? {
        try connection.kept(name).flatMap { Beginning($0) }
    }

    private var key: String {
        entity.keyColumns.map { column in
            let attribute = entity.attributes[column]
            return connection.renderer.dialect.value(
                of: "h." + connection.quoted(attribute.name),
                attribute.columnType
            )
        }
        .joined(separator: ", ")
    }

    /// The first row of each key after a beginning.
    private func first(_ columns: String, after beginning: Beginning) -> String {
        """
        SELECT DISTINCT ON (\(key)) \(columns) FROM \(history) h
        WHERE h.dovetail_commit IN (
            SELECT id FROM dovetail_commits WHERE number > \(beginning.seen)
            UNION ALL SELECT 0 UNION ALL SELECT \(PostgresHistory.ownCommit)
        ) AND NOT (h.dovetail_commit = \(beginning.commit) AND h.dovetail_commit <> 0
            AND h.dovetail_sequence <= \(beginning.sequence))
        ORDER BY \(key), h.dovetail_commit <> 0, h.dovetail_sequence
        """
    }

    /// The numbers of the rows of the history that are needed, however old they are.
    func needed() throws -> String {
        guard let beginning = try beginning() else {
            return "SELECT dovetail_sequence FROM \(history) WHERE FALSE"
        }
        return "SELECT dovetail_sequence FROM (\(first("h.dovetail_sequence", after: beginning))) f"
    }

    /// The rows that were changed, as they were.
    func all() throws -> ChangedRows {
        guard let beginning = try beginning() else { return .all }
        // The entity's columns come first, so that its positions are those of the statement.
        let columns =
            entity.attributes.map { "h." + connection.quoted($0.name) } + ["h.dovetail_verb"]
        let result = try connection.run(first(columns.joined(separator: ", "), after: beginning))
        let cursor = PostgresCursor(result, connection.interruption)
        defer { cursor.close() }
        var rows: [BaseRow] = []
        while try cursor.next() {
            let verb = result.text(rows.count, columns.count - 1) ?? ""
            rows.append(try SQLHistory.base(cursor, of: entity, verb: verb))
        }
        return .rows(rows)
    }

    /// Forgets where they begin: the history is another one.
    func reset() throws { try connection.keep(nil, name, of: entity) }

    /// Lets the changes begin here.
    func set(_ bases: [BaseRow]) throws {
        let here = try connection.run(
            """
            SELECT concat_ws(
                ' ', coalesce((SELECT max(number) FROM dovetail_commits), 0),
                \(PostgresHistory.ownCommit),
                coalesce(pg_sequence_last_value(
                    pg_get_serial_sequence($1, 'dovetail_sequence')::regclass), 0)
            )
            """,
            PostgresFields.of([.value(.text(history))])
        )
        // What was put there by the last list says nothing any more.
        try connection.execute("DELETE FROM \(history) WHERE dovetail_commit = 0")
        try connection.keep(here.text(0, 0), name, of: entity)
        if bases.isEmpty { return }
        let names = entity.attributes.map { connection.quoted($0.name) }
        let parameters = names.indices.map { "$\($0 + 1)" }
        let sql = """
            INSERT INTO \(history) (\(names.joined(separator: ", ")), dovetail_commit, dovetail_verb,
                dovetail_changed)
            VALUES (\(parameters.joined(separator: ", ")), 0, $\(names.count + 1), '')
            """
        let types = connection.types(of: entity) + [PostgresType.text]
        let statement = connection.statement(sql, types)
        for base in bases {
            let fields = PostgresFields(types, of: entity)
            for (column, value) in SQLHistory.values(of: base, entity).enumerated() {
                try value.set(column, of: fields)
            }
            try QueryValue.text(SQLHistory.verb(of: base)).set(names.count, of: fields)
            _ = try connection.run(statement, fields, table: entity.table)
        }
    }
}

extension PostgresConnection {
    func bases(of entity: EntityBinding) throws -> ChangedRows? {
        try requireTransaction()
        guard keepsBases(of: entity) else { return nil }
        return try PostgresBases(self, entity).all()
    }

    func setBases(_ bases: [BaseRow], of entity: EntityBinding) throws {
        try requireTransaction()
        guard keepsBases(of: entity) else {
            throw StoreError(
                .historyDisabled,
                table: entity.table,
                location: location,
                explanation: "set `history` in the configuration to keep one"
            )
        }
        try PostgresBases(self, entity).set(bases)
    }

    /// Whether a history has the changes of an entity, and it can be kept which of them count.
    private func keepsBases(of entity: EntityBinding) -> Bool {
        catalog.history != nil && !catalog.views.contains(entity.table) && catalog.keepsLists
    }
}
