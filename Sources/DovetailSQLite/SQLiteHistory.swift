import CSQLite
import DovetailModel
import DovetailSQL
import DovetailStore
import Foundation

/// The history that a database keeps of itself.
///
/// - `dovetail_commits` has a row for each commit: number, time and author.
/// - `dovetail_open_commit` has one row while a transaction of Dovetail's runs: the number of it.
///   Where it has none, another program writes, and each of its rows is a commit of its own.
/// - `dovetail_history_T` has a row for each change of a row of T: commit, verb, the positions of the
///   columns that changed, and the columns as they are new (insert) or were before. A row of the verb
///   `base` or `none` is no change (`SQLiteBases`).
///
/// Triggers write them in the transaction that makes the change. They do nothing else, and a change
/// that leaves all columns as they were is none.
struct SQLiteHistory {
    /// Its connection holds it.
    unowned let connection: SQLiteConnection
    let schema: Schema
    let retention: Duration?

    private func quoted(_ name: String) -> String { connection.quoted(name) }

    /// The name of the table with the changes of another one.
    static func name(of table: String) -> String { "dovetail_history_" + table }

    /// The same, quoted.
    private func table(of entity: EntityDescription) -> String {
        quoted(Self.name(of: entity.table))
    }

    /// Whether the database keeps a history.
    func isKept() throws -> Bool {
        try connection.hasTable("dovetail_commits")
    }

    /// Makes the tables and triggers that are missing, in one transaction, and removes what is older
    /// than `retention`.
    func prepare() throws {
        if try !isKept() || !missing().isEmpty {
            try connection.transaction(keeping: true) {
                try connection.execute(
                    """
                    CREATE TABLE IF NOT EXISTS dovetail_commits (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        date TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')),
                        author TEXT
                    ) STRICT;
                    CREATE TABLE IF NOT EXISTS dovetail_open_commit (
                        number INTEGER NOT NULL
                    ) STRICT;
                    """
                )
                // Asked again: another process may have made them before this one had the lock.
                for (entity, hasTable, triggers) in try missing() {
                    if !hasTable { try connection.execute(tableText(of: entity.description)) }
                    for trigger in triggers {
                        try connection.execute("DROP TRIGGER IF EXISTS \(quoted(trigger.name))")
                        try connection.execute(trigger.text)
                    }
                    // A history that was dropped may have left it.
                    if !hasTable, try connection.hasTable("dovetail_store") {
                        try SQLiteBases(connection, entity).reset()
                    }
                }
            }
        }
        try prune()
    }

    /// The tables whose changes are not kept, or in another way than this code does: whether their history is there,
    /// and the triggers that are to be made. They go with a table that somebody makes anew, as SQLite says to change
    /// one.
    ///
    /// - Throws: ``StoreError`` of kind `invalidSchema` for a history that lacks a column.
    private func missing() throws -> [(EntityBinding, hasTable: Bool, [Trigger])] {
        let statement = try connection.statement(
            "SELECT name, sql FROM sqlite_schema WHERE name LIKE 'dovetail@_history@_%' ESCAPE '@'"
        )
        defer { statement.reset() }
        var known: [String: String] = [:]
        while try statement.step() { known[statement.text(0)] = statement.text(1) }
        return try schema.bindings.compactMap { entity in
            let hasTable = known[Self.name(of: entity.table)] != nil
            if hasTable { try requireColumns(of: entity.description) }
            let triggers = triggers(of: entity.description).filter { known[$0.name] != $0.text }
            return hasTable && triggers.isEmpty ? nil : (entity, hasTable, triggers)
        }
    }

    /// Sees that a history has all columns of its table.
    private func requireColumns(of entity: EntityDescription) throws {
        let names = try connection.columnNames(of: Self.name(of: entity.table))
        guard let lacking = entity.columns.first(where: { !names.contains($0.name.lowercased()) })
        else { return }
        throw StoreError(
            .invalidSchema,
            table: entity.table,
            location: connection.location,
            explanation: "its history in \(Self.name(of: entity.table)) does not have the column "
                + "\(lacking.name); add it there, too, or drop that table, with which all that it tells goes"
        )
    }

    /// What fills a history.
    private typealias Trigger = (name: String, text: String)

