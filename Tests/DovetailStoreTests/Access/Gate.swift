import Foundation
import Synchronization

/// Opens when it is told to, from any thread.
final class Gate: Sendable {
    private let state = Mutex(false)

    var isOpen: Bool { state.withLock { $0 } }

    func open() { state.withLock { $0 = true } }

    /// Blocks the thread.
    func wait() {
        while !isOpen { Thread.sleep(forTimeInterval: 0.001) }
    }

    func wait() async throws {
        while !isOpen { try await Task.sleep(for: .milliseconds(1)) }
    }
}
