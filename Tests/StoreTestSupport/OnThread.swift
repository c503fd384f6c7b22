import Foundation

/// Runs `body` on a thread of its own.
///
/// - Throws: what `body` throws.
package func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (end: CheckedContinuation<Void, any Error>) in
        Thread.detachNewThread { end.resume(with: Result { try body() }) }
    }
}
