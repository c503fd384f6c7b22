import DovetailStore
import Foundation
import Synchronization

@testable import DovetailPostgres

/// A server without a socket, which counts its connections.
final class FakeDatabase: Sendable {
    struct State {
        var isUp = true
        var open = 0
        var mostOpen = 0
        var attempts = 0
        /// Grows with each end of the server, which ends its connections.
        var generation = 0
        var error = StoreError(.cannotOpen, explanation: "nobody listens")
        var openingTakes: UInt32 = 0
    }

    let state = Mutex(State())

    func connect() throws -> FakeConnection {
        usleep(state.withLock { $0.openingTakes })
        return try state.withLock { state in
            state.attempts += 1
            guard state.isUp else { throw state.error }
            state.open += 1
            state.mostOpen = max(state.mostOpen, state.open)
            return FakeConnection(self, state.generation)
        }
    }

    func goDown() {
        state.withLock {
            $0.isUp = false
            $0.generation += 1
        }
    }

    func comeUp() { state.withLock { $0.isUp = true } }

    var open: Int { state.withLock { $0.open } }
}

/// What the pool lends in these tests.
final class FakeConnection: PooledConnection {
    private let database: FakeDatabase
    private let generation: Int
    /// Threads that use it now.
    let users = Atomic(0)
    var isBroken = false
    var asked = 0

    init(_ database: FakeDatabase, _ generation: Int) {
        self.database = database
        self.generation = generation
    }

    var isFree: Bool { isUsable }
    var isUsable: Bool { !isBroken && database.state.withLock { $0.generation } == generation }

    func isAlive() -> Bool {
        asked += 1
        return isUsable
    }

    func close() { database.state.withLock { $0.open -= 1 } }

    static func mayPass(_ error: any Error) -> Bool {
        (error as? StoreError)?.kind == .cannotOpen
    }
}

/// Runs closures on threads of their own and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
        group.enter()
        Thread.detachNewThread {
            body(number)
            group.leave()
        }
    }
    group.wait()
}
