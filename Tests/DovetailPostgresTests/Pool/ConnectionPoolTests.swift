import DovetailStore
import Foundation
import Synchronization
import Testing

@testable import DovetailPostgres

@Suite struct ConnectionPoolTests {
    private let database = FakeDatabase()

    private func pool(
        size: Int = 2,
        waitsFor: Duration = .seconds(30),
        idleTime: Duration = .seconds(300),
        checksAfter: Duration = .seconds(30)
    ) -> ConnectionPool<FakeConnection> {
        var settings = PoolSettings()
        settings.size = size
        settings.waitsFor = waitsFor
        settings.idleTime = idleTime
        settings.checksAfter = checksAfter
        return ConnectionPool(settings, location: "db1:5432/shop") { [database] in
            try database.connect()
        }
    }

    /// The kind of the error that `body` ends in.
    private func kind(_ body: () throws -> Void) -> StoreError.Kind? {
        do {
            try body()
            return nil
        } catch {
            return (error as? StoreError)?.kind
        }
    }

    /// Waits for the connection that was begun for somebody who was served meanwhile.
    private func settle(_ pool: ConnectionPool<FakeConnection>) {
        for _ in 0..<30_000 where database.open != pool.count { usleep(1000) }
        #expect(database.open == pool.count)
    }

