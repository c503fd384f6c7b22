import DovetailModel
import DovetailSQL
import DovetailStore
import Foundation

/// The history that a database keeps of itself.
///
/// - `dovetail_history_T` has a row for each change of a row of T: verb, the positions of the columns that
///   changed, and the columns as they are new (insert) or were before. Its rows of one transaction have one
///   number in `dovetail_commit`. A row of the verb `base` or `none` is no change (`PostgresBases`); it has the
///   number 0.
/// - `dovetail_commits` gives such a number its place in the order of commits (`number`), date and author.
/// - `dovetail_open_commits` has the row of a transaction from its first change to its end. Nobody else ever
///   sees one.
///
/// Triggers write them in the transaction that makes the change (``PostgresHistoryObjects``). They do nothing
/// else, and a change that leaves all columns as they were is none.
///
/// `number` is given at the end of a transaction, after all its other deferred checks, under a lock that is
/// held until others see the transaction. So whoever sees a number sees all smaller ones, and whoever
/// follows never passes one over.
struct PostgresHistory: Sendable {
    let schema: Schema
    let retention: Duration?

    /// What an SQL statement calls the table with the changes of an entity.
    static func table(of entity: EntityBinding) -> String {
        PostgresDialect().quoted(SQLHistory.shortName(of: entity.table))
    }

    /// The name of the function that makes one change of what was parked and written again.
    static func unparking(_ entity: EntityBinding) -> String {
        SQLHistory.shortName(of: entity.table, "dovetail_unpark_")
    }

    /// The number of the changes that this transaction has made, 0 for none yet.
    static let ownCommit = """
        coalesce(nullif(current_setting('dovetail.commit_'
            || 'dovetail_open_commits'::regclass::oid, TRUE), '')::bigint, 0)
        """

    /// Whether the database keeps a history.
    static func isKept(on connection: PostgresConnection) throws -> Bool {
        try connection.hasTable("dovetail_commits")
    }

    /// Makes the tables and triggers that are missing, in one transaction, and removes what is older than
    /// ``retention``.
    ///
    /// - Throws: ``StoreError``: `readOnly` where something is missing and may not be made, and
    ///   `unsupported` for a table of another server.
    func prepare(on connection: PostgresConnection) throws {
        let objects = PostgresHistoryObjects(schema: schema, connection: connection)
        if try !objects.missing().isEmpty {
            try connection.plainTransaction {
                try connection.lock(.history)
                // Asked again: another process may have made them before this one had the lock.
                try objects.create(objects.missing())
            }
        }
        try prune(on: connection)
    }

    // MARK: Pruning

    /// Removes what is too old, after one commit in a few hundred.
    func pruneSometimes(after number: Int64, on connection: PostgresConnection) {
        // What is kept too long is no reason for a save to fail; the next one tries again.
        if number % 256 == 0 { try? prune(on: connection) }
    }

    /// Removes commits that are older than ``retention``, and their changes. What a merge needs stays, and
    /// so do the numbers of its transactions, but nobody is told of them any more.
    private func prune(on connection: PostgresConnection) throws {
        guard let retention else { return }
        let age = "clock_timestamp() - interval '\(retention.components.seconds) seconds'"
        let old = "NOT is_pruned AND date < \(age)"
        let found = try connection.run("SELECT 1 FROM dovetail_commits WHERE \(old) LIMIT 1")
        guard found.rowCount > 0 else { return }
        try connection.plainTransaction {
            try connection.lock(.history)
            if try connection.hasTable("dovetail_store") {
                try connection.execute(
                    """
                    INSERT INTO dovetail_store SELECT '\(HistoryCommit.prunedName)', max(number)::text
                        FROM dovetail_commits WHERE \(old) HAVING max(number) IS NOT NULL
                        ON CONFLICT (name) DO UPDATE SET value
                            = greatest(dovetail_store.value::bigint, excluded.value::bigint)::text
                    """
                )
            }
            try connection.execute("UPDATE dovetail_commits SET is_pruned = TRUE WHERE \(old)")
            var tables: [String] = []
            for entity in schema.bindings where !connection.catalog.views.contains(entity.table) {
                let table = Self.table(of: entity)
                let needed = try PostgresBases(connection, entity).needed()
                try connection.execute(
                    """
                    DELETE FROM \(table) WHERE dovetail_commit
                        IN (SELECT id FROM dovetail_commits WHERE is_pruned)
                        AND dovetail_sequence NOT IN (\(needed))
                    """
                )
                tables.append(table)
            }
            // Tables of other programs' models, whose rows stay until these prune.
            let others = try connection.run(
                """
                SELECT quote_ident(relname) FROM pg_catalog.pg_class WHERE relkind = 'r'
                    AND relname LIKE 'dovetail\\_history\\_%' AND pg_catalog.pg_table_is_visible(oid)
                """
            )
            let all = Set(tables + (0..<others.rowCount).compactMap { others.text($0, 0) })
            let used = all.sorted().map { "SELECT 1 FROM \($0) WHERE dovetail_commit = c.id" }
            // The last one says how far the numbers have come.
            try connection.execute(
                """
                DELETE FROM dovetail_commits c WHERE is_pruned
                    AND number < (SELECT max(number) FROM dovetail_commits)
                    AND NOT EXISTS (\(used.joined(separator: " UNION ALL ")))
                """
            )
        }
    }

