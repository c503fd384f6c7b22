import Dovetail
import DovetailPostgres
import DovetailStore
import Foundation
import PostgresTestSupport
import Testing

/// What SQL of one's own leaves in the session that the next caller has.
@Suite(.needsPostgres) struct SessionTests {
    private let schema: FreshSchema

    init() throws {
        schema = try FreshSchema()
    }

    private static let statements: [SQLQuery] = [
        "SET search_path TO pg_catalog", "SET SESSION statement_timeout = 1",
        "SELECT set_config('search_path', 'pg_catalog', FALSE) AS owner",
        "SELECT set_config('statement_timeout', '1', FALSE) AS owner",
        "SELECT pg_advisory_lock(77)", "SELECT pg_advisory_lock_shared(77), pg_advisory_lock(78)",
        "LISTEN dovetail", "PREPARE dovetail_1 AS SELECT 1", "PREPARE dovetail_30 AS SELECT 1",
        "DEALLOCATE ALL", "DEALLOCATE dovetail_1", "CREATE TEMPORARY TABLE t (a int)",
        "DECLARE c CURSOR WITH HOLD FOR SELECT 1", "SET ROLE pg_monitor",
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", "RESET ALL", "DISCARD ALL",
        "DISCARD TEMP", "COMMIT", "ROLLBACK", "SAVEPOINT s", "LOCK TABLE \"Account\"",
    ]

    /// What is in the session, as one text.
    private func state(of context: ModelContext) throws -> String {
        try context.sql(
            """
            SELECT 1::bigint AS id, 0::bigint AS balance, now() AS opened, '[]'::json AS tags, concat_ws(
                ' ', current_setting('search_path'), current_setting('statement_timeout'),
                current_setting('default_transaction_read_only'), current_user,
                (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()),
                (SELECT count(*) FROM pg_cursors WHERE is_holdable),
                (SELECT count(*) FROM pg_listening_channels()),
                (SELECT count(*) FROM pg_class WHERE relnamespace = pg_my_temp_schema()),
                (SELECT count(*) FROM pg_prepared_statements WHERE NOT from_sql) > 0,
                (SELECT count(*) FROM pg_prepared_statements WHERE from_sql)
            ) AS owner
            """,
            as: Account.self
        )
        .map(\.owner).joined()
    }

    @Test(arguments: [false, true])
    func `nothing of it is left, in a transaction and outside of one`(inTransaction: Bool) throws {
        var configuration = PostgresConfiguration(schema.connectionString)
        configuration.pool.size = 1
        let container = try ModelContainer(for: Account.self, configurations: configuration)
        let context = ModelContext(container)
        let all = FetchDescriptor<Account>(sortBy: [SortDescriptor(\.id)])
        context.insert(Account(id: 0, owner: "", balance: 0))
        try context.save()
        #expect(try context.fetch(all).count == 1)
        let before = try state(of: context)
        #expect(before.hasSuffix("0 0 0 0 t 0"), "\(before)")
        var count = 0
        for (number, statement) in Self.statements.enumerated() {
            if inTransaction {
                try? context.transaction {
                    _ = try context.sql(statement, as: Account.self)
                }
            } else {
                _ = try? context.sql(statement, as: Account.self)
            }
            context.insert(Account(id: number + 1, owner: "", balance: number))
            try context.save()
            #expect(try context.fetch(all).count == number + 2, "\(statement)")
            #expect(try context.fetch(Account.self, id: number + 1)?.balance == number)
            #expect(try state(of: context) == before, "\(statement)")
            count += 1
        }
        #expect(count == 22)
    }
}
