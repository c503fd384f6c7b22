import Dovetail
import DovetailPostgres
import DovetailStore
import DovetailTesting
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Testing

/// Behind PgBouncer, which gives each transaction any of its sessions.
@Suite(.needsPostgres, .needsPgBouncer) struct TransactionPoolingTests {
    /// One proxy for the contract: its cases have schemas of their own.
    private static let shared = Result { try PgBouncer(before: SharedPostgres.port ?? 0) }

    @Test(arguments: StoreContract.cases)
    func `the contract is kept behind a proxy`(_ part: StoreContract.Case) async throws {
        let schemas = try ContractSchemas()
        let proxy = try Self.shared.get()
        try await part.check { place in
            var configuration = try schemas.configuration(place, by: proxy.connectionString)
            configuration.proxy = .transactionPooling
            return configuration
        }
    }

    private let schema: FreshSchema

    init() throws {
        schema = try FreshSchema()
    }

    private func container(
        _ proxy: PgBouncer,
        change: (inout PostgresConfiguration) -> Void = { _ in }
    ) throws -> ModelContainer {
        var configuration = PostgresConfiguration(proxy.connectionString)
        configuration.proxy = .transactionPooling
        configuration.searchPath = [schema.name]
        change(&configuration)
        return try ModelContainer(for: Account.self, configurations: configuration)
    }

    private let all = FetchDescriptor<Account>(sortBy: [SortDescriptor(\.id)])

    @Test func `two containers in two schemas share few sessions, and nothing of each other`()
        throws
    {
        let proxy = try PgBouncer(before: SharedPostgres.port ?? 0, size: 2)
        let other = try FreshSchema()
        let containers = [
            try container(proxy), try container(proxy) { $0.searchPath = [other.name] },
        ]
        let contexts = containers.map { ModelContext($0) }
        for step in 0..<30 {
            for (number, context) in contexts.enumerated() {
                context.insert(Account(id: step, owner: "\(number)", balance: step))
                try context.save()
                #expect(try context.fetchCount(all) == step + 1)
                #expect(try context.fetch(Account.self, id: step)?.owner == "\(number)")
            }
        }
        contexts[0].insert(
            contentsOf: (100..<1100).map { Account(id: $0, owner: "0", balance: 0) }
        )
        try contexts[0].save()
        #expect(try contexts[0].fetch(all).count == 1030)
        #expect(try contexts[1].fetch(all).allSatisfy { $0.owner == "1" })
        let prepared = try RawPostgres(proxy.connectionString).value(
            "SELECT count(*) FROM pg_prepared_statements"
        )
        #expect(prepared == "0")
    }

    @Test func `no setting stays in a session`() async throws {
        let proxy = try PgBouncer(before: SharedPostgres.port ?? 0, size: 1)
        let container = try container(proxy) {
            $0.statementTimeout = .seconds(7)
            $0.lockTimeout = .seconds(3)
        }
        let context = ModelContext(container)
        context.insert(Account(id: 1, owner: "", balance: 1))
        try context.save()
        #expect(try context.fetchCount(all) == 1)
        let count = try await container.read { try $0.fetchCount(FetchDescriptor<Account>()) }
        #expect(count == 1)
        let named = try context.sql(
            """
            SELECT 1::bigint AS id, current_setting('statement_timeout') AS owner,
                0::bigint AS balance, now() AS opened, '[]'::json AS tags
            """,
            as: Account.self
        )
        #expect(named.map(\.owner) == ["7s"])
        // Another program in the same session.
        let raw = try RawPostgres(proxy.connectionString)
        #expect(try raw.value("SHOW statement_timeout") == "0")
        #expect(try raw.value("SHOW lock_timeout") == "0")
        #expect(try raw.value("SHOW search_path") == "\"$user\", public")
        let locks =
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
        #expect(try raw.value(locks) == "0")
    }

    @Test func `a statement that takes too long ends, in a transaction and outside of one`() throws
    {
        let proxy = try PgBouncer(before: SharedPostgres.port ?? 0, size: 1)
        let context = ModelContext(
            try container(proxy) { $0.statementTimeout = .milliseconds(50) }
        )
        let slow: SQLQuery = "SELECT *, pg_sleep(5) FROM \"Account\""
        context.insert(Account(id: 1, owner: "", balance: 1))
        try context.save()
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) {
                _ = try context.sql(slow, as: Account.self)
            }
            #expect(error?.kind == .deadlineExceeded)
            let inside = #expect(throws: StoreError.self) {
                try context.transaction { _ = try context.sql(slow, as: Account.self) }
            }
            #expect(inside?.kind == .deadlineExceeded)
        }
        #expect(try context.fetchCount(all) == 1)
    }

    @Test func `many threads on few sessions lose nothing`() async throws {
        let proxy = try PgBouncer(before: SharedPostgres.port ?? 0, size: 3)
        let container = try container(proxy) {
            $0.pool.size = 12
            $0.saveAttempts = 200
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    try await container.perform { context in
                        for step in 0..<10 {
                            let id = number * 10 + step
                            context.insert(Account(id: id, owner: "\(id)", balance: 1))
                            try context.save()
                            guard try context.fetch(Account.self, id: id)?.owner == "\(id)" else {
                                Issue.record("\(id) is not what was saved")
                                return
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try ModelContext(container).fetchCount(all) == 120)
    }
}
