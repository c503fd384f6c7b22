import DovetailModel
import DovetailSQL
import DovetailStore

/// What has changed since an entity was synchronized last: the first row that its history has of a key since
/// then says what the row was.
///
/// `dovetail_store` has the last row of the history before. What both sides do not have in the same form is
/// put behind it, with the verb `base` and the columns that the other side has, or `none` where that has no
/// row.
struct SQLiteBases {
    private unowned let connection: SQLiteConnection
    private let entity: EntityBinding
    /// The table with the history of the entity.
    private let history: String
    /// The columns of the entity, quoted.
    private let columns: [String]
    /// The name in `dovetail_store` of where the changes begin.
    private let name: String

    init(_ connection: SQLiteConnection, _ entity: EntityBinding) {
        self.connection = connection
        self.entity = entity
        history = connection.quoted(SQLiteHistory.name(of: entity.table))
        columns = entity.attributes.map { connection.quoted($0.name) }
        name = "synchronized \(entity.table)"
    }

    /// Where the changes begin; nil where the entity was never synchronized.
    private func beginning() throws -> Int64? { try connection.kept(name).flatMap { Int64($0) } }

    /// The condition of the rows of the history that are needed, however old they are.
    func needed() throws -> String { try beginning().map(first) ?? "FALSE" }

    /// The condition of the first row of each key after another row.
    private func first(after beginning: Int64) -> String {
        """
        dovetail_sequence IN (
            SELECT min(dovetail_sequence) FROM \(history) WHERE dovetail_sequence > \(beginning)
            GROUP BY \(entity.keyColumns.map { columns[$0] }.joined(separator: ", "))
        )
        """
    }

    /// The rows that were changed, as they were.
    func all() throws -> ChangedRows {
        guard let beginning = try beginning() else { return .all }
        // The entity's columns come first, so that its positions are those of the statement.
        let statement = try connection.statement(
            """
            SELECT \(columns.joined(separator: ", ")), dovetail_verb FROM \(history)
            WHERE \(first(after: beginning))
            """
        )
        let cursor = SQLiteCursor(statement)
        defer { cursor.close() }
        var rows: [BaseRow] = []
        while try cursor.next() {
            let verb = statement.text(Int32(columns.count))
            rows.append(try SQLHistory.base(cursor, of: entity, verb: verb))
        }
        return .rows(rows)
    }

    /// Forgets where they begin: the history is another one.
    func reset() throws { try connection.keep(nil, name, of: entity) }

    /// Lets the changes begin here.
    func set(_ bases: [BaseRow]) throws {
        // Not the largest one in the table: that may have been pruned.
        let last = try connection.text(
            "SELECT seq FROM sqlite_sequence WHERE name = ?1",
            [.text(SQLiteHistory.name(of: entity.table))]
        )
        if let beginning = try beginning() {
            // What was put there by the last list says nothing any more.
            try connection.execute(
                """
                DELETE FROM \(history) WHERE dovetail_sequence > \(beginning)
                    AND dovetail_verb IN ('base', 'none')
                """
            )
        }
        try connection.keep(last ?? "0", name, of: entity)
        if bases.isEmpty { return }
        let statement = try connection.statement(
            """
            INSERT INTO \(history) (dovetail_commit, dovetail_verb, dovetail_changed,
                \(columns.joined(separator: ", ")))
            VALUES (coalesce((SELECT number FROM dovetail_open_commit), 0), ?, '',
                \(columns.map { _ in "?" }.joined(separator: ", ")))
            """
        )
        for base in bases {
            defer { statement.reset() }
            try statement.bind(
                [.text(SQLHistory.verb(of: base))] + SQLHistory.values(of: base, entity)
            )
            _ = try statement.step()
        }
    }
}
