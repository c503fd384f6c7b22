import DovetailModel
import DovetailSQL
import DovetailStore

/// The tables, functions and triggers that write a history.
///
/// A trigger sees all rows of a statement at once, so many rows cost one statement more, and `COPY` is a
/// statement (https://www.postgresql.org/docs/current/sql-createtrigger.html). Its functions run with the
/// rights of their owner: whoever may change a table need not have rights in its history.
struct PostgresHistoryObjects {
    let schema: Schema
    let connection: PostgresConnection

    private func quoted(_ name: String) -> String { connection.quoted(name) }

    // MARK: What is there

    /// What has to be made, or made anew.
    struct Missing {
        /// The schema, quoted, in which the history is, or shall be.
        var place = ""
        var hasCommits = true
        /// Each with whether it has the table already.
        var entities: [(entity: EntityBinding, hasTable: Bool)] = []

        var isEmpty: Bool { hasCommits && entities.isEmpty }
    }

    /// Compares the database with what a history of the schema needs.
    ///
    /// - Throws: ``StoreError``; `unsupported` for a table that is on another server.
    func missing() throws -> Missing {
        var missing = Missing()
        let place = try connection.run(
            """
            SELECT coalesce(
                (SELECT relnamespace::regnamespace::text FROM pg_catalog.pg_class
                WHERE oid = to_regclass('dovetail_commits')),
                quote_ident(current_schema())
            ), to_regclass('dovetail_commits') IS NOT NULL
                AND to_regclass('dovetail_open_commits') IS NOT NULL
            """
        )
        missing.place = place.text(0, 0) ?? "public"
        let sources = try sources()
        missing.hasCommits =
            place.isTrue(0, 1)
            && Self.functions(in: missing.place).allSatisfy { sources[$0.name] == $0.body }
        for entity in schema.bindings {
            let table = PostgresHistory.table(of: entity)
            let found = try connection.run(
                """
                SELECT c.relkind = 'f', to_regclass($2) IS NOT NULL, (SELECT count(*) = 4
                    FROM pg_catalog.pg_trigger t WHERE t.tgrelid = c.oid
                    AND t.tgname = ANY ($3) AND t.tgenabled <> 'D')
                FROM pg_catalog.pg_class c
                WHERE c.oid = to_regclass($1) AND c.relkind IN ('r', 'p', 'f')
                """,
                PostgresFields.of([
                    .value(.text(quoted(entity.table))), .value(.text(table)),
                    .list(Self.triggers.map { .text($0.name) }),
                ])
            )
            // A view changes with its tables.
            guard found.rowCount > 0 else { continue }
            guard !found.isTrue(0, 0) else {
                throw StoreError(
                    .unsupported,
                    table: entity.table,
                    explanation: "a table of another server has no history"
                )
            }
            let hasTable = found.isTrue(0, 1)
            let name = SQLHistory.shortName(of: entity.table)
            let isComplete =
                hasTable && found.isTrue(0, 2)
                && sources[name] == body(of: entity, in: missing.place)
                && sources[PostgresHistory.unparking(entity)]
                    == unparkingBody(entity, missing.place)
            if !isComplete { missing.entities.append((entity, hasTable)) }
        }
        return missing
    }

    /// The texts of the functions that there are, by their names.
    private func sources() throws -> [String: String] {
        let found = try connection.run(
            """
            SELECT proname, prosrc FROM pg_catalog.pg_proc
            WHERE proname LIKE 'dovetail\\_%' AND pg_catalog.pg_function_is_visible(oid)
            """
        )
        var sources: [String: String] = [:]
        for row in 0..<found.rowCount { sources[found.text(row, 0) ?? ""] = found.text(row, 1) }
        return sources
    }

    // MARK: Making