    /// The table for the changes of an entity.
    private func tableText(of entity: EntityDescription) -> String {
        let dialect = connection.renderer.dialect
        let columns = entity.columns.map { column in
            "\(quoted(column.name)) \(dialect.columnType(column.type, isKey: false))"
        }
        let history = table(of: entity)
        return """
            CREATE TABLE \(history) (
                dovetail_sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                dovetail_commit INTEGER NOT NULL,
                dovetail_verb TEXT NOT NULL,
                dovetail_changed TEXT NOT NULL,
                \(columns.joined(separator: ",\n    "))
            ) STRICT;
            CREATE INDEX \(quoted("dovetail_history_commits_\(entity.table)"))
            ON \(history) (dovetail_commit);
            """
    }

    /// The triggers that fill it, as the database keeps their texts.
    private func triggers(of entity: EntityDescription) -> [Trigger] {
        let names = entity.columns.map { quoted($0.name) }
        let history = table(of: entity)
        let isKeyKept = entity.key.map { "old.\(names[$0]) IS new.\(names[$0])" }
            .joined(separator: " AND ")
        let changed = names.enumerated().map { "iif(old.\($1) IS NOT new.\($1), ',\($0)', '')" }
            .joined(separator: " || ")
        let isChanged = names.map { "old.\($0) IS NOT new.\($0)" }.joined(separator: " OR ")
        func row(_ verb: String, _ image: String, _ changed: String = "''") -> String {
            """
                INSERT INTO \(history) (dovetail_commit, dovetail_verb, dovetail_changed,
                    \(names.joined(separator: ", ")))
                VALUES (
                    coalesce(
                        (SELECT number FROM dovetail_open_commit),
                        (SELECT max(number) FROM dovetail_commits)
                    ), '\(verb)', \(changed),
                    \(names.map { "\(image).\($0)" }.joined(separator: ", ")));

            """
        }
        func trigger(
            _ kind: String,
            _ event: String,
            _ condition: String,
            _ rows: String
        ) -> Trigger {
            let name = "dovetail_history_\(kind)_\(entity.table)"
            let text = """
                CREATE TRIGGER \(quoted(name))
                AFTER \(event) ON \(quoted(entity.table))\(condition) BEGIN
                    INSERT INTO dovetail_commits (author)
                    SELECT NULL WHERE NOT EXISTS (SELECT 1 FROM dovetail_open_commit);
                \(rows)END
                """
            return (name, text)
        }
        // A row that is marked is gone for all who do not ask for it.
        let mark = entity.mark.map { names[$0] }
        func when(_ conditions: [String?]) -> String {
            let all = conditions.compactMap { $0 }
            return all.isEmpty ? "" : " WHEN " + all.map { "(\($0))" }.joined(separator: " AND ")
        }
        let wasThere = mark.map { "old.\($0) IS NULL" }
        let isThere = mark.map { "new.\($0) IS NULL" }
        var triggers = [
            trigger("insert", "INSERT", when([isThere]), row("insert", "new")),
            trigger("delete", "DELETE", when([wasThere]), row("delete", "old")),
            trigger(
                "update",
                "UPDATE",
                when([isKeyKept, isChanged, wasThere, isThere]),
                row("update", "old", changed)
            ),
            trigger(
                "move",
                "UPDATE",
                when(["NOT (\(isKeyKept))", wasThere, isThere]),
                row("delete", "old") + row("insert", "new")
            ),
        ]
        guard let mark else { return triggers }
        triggers.append(
            trigger(
                "mark",
                "UPDATE",
                when(["old.\(mark) IS NULL", "new.\(mark) IS NOT NULL"]),
                row("delete", "old")
            )
        )
        triggers.append(
            trigger(
                "return",
                "UPDATE",
                when(["old.\(mark) IS NOT NULL", "new.\(mark) IS NULL"]),
                row("insert", "new")
            )
        )
        return triggers
    }

    /// Removes what is too old, after one commit in a few hundred.
    func pruneSometimes(after number: Int64) {
        // What is kept too long is no reason for a save to fail; the next one tries again.
        if number % 256 == 0 { try? prune() }
    }

    /// Removes commits that are older than `retention`, and their changes.
    private func prune() throws {
        guard let retention else { return }
        let seconds = retention.components.seconds
        let age = "strftime('%Y-%m-%d %H:%M:%f', 'now', '-\(seconds) seconds')"
        guard
            try connection.text("SELECT 1 FROM dovetail_commits WHERE date < \(age) LIMIT 1") != nil
        else { return }
        try connection.transaction(keeping: true) {
            let last = try connection.text(
                "SELECT max(number) FROM dovetail_commits WHERE date < \(age)"
            )
            try connection.execute("DELETE FROM dovetail_commits WHERE date < \(age)")
            if let last, try connection.hasTable("dovetail_store") {
                try connection.execute(
                    """
                    INSERT INTO dovetail_store VALUES ('\(HistoryCommit.prunedName)', \(last))
                        ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)
                    """
                )
            }
            for entity in schema.bindings {
                try connection.execute(
                    """
                    DELETE FROM \(table(of: entity.description)) WHERE dovetail_commit
                        < (SELECT coalesce(min(number), 9223372036854775807) FROM dovetail_commits)
                        AND NOT (\(try SQLiteBases(connection, entity).needed()))
                    """
                )
            }
        }
    }