    @Test func `64 threads on eight connections are all served, each alone`() throws {
        let pool = pool(size: 8)
        let calls = Atomic(0)
        let failures = Mutex<[String]>([])
        onThreads(64) { number in
            for turn in 0..<200 {
                do {
                    try pool.withConnection { connection in
                        let users = connection.users.add(1, ordering: .relaxed).newValue
                        if users != 1 { failures.withLock { $0.append("\(users) users") } }
                        if turn % 50 == 0 { usleep(200) }
                        // Some end badly.
                        if (number + turn) % 97 == 0 { connection.isBroken = true }
                        connection.users.subtract(1, ordering: .relaxed)
                        calls.add(1, ordering: .relaxed)
                    }
                } catch { failures.withLock { $0.append("\(error)") } }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(calls.load(ordering: .relaxed) == 64 * 200)
        #expect(database.state.withLock { $0.mostOpen } <= 8)
        settle(pool)
        pool.close()
        #expect(database.open == 0)
    }

    @Test func `a thread that asks again does not pass those that wait`() throws {
        let pool = pool(size: 1)
        let order = Mutex<[Int]>([])
        let lease = try pool.take()
        let started = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        for number in 0..<10 {
            group.enter()
            Thread.detachNewThread {
                started.signal()
                try? pool.withConnection { _ in order.withLock { $0.append(number) } }
                group.leave()
            }
            started.wait()
            // It waits: what it asked for is known to the pool.
            while pool.waiting != number + 1 { usleep(100) }
        }
        pool.giveBack(lease)
        try pool.withConnection { _ in order.withLock { $0.append(10) } }
        group.wait()
        #expect(order.withLock { $0 } == Array(0...10))
    }

    @Test func `a full pool is waited for as long as the settings say`() throws {
        let pool = pool(size: 1, waitsFor: .milliseconds(50))
        try pool.withConnection { _ in
            let start = ContinuousClock.now
            #expect(kind { try pool.withConnection { _ in } } == .locked)
            #expect(ContinuousClock.now - start >= .milliseconds(50))
        }
        #expect(kind { try pool.withConnection { _ in } } == nil)
    }

    @Test func `a caller's own deadline comes first`() throws {
        let pool = pool(size: 1)
        try pool.withConnection { _ in
            let deadline = ContinuousClock.now + .milliseconds(30)
            let found = kind { try pool.withConnection(deadline: deadline) { _ in } }
            #expect(found == .deadlineExceeded)
        }
    }

    @Test func `an interruption ends the waiting`() throws {
        let pool = pool(size: 1)
        try pool.withConnection { _ in
            let late = StoreInterruption(deadline: .now + .milliseconds(30))
            StoreInterruption.$current.withValue(late) {
                #expect(kind { try pool.withConnection { _ in } } == .deadlineExceeded)
            }
            let cancelled = StoreInterruption()
            Thread.detachNewThread {
                while pool.waiting == 0 { usleep(100) }
                cancelled.cancel()
            }
            StoreInterruption.$current.withValue(cancelled) {
                #expect(kind { try pool.withConnection { _ in } } == .cancelled)
                #expect(kind { try pool.withConnection { _ in } } == .cancelled)
            }
            #expect(pool.waiting == 0)
        }
        // Nothing of it is left.
        #expect(kind { try pool.withConnection { _ in } } == nil)
        #expect(database.open == 1)
    }

    @Test func `what the body throws comes out, and the connection is used again`() throws {
        struct Refused: Error {}
        let pool = pool()
        for _ in 0..<20 {
            #expect(throws: Refused.self) { try pool.withConnection { _ in throw Refused() } }
        }
        #expect(database.state.withLock { $0.attempts } == 1)
        #expect(throws: Refused.self) {
            try pool.withConnection { connection in
                connection.isBroken = true
                throw Refused()
            }
        }
        #expect(database.open == 0)
        #expect(kind { try pool.withConnection { _ in } } == nil)
    }

    @Test func `nobody notices that the server was started again while nothing was lent`() throws {
        let pool = pool(size: 4)
        let leases = try (0..<4).map { _ in try pool.take() }
        for lease in leases { pool.giveBack(lease) }
        database.goDown()
        database.comeUp()
        onThreads(4) { _ in #expect(kind { try pool.withConnection { _ in } } == nil) }
        #expect(database.open <= 4)
        settle(pool)
        pool.close()
        #expect(database.open == 0)
    }

    @Test func `who waits while the server is away has a connection when it comes back`() throws {
        let pool = pool(size: 4)
        try pool.withConnection { _ in }
        database.goDown()
        let before = database.state.withLock { $0.attempts }
        Thread.detachNewThread { [database] in
            while database.state.withLock({ $0.attempts }) < before + 2 { usleep(500) }
            database.comeUp()
        }
        onThreads(16) { _ in #expect(kind { try pool.withConnection { _ in } } == nil) }
        #expect(database.open <= 4)
    }

    @Test func `a server that stays away ends the waiting with what it said`() throws {
        let pool = pool(size: 4, waitsFor: .milliseconds(80))
        try pool.withConnection { _ in }
        database.goDown()
        #expect(kind { try pool.withConnection { _ in } } == .cannotOpen)
        #expect(database.open == 0)
    }

    @Test func `a wrong address and a wrong password are told at once`() throws {
        database.goDown()
        let pool = pool()
        #expect(kind { try pool.withConnection { _ in } } == .cannotOpen)
        database.state.withLock { $0.error = StoreError(.readOnly, explanation: "no password") }
        #expect(kind { try pool.withConnection { _ in } } == .readOnly)
        // Nothing was tried twice.
        #expect(database.state.withLock { $0.attempts } == 2)
    }

    @Test func `connections that nobody uses are closed, and the pool goes on`() throws {
        let pool = pool(size: 8, idleTime: .milliseconds(40))
        onThreads(8) { _ in
            #expect(kind { try pool.withConnection { _ in _ = usleep(2000) } } == nil)
        }
        #expect(database.state.withLock { $0.mostOpen } > 0)
        while pool.count > 0 { usleep(1000) }
        #expect(database.open == 0)
        #expect(kind { try pool.withConnection { _ in } } == nil)
        while database.open > 0 { usleep(1000) }
    }

    @Test func `one that was unused for long is asked before it is lent`() throws {
        let pool = pool(size: 1, checksAfter: .zero)
        try pool.withConnection { #expect($0.asked == 0) }
        try pool.withConnection { #expect($0.asked == 1) }
        #expect(database.state.withLock { $0.attempts } == 1)
    }

    @Test func `a closed pool refuses, and closes what comes back`() throws {
        let pool = pool()
        let lease = try pool.take()
        pool.close()
        #expect(kind { try pool.withConnection { _ in } } == .cannotOpen)
        #expect(database.open == 1)
        pool.giveBack(lease)
        #expect(database.open == 0)
    }

    @Test func `a pool that nobody has any more closes its connections`() throws {
        database.state.withLock { $0.openingTakes = 20_000 }
        do {
            let pool = pool(size: 3)
            try pool.withConnection { _ in }
            // Another one is being opened when the pool goes.
            let lease = try pool.take()
            let soon = ContinuousClock.now + .milliseconds(5)
            #expect(kind { try pool.withConnection(deadline: soon) { _ in } } == .deadlineExceeded)
            pool.giveBack(lease)
        }
        while database.open > 0 { usleep(1000) }
        #expect(database.state.withLock { $0.attempts } <= 2)
    }

    @Test func `errors of a pool hold no secrets and name the server`() throws {
        let pool = pool(size: 1, waitsFor: .milliseconds(10))
        try pool.withConnection { _ in
            do {
                try pool.withConnection { _ in }
                Issue.record("it was lent twice")
            } catch {
                #expect("\(error)".hasPrefix("db1:5432/shop: all connections of the pool (1)"))
            }
        }
    }
}