    /// Makes what is missing. The caller has opened a transaction.
    func create(_ missing: Missing) throws {
        let place = missing.place
        if !missing.hasCommits {
            try connection.execute(
                """
                CREATE SEQUENCE IF NOT EXISTS \(place).dovetail_commit_number;
                CREATE TABLE IF NOT EXISTS \(place).dovetail_commits (
                    number bigint NOT NULL PRIMARY KEY,
                    id bigint NOT NULL UNIQUE,
                    xact xid8 NOT NULL,
                    date timestamp with time zone NOT NULL,
                    author text,
                    is_pruned boolean NOT NULL DEFAULT FALSE
                );
                CREATE TABLE IF NOT EXISTS \(place).dovetail_open_commits (
                    id bigint GENERATED ALWAYS AS IDENTITY,
                    author text
                )
                """
            )
            for function in Self.functions(in: place) { try create(function, in: place) }
            try connection.execute(
                """
                DROP TRIGGER IF EXISTS dovetail_end_commit ON \(place).dovetail_open_commits;
                CREATE CONSTRAINT TRIGGER dovetail_end_commit
                AFTER INSERT OR DELETE ON \(place).dovetail_open_commits
                DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION \(place).dovetail_end_commit()
                """
            )
        }
        for (entity, hasTable) in missing.entities {
            if !hasTable { try createTable(of: entity, in: place) }
            try createTriggers(of: entity, in: place)
        }
    }

    /// The columns have the types that they have in the table itself, also in one of others.
    private func createTable(of entity: EntityBinding, in place: String) throws {
        let history = "\(place).\(PostgresHistory.table(of: entity))"
        let names = entity.attributes.map { quoted($0.name) }.joined(separator: ", ")
        try connection.execute(
            """
            CREATE TABLE \(history) AS SELECT \(names) FROM \(quoted(entity.table)) WITH NO DATA;
            ALTER TABLE \(history)
                ADD dovetail_sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                ADD dovetail_commit bigint NOT NULL,
                ADD dovetail_verb text NOT NULL,
                ADD dovetail_changed text NOT NULL;
            CREATE INDEX ON \(history) (dovetail_commit)
            """
        )
        // A history that was dropped may have left it.
        if try connection.hasTable("dovetail_store") {
            try PostgresBases(connection, entity).reset()
        }
    }

    /// The names of the triggers of a table, and what they follow.
    private static let triggers: [(name: String, event: String)] = [
        ("dovetail_history_insert", "AFTER INSERT ON % REFERENCING NEW TABLE AS new_rows"),
        ("dovetail_history_delete", "AFTER DELETE ON % REFERENCING OLD TABLE AS old_rows"),
        (
            "dovetail_history_update",
            "AFTER UPDATE ON % REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows"
        ),
        ("dovetail_history_truncate", "BEFORE TRUNCATE ON %"),
    ]

    private func createTriggers(of entity: EntityBinding, in place: String) throws {
        let name = SQLHistory.shortName(of: entity.table)
        try create(
            Function(name: name, result: "trigger", body: body(of: entity, in: place)),
            in: place
        )
        try create(
            Function(
                name: PostgresHistory.unparking(entity),
                parameters: "dovetail_first bigint, dovetail_last bigint",
                // Nothing is known yet of rows that this transaction has written, so each would be compared with each.
                settings: "SET enable_nestloop = off",
                result: "bigint",
                body: unparkingBody(entity, place)
            ),
            in: place
        )
        for trigger in Self.triggers {
            let event = trigger.event.replacing("%", with: quoted(entity.table))
            try connection.execute(
                """
                CREATE OR REPLACE TRIGGER \(trigger.name) \(event)
                FOR EACH STATEMENT EXECUTE FUNCTION \(place).\(quoted(name))()
                """
            )
        }
    }

    // MARK: Functions

    private struct Function {
        let name: String
        var parameters = ""
        /// What else is set while it runs.
        var settings = ""
        let result: String
        let body: String
    }

    private func create(_ function: Function, in place: String) throws {
        try connection.execute(
            """
            CREATE OR REPLACE FUNCTION \(place).\(quoted(function.name))(\(function.parameters)) RETURNS \(function.result)
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp \(function.settings)
            AS \(try connection.literal(function.body))
            """
        )
    }