    // MARK: Writing

    /// Begins a commit, after `BEGIN IMMEDIATE`: what triggers write from now on has its number.
    func begin(_ author: String?) throws -> Int64 {
        let statement = try connection.statement(
            "INSERT INTO dovetail_commits (author) VALUES (?1) RETURNING number"
        )
        try statement.bind([author.map { .text($0) } ?? .null])
        defer { statement.reset() }
        guard try statement.step() else { return 0 }
        let number = statement.integer(0)
        statement.reset()
        try connection.execute("INSERT INTO dovetail_open_commit VALUES (\(number))")
        return number
    }

    /// Ends it, before `COMMIT`.
    ///
    /// - Returns: Whether it has changed anything; otherwise it leaves no trace.
    func end(_ number: Int64, hasChanges: Bool) throws -> Bool {
        try connection.execute("DELETE FROM dovetail_open_commit")
        if !hasChanges {
            try connection.execute("DELETE FROM dovetail_commits WHERE number = \(number)")
        }
        return hasChanges
    }

    // MARK: Reading

    /// The commits after a number that have changed something.
    func commits(since number: Int64, limit: Int?) throws -> [HistoryCommit] {
        try HistoryCommit.requireAll(
            after: number,
            pruned: connection.kept(HistoryCommit.prunedName),
            location: connection.location
        )
        return try HistoryCommit.first(limit, after: number) { try part(after: $0, limit: $1) }
    }

    /// What some commits after a number have changed, and the number of the last one of them.
    private func part(
        after number: Int64,
        limit: Int?
    ) throws -> (commits: [HistoryCommit], last: Int64)? {
        let statement = try connection.statement(
            """
            SELECT number, date, author FROM dovetail_commits WHERE number > ?1
            ORDER BY number LIMIT ?2
            """
        )
        try statement.bind([.integer(number), .integer(Int64(limit ?? -1))])
        var heads: [(number: Int64, date: Date, author: String?)] = []
        do {
            defer { statement.reset() }
            while try statement.step() {
                let date = DateText.date(sortable: statement.text(1)) ?? .distantPast
                let hasAuthor = sqlite3_column_type(statement.handle, 2) != SQLITE_NULL
                heads.append((statement.integer(0), date, hasAuthor ? statement.text(2) : nil))
            }
        }
        guard let last = heads.last?.number else { return nil }
        var changes: [Int64: [HistoryChange]] = [:]
        for entity in schema.bindings {
            try read(entity, after: number, through: last) { changes[$0, default: []].append($1) }
        }
        let commits = heads.compactMap { head in
            changes[head.number].map {
                HistoryCommit(
                    number: head.number,
                    date: head.date,
                    author: head.author,
                    changes: $0
                )
            }
        }
        return (commits, last)
    }

    /// Goes over the changes of one table.
    private func read(
        _ entity: EntityBinding,
        after first: Int64,
        through last: Int64,
        _ take: (Int64, HistoryChange) -> Void
    ) throws {
        let names = entity.attributes.map { quoted($0.name) }.joined(separator: ", ")
        // The entity's columns come first, so that its positions are those of the statement.
        let statement = try connection.statement(
            """
            SELECT \(names), dovetail_commit, dovetail_verb, dovetail_changed
            FROM \(table(of: entity.description))
            WHERE dovetail_commit > ?1 AND dovetail_commit <= ?2
                AND dovetail_verb IN ('insert', 'update', 'delete') ORDER BY dovetail_sequence
            """
        )
        try statement.bind([.integer(first), .integer(last)])
        let cursor = SQLiteCursor(statement)
        defer { cursor.close() }
        let count = Int32(entity.attributes.count)
        while try cursor.next() {
            let change = try SQLHistory.change(
                cursor,
                of: entity,
                verb: statement.text(count + 1),
                changed: statement.text(count + 2)
            )
            take(statement.integer(count), change)
        }
    }
}
