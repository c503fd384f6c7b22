import CPostgres
import DovetailStore
import Foundation

extension PostgresConnection {
    /// Waits until the server has answered, and asks it to end the statement when something interrupts.
    /// The answer comes all the same, so what is cancelled is never the next borrower's statement.
    ///
    /// - Throws: ``StoreError`` where the connection is lost.
    func wait(_ interruption: StoreInterruption) throws {
        var hasCancelled = false
        var waitsAfter = ContinuousClock.now
        while PQisBusy(handle) == 1 {
            if !hasCancelled, interruption.reason != nil {
                cancel()
                hasCancelled = true
                waitsAfter = .now
            }
            // A server that does not even answer that is gone.
            if hasCancelled, .now - waitsAfter > options.connectTimeout {
                shutdown(PQsocket(handle), Int32(SHUT_RDWR))
            }
            var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            _ = poll(&socket, 1, 10)
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
    }

    /// Asks the server to end what it does for the connection, over a connection of its own.
    private func cancel() {
        guard let request = PQgetCancel(handle) else { return }
        defer { PQfreeCancel(request) }
        // What goes wrong is seen when the statement goes on.
        var words = [CChar](repeating: 0, count: 256)
        _ = PQcancel(request, &words, Int32(words.count))
    }

    /// Runs `body` for a caller that may be interrupted.
    func serving<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = interruption
        interruption = StoreInterruption.current
        defer { interruption = outer }
        return try body()
    }
}
