import Dovetail
import DovetailPostgres
import DovetailStore
import Foundation
import PostgresTestSupport
import Testing

/// The limits of a configuration.
@Suite(.needsPostgres) struct TimeoutTests {
    private let schema: FreshSchema

    init() throws {
        schema = try FreshSchema()
    }

    private func context(_ change: (inout PostgresConfiguration) -> Void) throws -> ModelContext {
        var configuration = PostgresConfiguration(schema.connectionString)
        change(&configuration)
        let context = ModelContext(
            try ModelContainer(for: Account.self, configurations: configuration)
        )
        context.upsert(Account(id: 1, owner: "", balance: 1))
        try context.save()
        return context
    }

    private let all = FetchDescriptor<Account>()

    @Test func `a statement ends when its time is over, and its connection serves on`() throws {
        let context = try context {
            $0.statementTimeout = .milliseconds(100)
            $0.pool.size = 1
        }
        let error = #expect(throws: StoreError.self) {
            _ = try context.sql("SELECT *, pg_sleep(20) FROM \"Account\"", as: Account.self)
        }
        #expect(error?.kind == .deadlineExceeded)
        #expect(try context.fetchCount(all) == 1)
    }

    @Test func `statements that are short end with their caller's deadline, too`() async throws {
        let container = try context { $0.pool.size = 1 }.container
        for isRead in [true, false] {
            let deadline = ContinuousClock.now + .milliseconds(50)
            let ask = { @Sendable (context: ModelContext) throws -> Int in
                for _ in 0..<1_000_000 { _ = try context.fetch(Account.self, id: 1) }
                return 0
            }
            let error = await #expect(throws: StoreError.self) {
                if isRead {
                    _ = try await container.read(deadline: deadline) { try ask($0) }
                } else {
                    _ = try await container.transaction(deadline: deadline) { try ask($0) }
                }
            }
            #expect(error?.kind == .deadlineExceeded)
        }
        #expect(try ModelContext(container).fetchCount(all) == 1)
    }

    @Test func `a lock is waited for as long as is allowed`() throws {
        let context = try context {
            $0.lockTimeout = .milliseconds(100)
            $0.saveAttempts = 1
        }
        let other = try schema.connect()
        try other.rows("BEGIN; UPDATE \"Account\" SET balance = 2")
        context.upsert(Account(id: 1, owner: "", balance: 3))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .locked)
        try other.rows("ROLLBACK")
        try context.save()
        #expect(try context.fetch(all).map(\.balance) == [3])
    }

    @Test func `a transaction that does nothing ends, and the next one has a new connection`()
        throws
    {
        let context = try context {
            $0.idleInTransactionTimeout = .milliseconds(100)
            $0.pool.size = 1
        }
        let error = #expect(throws: StoreError.self) {
            try context.transaction {
                context.update(Account(id: 1, owner: "late", balance: 1))
                _ = try context.fetchCount(all)
                usleep(500_000)
                _ = try context.fetchCount(all)
            }
        }
        #expect(error?.kind == .storageFailure)
        context.rollback()
        #expect(try context.fetch(all).map(\.owner) == [""])
        try context.transaction { context.update(Account(id: 1, owner: "new", balance: 1)) }
        #expect(try context.fetch(all).map(\.owner) == ["new"])
    }

    @Test func `limits of less than a millisecond, and of centuries, are limits`() throws {
        // The table is made by then: whoever makes one waits for others who do.
        _ = try context { _ in }
        var configuration = PostgresConfiguration(schema.connectionString)
        configuration.statementTimeout = .seconds(1 << 40)
        configuration.lockTimeout = .nanoseconds(1)
        let context = ModelContext(
            try ModelContainer(for: Account.self, configurations: configuration)
        )
        let rows = try context.sql(
            """
            SELECT 1::bigint AS id, 0::bigint AS balance, now() AS opened, '[]'::json AS tags,
                current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') AS owner
            """,
            as: Account.self
        )
        #expect(rows.map(\.owner) == ["2147483647ms 1ms"])
    }
}
