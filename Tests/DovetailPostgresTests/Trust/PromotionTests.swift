import Dovetail
import DovetailPostgres
import DovetailStore
import DovetailTesting
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Synchronization
import Testing

@Suite(.needsPostgresPrograms) struct PromotionTests {
    /// The address names both servers, and libpq takes the one that can be written to. The primary waits
    /// for its replica before it acknowledges, so nothing is lost with it.
    @Test
    func `a replica takes over under load, and the program goes on with all that was acknowledged`()
        throws
    {
        let primary = try PostgresServer()
        let replica = try primary.replica()
        try RawPostgres(primary.connectionString).rows(
            "ALTER SYSTEM SET synchronous_standby_names = '*'"
        )
        primary.reload()
        let container = try ModelContainer(
            for: [Entry.self],
            configuration: PostgresConfiguration(
                "postgresql://postgres@127.0.0.1:\(primary.port),127.0.0.1:\(replica.port)/postgres"
                    + "?target_session_attrs=read-write&connect_timeout=5"
            )
        )
        let load = Load(container, threads: 4)
        load.waitFor(saves: 40)
        try primary.stop(.kill)
        try replica.promote()
        load.waitFor(saves: 40)
        try load.end()
        let other = try ModelContainer(
            for: [Entry.self],
            configuration: PostgresConfiguration(replica.connectionString)
        )
        try load.check(Ledger.state(in: ModelContext(other)))
        let was = try RawPostgres(replica.connectionString).value("SELECT pg_is_in_recovery()")
        #expect(was == "f")
    }
}

/// Threads that each save groups of their own, one after the other.
private final class Load: Sendable {
    private let container: ModelContainer
    private let group = DispatchGroup()
    private let isOver = Atomic(false)
    private let saves = Atomic(0)
    /// The groups whose saves returned, and those of which nobody knows.
    private let groups = Mutex<(stored: Set<Int>, unknown: Set<Int>)>(([], []))
    private let failure = Mutex<(any Error)?>(nil)

    init(_ container: ModelContainer, threads: Int) {
        self.container = container
        for thread in 0..<threads {
            group.enter()
            Thread.detachNewThread { [self] in
                var number = thread + 1
                while !isOver.load(ordering: .relaxed) {
                    save(number)
                    number += threads
                }
                group.leave()
            }
        }
    }

    private func save(_ number: Int) {
        do {
            let context = ModelContext(container)
            context.insert(contentsOf: Ledger.entries(number, version: 1))
            try context.save()
            _ = groups.withLock { $0.stored.insert(number) }
            saves.add(1, ordering: .relaxed)
        } catch let error as StoreError {
            if error.kind == .commitUnknown { _ = groups.withLock { $0.unknown.insert(number) } }
        } catch { failure.withLock { $0 = error } }
    }

    /// Waits until so many more saves have returned.
    func waitFor(saves count: Int) {
        let start = saves.load(ordering: .relaxed)
        let deadline = ContinuousClock.now + .seconds(60)
        while saves.load(ordering: .relaxed) < start + count, ContinuousClock.now < deadline {
            usleep(1000)
        }
        #expect(saves.load(ordering: .relaxed) >= start + count, "saves do not go on")
    }

    func end() throws {
        isOver.store(true, ordering: .relaxed)
        group.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Every save that returned is there as a whole, and nothing else but what nobody knows.
    func check(_ state: Ledger.State) {
        let (stored, unknown) = groups.withLock { ($0.stored, $0.unknown) }
        print("\(stored.count) groups were acknowledged, of \(unknown.count) nobody knows")
        #expect(stored.subtracting(state.keys).isEmpty)
        #expect(Set(state.keys).subtracting(stored).isSubset(of: unknown))
    }
}
