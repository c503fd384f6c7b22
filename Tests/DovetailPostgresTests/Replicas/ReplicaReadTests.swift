import Dovetail
import DovetailPostgres
import DovetailStore
import DovetailTesting
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Synchronization
import Testing

/// A primary and a replica that replays late.
@Suite(.needsPostgresPrograms) struct ReplicaReadTests {
    private let primary: PostgresServer
    private let replica: PostgresServer
    private let all = FetchDescriptor<Account>(sortBy: [SortDescriptor(\.id)])

    init() throws {
        primary = try PostgresServer()
        replica = try primary.replica()
    }

    private func container(
        _ maximumLag: Duration,
        change: (inout PostgresConfiguration) -> Void = { _ in }
    ) throws -> ModelContainer {
        var configuration = PostgresConfiguration(
            "postgresql://postgres@127.0.0.1:\(primary.port),127.0.0.1:\(replica.port)/postgres"
                + "?target_session_attrs=read-write"
        )
        configuration.reads = .replica(maximumLag: maximumLag)
        change(&configuration)
        return try ModelContainer(for: Account.self, configurations: configuration)
    }

    /// Whether a replica answers now.
    private func isRead(by context: ModelContext) throws -> Bool {
        let rows = try context.sql(
            """
            SELECT 1::bigint AS id, pg_is_in_recovery()::text AS owner, 0::bigint AS balance,
                now() AS opened, '[]'::json AS tags
            """,
            as: Account.self
        )
        return rows.map(\.owner) == ["true"]
    }

    private func wait(_ what: String, _ body: () throws -> Bool) rethrows {
        let deadline = ContinuousClock.now + .seconds(30)
        while try !body() {
            guard ContinuousClock.now < deadline else {
                Issue.record("\(what) did not happen")
                return
            }
            usleep(5000)
        }
    }

    @Test func `a replica answers what it has replayed, and the primary everything else`()
        async throws
    {
        let container = try container(.seconds(60))
        let context = ModelContext(container)
        context.insert(Account(id: 1, owner: "Ann", balance: 1))
        try context.save()
        try wait("a read by the replica") { try isRead(by: context) }
        #expect(try context.fetch(all).map(\.owner) == ["Ann"])
        let isReplica = try await container.read { context in
            try context.sql(
                """
                SELECT 1::bigint AS id, pg_is_in_recovery()::text AS owner, 0::bigint AS balance,
                    now() AS opened, '[]'::json AS tags
                """,
                as: Account.self
            )
            .map(\.owner) == ["true"]
        }
        #expect(isReplica)
        // Inside of a transaction everything is the primary's.
        try context.transaction {
            context.update(Account(id: 1, owner: "Bob", balance: 1))
            let isRead = try isRead(by: context)
            #expect(!isRead)
        }
        let replay = try RawPostgres(replica.connectionString)
        try replay.rows("SELECT pg_wal_replay_pause()")
        context.update(Account(id: 1, owner: "Cid", balance: 1))
        try context.save()
        #expect(try context.fetch(all).map(\.owner) == ["Cid"])
        #expect(try ModelContext(container).fetch(all).map(\.owner) == ["Cid"])
        #expect(try isRead(by: context) == false)
        try replay.rows("SELECT pg_wal_replay_resume()")
        try wait("a read by the replica") { try isRead(by: context) }
        #expect(try context.fetch(all).map(\.owner) == ["Cid"])
    }

    @Test func `what another program has saved is seen after the longest lag`() throws {
        let lag = Duration.milliseconds(300)
        let context = ModelContext(try container(lag))
        context.insert(Account(id: 1, owner: "old", balance: 1))
        try context.save()
        try wait("a read by the replica") { try isRead(by: context) }
        try RawPostgres(replica.connectionString).rows("SELECT pg_wal_replay_pause()")
        let raw = try RawPostgres(primary.connectionString)
        for step in 0..<5 {
            try raw.rows("UPDATE \"Account\" SET owner = 'new \(step)'")
            let saved = ContinuousClock.now
            var owner = ""
            while ContinuousClock.now - saved <= lag {
                owner = try context.fetch(all)[0].owner
                usleep(20_000)
            }
            owner = try context.fetch(all)[0].owner
            #expect(owner == "new \(step)")
        }
        #expect(try isRead(by: context) == false)
    }

    @Test func `reads go on without the replica, and return to it`() throws {
        let context = ModelContext(
            try container(.seconds(60)) {
                $0.connectTimeout = .seconds(2)
                // A connection that was kept back would be missed.
                $0.pool.size = 1
            }
        )
        context.insert(Account(id: 1, owner: "Ann", balance: 1))
        try context.save()
        try wait("a read by the replica") { try isRead(by: context) }
        try replica.stop(.kill)
        for _ in 0..<3 {
            let start = ContinuousClock.now
            #expect(try context.fetch(all).count == 1)
            #expect(ContinuousClock.now - start < .seconds(25))
        }
        #expect(try isRead(by: context) == false)
        try replica.start()
        try wait("a read by the replica") { try isRead(by: context) }
    }

    /// Threads that each save and read at once, while the replica replays every commit late.
    @Test func `whoever has saved reads it, always`() throws {
        try replica.stop(.fast)
        try replica.append(["recovery_min_apply_delay = 30"], to: "postgresql.conf")
        try replica.start()
        let seed = SeededRandom.namedSeed ?? UInt64.random(in: 0 ... .max)
        print("reads of one's own writes, seed \(seed)")
        let container = try container(.milliseconds(200)) { $0.saveAttempts = 100 }
        let counts = Mutex((reads: 0, byReplica: 0))
        let failures = Mutex<[String]>([])
        let group = DispatchGroup()
        for thread in 0..<4 {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                var random = SeededRandom(seed: seed &+ UInt64(thread))
                var context = ModelContext(container)
                var known: [Int: Int] = [:]
                do {
                    for step in 0..<150 {
                        if random.next() % 8 == 0 {
                            let id = thread * 1000 + Int(random.next() % 20)
                            context.upsert(Account(id: id, owner: "\(thread)", balance: step))
                            try context.save()
                            known[id] = step
                        }
                        if random.next() % 4 == 0 { context = ModelContext(container) }
                        if random.next() % 2 == 0 { usleep(UInt32(random.next() % 20_000)) }
                        let owner = "\(thread)"
                        let own = FetchDescriptor<Account>(
                            predicate: #Predicate { $0.owner == owner }
                        )
                        let found = try context.fetch(own).map { ($0.id, $0.balance) }
                        let isReplica = try isRead(by: context)
                        counts.withLock {
                            $0.reads += 1
                            if isReplica { $0.byReplica += 1 }
                        }
                        guard Dictionary(uniqueKeysWithValues: found) == known else {
                            failures.withLock { $0.append("thread \(thread), step \(step)") }
                            return
                        }
                    }
                } catch { failures.withLock { $0.append("\(error)") } }
            }
        }
        group.wait()
        #expect(failures.withLock { $0 } == [])
        let (reads, byReplica) = counts.withLock { $0 }
        print("\(reads) reads, \(byReplica) by the replica")
        #expect(reads == 600)
        #expect(byReplica < reads)
        // On a machine that is busy the replica may be late for all of them.
        let context = ModelContext(container)
        try wait("a read by the replica") { try isRead(by: context) }
    }
}
