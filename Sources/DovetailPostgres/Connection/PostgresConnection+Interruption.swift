import CPostgres
import DovetailStore
import Foundation
import Synchronization

extension PostgresConnection {
    /// How long after its cancellation a statement may go on. A server that takes longer, or does not
    /// answer at all, loses the connection.
    private static let graceTime = Duration.seconds(1)

    /// Waits until the server has answered, and asks it to end the statement when something interrupts.
    /// It answers all the same, and the request has ended before this returns, so what is cancelled is
    /// never the next borrower's statement.
    ///
    /// - Throws: ``StoreError`` where the connection is lost.
    func wait(_ interruption: StoreInterruption) throws {
        var cancellation: PostgresCancellation?
        var limit = ContinuousClock.now
        while PQisBusy(handle) == 1 || cancellation?.isOver == false {
            if cancellation == nil, interruption.reason != nil {
                cancellation = PostgresCancellation(of: handle)
                limit = .now + Self.graceTime
            }
            if cancellation != nil, .now > limit {
                shutdown(PQsocket(handle), Int32(SHUT_RDWR))
                // It can strike nobody any more.
                cancellation = nil
                limit = .now + Self.graceTime
            }
            guard PQisBusy(handle) == 1 else {
                usleep(200)
                continue
            }
            var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            _ = poll(&socket, 1, 10)
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
    }

    /// Runs `body` for a caller that may be interrupted.
    func serving<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = interruption
        interruption = StoreInterruption.current
        defer { interruption = outer }
        return try body()
    }
}

/// Asks a server to end what it does for a connection, over a connection of its own. That may take long
/// where the network loses everything, so a thread of its own waits for it.
private final class PostgresCancellation: Sendable {
    private let hasEnded = Atomic(false)

    init(of connection: OpaquePointer) {
        guard let request = PQgetCancel(connection) else {
            hasEnded.store(true, ordering: .relaxed)
            return
        }
        // libpq allows this on any thread. Invariant: only the new thread uses the request from here on.
        nonisolated(unsafe) let owned = request
        Thread.detachNewThread { [self] in
            // What goes wrong is seen when the statement goes on.
            var words = [CChar](repeating: 0, count: 256)
            _ = PQcancel(owned, &words, Int32(words.count))
            PQfreeCancel(owned)
            hasEnded.store(true, ordering: .releasing)
        }
    }

    /// Whether the server has had the request, or never will.
    var isOver: Bool { hasEnded.load(ordering: .acquiring) }
}
