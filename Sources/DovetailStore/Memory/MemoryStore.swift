import Foundation
import Synchronization

/// A store in memory: a persistent value that readers keep while a writer makes the next.
///
/// It is what SQL stores are compared with, so it means what they mean: the same rows, the same
/// errors. See ``MemoryConfiguration`` for what differs.
final class MemoryStore: DataStore {
    private let committed: CommittedState
    /// Invariant: `connection` is only used in `withConnection`, while `lock` is held. Its cursors
    /// and writers use it too, and `withConnection` asks its caller to keep them inside. The lock is
    /// recursive, so that a model's own code may use the context that is writing it.
    private nonisolated(unsafe) let connection: MemoryConnection
    private let lock = NSRecursiveLock()

    init(_ schema: Schema) {
        committed = CommittedState(MemoryState(schema))
        connection = MemoryConnection(committed)
    }

    /// Runs `body` with the one connection that writes. Other threads that write wait until `body`
    /// returns; a call inside of `body` on the same thread has the same connection and transaction.
    func withConnection<Result>(
        _ body: (any StoreConnection) throws -> Result
    ) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(connection)
    }

    /// Runs `body` with a connection whose queries each see what was committed when they began. Waits
    /// for nobody.
    func withReadConnection<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result {
        try body(MemoryReader { [committed] in committed.state })
    }

    /// Runs `body` with a connection that sees the state of now for all of its queries. Waits for
    /// nobody.
    func withSnapshot<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result {
        let state = committed.state
        return try body(MemoryReader { state })
    }
}

extension MemoryStore {
    /// There is no file to back up or to open again, and no history.
    var capabilities: StoreCapabilities {
        StoreCapabilities(without: [
            .sql: "the rows are Swift's, and no database's",
            .backup: "the store is in memory; there is no file",
            .history: "the memory store keeps none",
            .persistence: "the values live as long as their container",
        ])
    }
}

/// What the last transaction left. Its lock is held to copy or exchange a reference to it, never
/// longer.
final class CommittedState: Sendable {
    private let value: Mutex<MemoryState>

    init(_ state: MemoryState) {
        value = Mutex(state)
    }

    var state: MemoryState { value.withLock { $0 } }

    func replace(by next: MemoryState) {
        // The old state is given out, so that what only it holds is freed without the lock.
        _ = value.withLock { state in
            let old = state
            state = next
            return old
        }
    }
}