    // MARK: Reading

    /// The commits after a number that have changed something.
    ///
    /// - Parameter connection: Sees one state of the database.
    func commits(
        since number: Int64,
        limit: Int?,
        on connection: PostgresConnection
    ) throws -> [HistoryCommit] {
        try HistoryCommit.requireAll(
            after: number,
            pruned: connection.kept(HistoryCommit.prunedName),
            location: connection.location
        )
        return try HistoryCommit.first(limit, after: number) {
            try part(after: $0, limit: $1, on: connection)
        }
    }

    /// What some commits after a number have changed, and the number of the last one of them.
    private func part(
        after number: Int64,
        limit: Int?,
        on connection: PostgresConnection
    ) throws -> (commits: [HistoryCommit], last: Int64)? {
        let heads = try connection.run(
            """
            SELECT number, date, author FROM dovetail_commits WHERE number > $1 AND NOT is_pruned
            ORDER BY number LIMIT $2
            """,
            PostgresFields.of([
                .value(.integer(number)),
                .value(.integer(Int64(limit ?? Int(Int32.max)))),
            ])
        )
        let cursor = PostgresCursor(heads, nil)
        var commits: [(number: Int64, date: Date, author: String?)] = []
        while try cursor.next() {
            let row = commits.count
            commits.append(
                (cursor.integer(0) ?? 0, cursor.date(1) ?? .distantPast, heads.text(row, 2))
            )
        }
        guard let last = commits.last?.number else { return nil }
        var changes: [Int64: [HistoryChange]] = [:]
        for entity in schema.bindings where !connection.catalog.views.contains(entity.table) {
            try read(entity, after: number, through: last, on: connection) {
                changes[$0, default: []].append($1)
            }
        }
        let changed = commits.compactMap { commit in
            changes[commit.number].map {
                HistoryCommit(
                    number: commit.number,
                    date: commit.date,
                    author: commit.author,
                    changes: $0
                )
            }
        }
        return (changed, last)
    }

    /// Goes over the changes of one table.
    private func read(
        _ entity: EntityBinding,
        after first: Int64,
        through last: Int64,
        on connection: PostgresConnection,
        _ take: (Int64, HistoryChange) -> Void
    ) throws {
        let names = entity.attributes.map { "h." + connection.quoted($0.name) }
        // The entity's columns come first, so that its positions are those of the statement.
        let rows = try connection.run(
            """
            SELECT \(names.joined(separator: ", ")), c.number, h.dovetail_verb, h.dovetail_changed
            FROM dovetail_commits c JOIN \(Self.table(of: entity)) h ON h.dovetail_commit = c.id
            WHERE c.number > $1 AND c.number <= $2 AND NOT c.is_pruned
            ORDER BY h.dovetail_sequence
            """,
            PostgresFields.of([.value(.integer(first)), .value(.integer(last))])
        )
        let cursor = PostgresCursor(rows, connection.interruption)
        defer { cursor.close() }
        let count = names.count
        var row = 0
        while try cursor.next() {
            defer { row += 1 }
            let change = try SQLHistory.change(
                cursor,
                of: entity,
                verb: rows.text(row, count + 1) ?? "",
                changed: rows.text(row, count + 2) ?? ""
            )
            take(cursor.integer(count) ?? 0, change)
        }
    }
}
