import Synchronization

/// Hands changes from the threads that commit to the task that follows them.
final class FollowedQueue: Sendable {
    private struct State {
        var waiting: [FollowedRows] = []
        /// Who waits for a change, the first one first.
        var consumers:
            [(number: Int, continuation: CheckedContinuation<FollowedRows?, any Error>)] =
                []
        var lastNumber = 0
        var isOver = false
        /// What is thrown once at the end.
        var error: (any Error)?
    }

    private let state = Mutex(State())

    /// How many changes wait at most before they are made one.
    private static let mostWaiting = 16

    /// Adds a change, unless it is over.
    func add(_ rows: FollowedRows) {
        let consumer = state.withLock { state -> CheckedContinuation<FollowedRows?, any Error>? in
            if state.isOver { return nil }
            if !state.consumers.isEmpty { return state.consumers.removeFirst().continuation }
            if state.waiting.count < Self.mostWaiting {
                state.waiting.append(rows)
            } else {
                state.waiting[Self.mostWaiting - 1].add(rows)
            }
            return nil
        }
        consumer?.resume(returning: rows)
    }

    /// Says that nothing comes any more. What waits can still be taken, and then the error is thrown.
    func end(_ error: (any Error)? = nil) {
        let consumers = state.withLock { state in
            if state.isOver { return [] as [CheckedContinuation<FollowedRows?, any Error>] }
            state.isOver = true
            if state.consumers.isEmpty { state.error = error }
            let all = state.consumers.map(\.continuation)
            state.consumers = []
            return all
        }
        for (position, consumer) in consumers.enumerated() {
            if position == 0, let error {
                consumer.resume(throwing: error)
            } else {
                consumer.resume(returning: nil)
            }
        }
    }

    /// The next change; nil at the end, and in a task that is cancelled.
    ///
    /// - Throws: the error with which it has ended.
    func next() async throws -> FollowedRows? {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { consumer in
                let outcome = state.withLock { state -> Result<FollowedRows?, any Error>? in
                    if Task.isCancelled { return .success(nil) }
                    if !state.waiting.isEmpty { return .success(state.waiting.removeFirst()) }
                    if let error = state.error {
                        state.error = nil
                        return .failure(error)
                    }
                    if state.isOver { return .success(nil) }
                    state.consumers.append((number, consumer))
                    return nil
                }
                if let outcome { consumer.resume(with: outcome) }
            }
        } onCancel: {
            let consumer = state.withLock { state in
                state.consumers.firstIndex { $0.number == number }
                    .map { state.consumers.remove(at: $0).continuation }
            }
            consumer?.resume(returning: nil)
        }
    }
}
