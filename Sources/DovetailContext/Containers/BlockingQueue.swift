import Dispatch
import Synchronization

/// Runs work that blocks, a limited number of pieces at a time, in the order in which they come.
///
/// Each piece runs on a serial queue of Dispatch, which gives such a queue a thread of its own when others are blocked.
/// A concurrent queue shares the threads of Swift's executor on Linux, as many as there are processors: forty reads at
/// once let a task that slept 10 ms wait for 1.5 s, and none could be cancelled meanwhile.
final class BlockingQueue: Sendable {
    private typealias Work = @Sendable () -> Void

    private struct State {
        /// The queues that have nothing to do.
        var idle: [DispatchQueue] = []
        var made = 0
        var waiting: [Work] = []
        /// How many of those that waited run by now.
        var taken = 0

        /// The piece of work that is next, if any.
        mutating func next() -> Work? {
            guard taken < waiting.count else { return nil }
            defer {
                taken += 1
                if taken * 2 > waiting.count {
                    waiting.removeFirst(taken)
                    taken = 0
                }
            }
            return waiting[taken]
        }
    }

    private let label: String
    private let width: Int
    private let state = Mutex(State())

    /// - Parameter width: How many pieces run at a time.
    init(_ label: String, width: Int) {
        self.label = label
        self.width = width
    }

    /// Runs a piece of work when its turn comes. Complexity: O(1), on average where some wait.
    func run(_ work: @escaping @Sendable () -> Void) {
        let queue = state.withLock { state -> DispatchQueue? in
            if let queue = state.idle.popLast() { return queue }
            guard state.made < width else {
                state.waiting.append(work)
                return nil
            }
            state.made += 1
            return DispatchQueue(label: label)
        }
        if let queue { start(work, on: queue) }
    }

    private func start(_ work: @escaping Work, on queue: DispatchQueue) {
        queue.async { [self] in
            work()
            let next = state.withLock { state -> Work? in
                if let work = state.next() { return work }
                state.idle.append(queue)
                return nil
            }
            if let next { start(next, on: queue) }
        }
    }
}
