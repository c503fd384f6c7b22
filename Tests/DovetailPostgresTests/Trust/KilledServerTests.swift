import Dovetail
import DovetailPostgres
import DovetailStore
import DovetailTesting
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Synchronization
import Testing

@Suite(.needsPostgresPrograms) struct KilledServerTests {
    /// One container over the whole test: what is lost is the server, never the program.
    @Test func `what was acknowledged before the server was killed is there, and saves go on`()
        throws
    {
        var random = SeededRandom(seed: Soak.seed(for: "killed servers"))
        // What its processes have written survives them without fsync; that is for the machine's end.
        let server = try PostgresServer()
        let container = try ModelContainer(
            for: [Entry.self],
            configuration: PostgresConfiguration(server.connectionString)
        )
        let run = Mutex(LedgerRun(SeededRandom(seed: random.next())))
        let saves = Atomic(0)
        let isOver = Atomic(false)
        let failure = Mutex<(any Error)?>(nil)
        let writer = DispatchGroup()
        writer.enter()
        Thread.detachNewThread {
            do {
                while !isOver.load(ordering: .relaxed) {
                    try run.withLock {
                        try $0.step(container)
                        saves.store($0.acknowledged, ordering: .relaxed)
                    }
                }
            } catch { failure.withLock { $0 = error } }
            writer.leave()
        }
        let kills = Soak.count(50, soak: 1000)
        var killed = 0
        for _ in 0..<kills where failure.withLock({ $0 }) == nil {
            let before = saves.load(ordering: .relaxed)
            usleep(UInt32.random(in: 0...30_000, using: &random))
            try server.restart(random.pick([.kill, .immediate]))
            // It goes on by itself.
            let deadline = ContinuousClock.now + .seconds(60)
            while saves.load(ordering: .relaxed) == before, ContinuousClock.now < deadline,
                failure.withLock({ $0 }) == nil
            { usleep(500) }
            #expect(saves.load(ordering: .relaxed) > before)
            killed += 1
        }
        isOver.store(true, ordering: .relaxed)
        writer.wait()
        if let error = failure.withLock({ $0 }) { Issue.record(error) }
        try run.withLock { run in
            try run.check(container)
            print("\(killed) kills, \(run.acknowledged) saves, failures: \(run.failures)")
            #expect(killed == kills && run.acknowledged >= kills)
            #expect(!run.failures.isEmpty)
        }
        let again = try ModelContainer(
            for: [Entry.self],
            configuration: PostgresConfiguration(server.connectionString)
        )
        try run.withLock { try $0.check(again) }
    }

    /// Their connections have ended meanwhile, which is seen before they are lent.
    @Test(arguments: PostgresServer.End.allCases)
    func `nobody notices that the server was started again while nobody worked`(
        end: PostgresServer.End
    ) throws {
        let server = try PostgresServer()
        let container = try ModelContainer(
            for: [Entry.self],
            configuration: PostgresConfiguration(server.connectionString)
        )
        let all = 8
        let failures = Mutex<[String]>([])
        /// All connections of the pool are used at once.
        let work: @Sendable (Int) -> Void = { number in
            do {
                try container.store.withReadConnection { connection in
                    let query = Query(try container.schema.entity(Entry.self))
                    _ = try connection.count(of: query)
                    usleep(20_000)
                }
            } catch { failures.withLock { $0.append("\(error)") } }
        }
        onThreads(all, work)
        try server.restart(end)
        onThreads(all, work)
        #expect(failures.withLock { $0 } == [])
    }
}
