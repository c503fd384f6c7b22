import Synchronization

/// Lets runs with one name go one after the other, in the order in which they come, without a thread that
/// waits.
package final class RunQueue: Sendable {
    /// A run that was begun inside of another one with its name.
    package struct OwnRun: Error {}

    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        /// Those who wait, by the name of a run that is going on.
        var waiters: [String: [Waiter]] = [:]
        /// The task of each run that is going on.
        var tasks: [String: Int] = [:]
        /// Those whose task was cancelled before they had begun to wait.
        var cancelled: Set<Int> = []
        var count = 0
    }

    private let state = Mutex(State())

    /// Waits for its turn.
    ///
    /// - Throws: ``OwnRun`` where the task has the turn already, and would wait for itself, and `CancellationError`
    ///   where the task is cancelled meanwhile. Then it has no turn to end.
    package func begin(
        _ name: String,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        // A task that is there has this value alone.
        let task = withUnsafeCurrentTask { $0?.hashValue }
        let number = try state.withLock { state in
            if let task, state.tasks[name] == task { throw OwnRun() }
            state.count += 1
            return state.count
        }
        let isFirst = state.withLock { state in
            if state.waiters[name] != nil { return false }
            state.waiters[name] = []
            state.tasks[name] = task
            return true
        }
        if isFirst { return }
        let hasTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return false }
                    // The run before may have ended meanwhile.
                    guard state.waiters[name] != nil else {
                        state.waiters[name] = []
                        return true
                    }
                    let waiter = Waiter(number: number, continuation: continuation)
                    state.waiters[name]?.append(waiter)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter: Waiter? = state.withLock { state in
                guard
                    let place = state.waiters[name]?.firstIndex(where: { $0.number == number })
                else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.waiters[name]?.remove(at: place)
            }
            waiter?.continuation.resume(returning: false)
        }
        state.withLock { _ = $0.cancelled.remove(number) }
        guard hasTurn else { throw CancellationError() }
        state.withLock { $0.tasks[name] = task }
    }

    /// Ends a turn: the next one in the queue has it.
    package func end(_ name: String) {
        let next: Waiter? = state.withLock { state in
            state.tasks[name] = nil
            guard state.waiters[name]?.isEmpty == false else {
                state.waiters[name] = nil
                return nil
            }
            return state.waiters[name]?.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }
}