    /// The functions of all tables.
    ///
    /// - `dovetail_commit()` gives the number of the changes of this transaction. The first call makes it,
    ///   and a setting that ends with the transaction keeps it, so that none of them reads a table: in a
    ///   serializable transaction others would be in its way.
    /// - `dovetail_end_commit()` runs at the end of the transaction. To delete the row puts it behind the
    ///   checks that wait already, which may wait for others; only then it takes the lock.
    private static func functions(in place: String) -> [Function] {
        [
            Function(
                name: "dovetail_commit",
                result: "bigint",
                body: """

                    DECLARE
                        setting text := 'dovetail.commit_'
                            || '\(place.replacing("'", with: "''")).dovetail_open_commits'::regclass::oid;
                        known text := current_setting(setting, TRUE);
                        made bigint;
                    BEGIN
                        IF known <> '' THEN
                            RETURN known::bigint;
                        END IF;
                        INSERT INTO \(place).dovetail_open_commits (author)
                        VALUES (nullif(current_setting('dovetail.author', TRUE), ''))
                        RETURNING id INTO made;
                        PERFORM set_config(setting, made::text, TRUE);
                        RETURN made;
                    END

                    """
            ),
            Function(
                name: "dovetail_end_commit",
                result: "trigger",
                body: """

                    DECLARE
                        made bigint;
                    BEGIN
                        IF tg_op = 'INSERT' THEN
                            DELETE FROM \(place).dovetail_open_commits WHERE ctid = new.ctid;
                            RETURN NULL;
                        END IF;
                        PERFORM pg_advisory_xact_lock(1685026416, (tg_relid::bigint - 2147483648)::int);
                        INSERT INTO \(place).dovetail_commits (number, id, xact, date, author)
                        VALUES (
                            nextval('\(place.replacing("'", with: "''")).dovetail_commit_number'), old.id,
                            pg_current_xact_id(), clock_timestamp(), old.author
                        )
                        RETURNING number INTO made;
                        PERFORM set_config('dovetail.number', made::text, FALSE);
                        RETURN NULL;
                    END

                    """
            ),
        ]
    }

    /// What the triggers of a table do.
    ///
    /// An update is a deletion of the rows that were there and an insertion of those that are there, but of
    /// keys of which there are both, which are compared. A row that is marked is not there.
    private func body(of entity: EntityBinding, in place: String) -> String {
        let names = entity.attributes.map { quoted($0.name) }
        let history = "\(place).\(PostgresHistory.table(of: entity))"
        let columns = names.joined(separator: ", ")
        let mark = entity.description.mark.map { " WHERE \(names[$0]) IS NULL" } ?? ""
        func value(_ column: Int, _ side: String) -> String { self.value(of: column, side, entity) }
        func insert(_ verb: String, _ rows: String) -> String {
            """
            INSERT INTO \(history) (dovetail_commit, dovetail_verb, dovetail_changed, \(columns))
            SELECT (SELECT \(place).dovetail_commit()), '\(verb)', '', \(columns) FROM \(rows)\(mark);
            """
        }
        let key = entity.keyColumns.map { "\(value($0, "o")) = \(value($0, "n"))" }
            .joined(separator: " AND ")
        let changed = names.indices.filter { !entity.keyColumns.contains($0) }.map { column in
            "CASE WHEN \(value(column, "o")) IS DISTINCT FROM \(value(column, "n")) "
                + "THEN ',\(column)' ELSE '' END"
        }
        let values = names.map {
            "CASE WHEN o.dovetail_row IS NULL THEN n.\($0) ELSE o.\($0) END AS \($0)"
        }
        func side(_ rows: String) -> String {
            "(SELECT * FROM (SELECT row_number() OVER () AS dovetail_row, * FROM \(rows)) r\(mark))"
        }
        // A column may be called like one of the variables that every trigger has.
        return """

            #variable_conflict use_column
            BEGIN
                IF tg_op = 'INSERT' THEN
            \(insert("insert", "new_rows"))
                ELSIF tg_op = 'DELETE' THEN
            \(insert("delete", "old_rows"))
                ELSIF tg_op = 'TRUNCATE' THEN
            \(insert("delete", tableInPlace(entity)))
                ELSE
            INSERT INTO \(history) (dovetail_commit, dovetail_verb, dovetail_changed, \(columns))
            SELECT (SELECT \(place).dovetail_commit()), dovetail_verb, dovetail_changed, \(columns)
            FROM (
                SELECT coalesce(o.dovetail_row, n.dovetail_row) AS dovetail_row,
                    CASE WHEN o.dovetail_row IS NULL THEN 'insert'
                        WHEN n.dovetail_row IS NULL THEN 'delete'
                        ELSE 'update' END AS dovetail_verb,
                    CASE WHEN o.dovetail_row IS NULL OR n.dovetail_row IS NULL THEN ''
                        ELSE \(changed.isEmpty ? "''" : changed.joined(separator: "\n|| ")) END
                        AS dovetail_changed,
                    \(values.joined(separator: ",\n"))
                FROM \(side("old_rows")) o
                FULL JOIN \(side("new_rows")) n ON \(key)
            ) changes
            WHERE dovetail_verb <> 'update' OR dovetail_changed <> ''
            ORDER BY dovetail_row, dovetail_verb = 'insert';
                END IF;
                RETURN NULL;
            END

            """
    }

