import Dovetail
import DovetailPostgres
import DovetailStore
import DovetailTesting
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Synchronization
import Testing

@Model struct Tally: Identifiable, Equatable, Sendable {
    let id: Int
    var count: Int
}

@Suite(.needsPostgres) struct CrowdedPoolTests {
    private static let threads = 64
    private static let connections = 8

    private func container(_ wire: FaultyProxy, _ schema: FreshSchema) throws -> ModelContainer {
        var configuration = PostgresConfiguration(
            "postgresql://postgres@127.0.0.1:\(wire.port)/postgres?sslmode=disable"
        )
        configuration.searchPath = [schema.name]
        configuration.pool.size = Self.connections
        return try ModelContainer(for: [Entry.self, Tally.self], configuration: configuration)
    }

    /// Each thread saves groups of its own, reads them, and counts with all others in one row.
    @Test func `64 contexts on a pool of eight all come to an end, and all they did is there`()
        throws
    {
        let schema = try FreshSchema()
        let proxy = try FaultyProxy(to: try #require(SharedPostgres.port))
        let container = try container(proxy, schema)
        let first = ModelContext(container)
        first.insert(Tally(id: 1, count: 0))
        try first.save()
        let rounds = Soak.count(6, soak: 200)
        let failures = Mutex<[String]>([])
        let repeated = Atomic(0)
        let most = Atomic(0)
        onThreads(Self.threads) { thread in
            for round in 0..<rounds {
                do {
                    most.max(proxy.connections, ordering: .relaxed)
                    let context = ModelContext(container)
                    let group = 1 + thread * rounds + round
                    context.insert(contentsOf: Ledger.entries(group, version: 1))
                    try context.save()
                    let found = try context.fetch(
                        FetchDescriptor<Entry>(predicate: #Predicate { $0.group == group })
                    )
                    if try Ledger.state(of: found) != [group: 1] {
                        failures.withLock { $0.append("group \(group) is not there") }
                    }
                    if round % 3 == 0 { try Self.count(container, repeated) }
                } catch { failures.withLock { $0.append("\(error)") } }
            }
        }
        #expect(failures.withLock { $0 } == [])
        let context = ModelContext(container)
        let counted = Self.threads * ((rounds + 2) / 3)
        #expect(try context.fetch(Tally.self, id: 1)?.count == counted)
        #expect(try Ledger.state(in: context).count == Self.threads * rounds)
        let open = most.load(ordering: .relaxed)
        #expect(open > 1 && open <= Self.connections)
        let again = repeated.load(ordering: .relaxed)
        print("\(Self.threads) contexts, \(open) connections, \(again) transactions again")
    }

    /// Adds one in a transaction, again and again until no other one has come between.
    private static func count(_ container: ModelContainer, _ repeated: borrowing Atomic<Int>) throws
    {
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            do {
                let context = ModelContext(container)
                return try context.transaction {
                    guard var tally = try context.fetch(Tally.self, id: 1) else { return }
                    tally.count += 1
                    context.update(tally)
                }
            } catch let error as StoreError {
                guard [.serializationFailure, .deadlock, .locked].contains(error.kind),
                    ContinuousClock.now < deadline
                else { throw error }
                repeated.add(1, ordering: .relaxed)
                usleep(UInt32.random(in: 0...20_000))
            }
        }
    }

    /// Whoever has a connection and never gives it back holds up the others for as long as they like, and
    /// no longer.
    @Test func `a context that finds all connections in use gives up at its deadline`() throws {
        let schema = try FreshSchema()
        let proxy = try FaultyProxy(to: try #require(SharedPostgres.port))
        let container = try container(proxy, schema)
        let held = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        for _ in 0..<Self.connections {
            group.enter()
            Thread.detachNewThread {
                _ = try? container.store.withConnection { _ in
                    held.signal()
                    mayEnd.wait()
                }
                group.leave()
            }
        }
        for _ in 0..<Self.connections { held.wait() }
        let interruption = StoreInterruption(deadline: .now + .milliseconds(50))
        StoreInterruption.$current.withValue(interruption) {
            let error = #expect(throws: StoreError.self) {
                try ModelContext(container).fetchCount(FetchDescriptor<Entry>())
            }
            #expect(error?.kind == .deadlineExceeded)
        }
        for _ in 0..<Self.connections { mayEnd.signal() }
        group.wait()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Entry>()) == 0)
        #expect(proxy.connections <= Self.connections)
    }
}