    /// A column of one of two rows, so that both can be compared.
    private func value(of column: Int, _ side: String, _ entity: EntityBinding) -> String {
        let name = "\(side).\(quoted(entity.attributes[column].name))"
        let dialect = connection.renderer.dialect
        if let form = connection.renderer.found[entity]?[column], form == .collated {
            return dialect.comparable(name, form)
        }
        return dialect.value(of: name, entity.attributes[column].columnType)
    }

    /// What makes one change of each row that was parked and written again: what it was before it was parked, and
    /// which columns it has others in now. Without a first number it gives that of the last change of the transaction.
    private func unparkingBody(_ entity: EntityBinding, _ place: String) -> String {
        let names = entity.attributes.map { quoted($0.name) }
        let history = "\(place).\(PostgresHistory.table(of: entity))"
        func same(_ one: String, _ other: String) -> String {
            entity.keyColumns
                .map { "\(value(of: $0, one, entity)) = \(value(of: $0, other, entity))" }
                .joined(separator: " AND ")
        }
        let changed = names.indices.map { column in
            "CASE WHEN \(value(of: column, "u", entity)) IS DISTINCT FROM \(value(of: column, "t", entity)) "
                + "THEN ',\(column)' ELSE '' END"
        }
        let isLater = "u.dovetail_commit = dovetail_made AND u.dovetail_sequence > dovetail_last"
        let isUpdated = "\(isLater) AND u.dovetail_verb = 'update'"
        let isParked =
            "p.dovetail_commit = dovetail_made AND p.dovetail_sequence > dovetail_first "
            + "AND p.dovetail_sequence <= dovetail_last AND p.dovetail_verb = 'update'"
        // Whoever may change the table may call it: it joins changes of one row, and loses none.
        let joins =
            "\(isParked) AND \(isLater) AND u.dovetail_verb <> 'insert' AND \(same("u", "p"))"
        return """

            #variable_conflict use_column
            DECLARE
                dovetail_made bigint := \(place).dovetail_commit();
            BEGIN
                IF dovetail_first IS NULL THEN
                    RETURN (SELECT coalesce(max(h.dovetail_sequence), 0) FROM \(history) h
                        WHERE h.dovetail_commit = dovetail_made);
                END IF;
                UPDATE \(history) AS u SET \(names.map { "\($0) = p.\($0)" }.joined(separator: ", "))
                FROM \(history) AS p WHERE \(joins);
                DELETE FROM \(history) AS p USING \(history) AS u WHERE \(joins);
                UPDATE \(history) AS u SET dovetail_changed = \(changed.joined(separator: "\n|| "))
                FROM \(tableInPlace(entity)) AS t WHERE \(isUpdated) AND \(same("u", "t"));
                DELETE FROM \(history) AS u WHERE \(isUpdated) AND u.dovetail_changed = '';
                RETURN 0;
            END

            """
    }

    /// The table of an entity with its schema: the functions look nowhere else.
    private func tableInPlace(_ entity: EntityBinding) -> String {
        (connection.catalog.places[entity.table].map { $0 + "." } ?? "") + quoted(entity.table)
    }
}
