import Synchronization

/// Ends what runs in a store before it is done: when its task is cancelled, or its deadline is over.
///
/// `ModelContainer.perform` makes one for each call. A store asks the one of its caller now and then
/// while it works, so it never strikes another call on the same connection. It ends with its call:
/// a task that the call has started, and that inherits it, has no deadline after that.
public final class StoreInterruption: Sendable {
    private enum State: UInt8, AtomicRepresentable {
        case runs
        case isCancelled
        case isOver
    }

    private let state = Atomic(State.runs)
    private let deadline: ContinuousClock.Instant?
    /// The one of the call inside of which this one works.
    private let outer: StoreInterruption?

    /// The one of the call that runs on this thread; nil where nothing can interrupt.
    @TaskLocal public static var current: StoreInterruption?

    /// Makes one that strikes at the deadline, or when ``cancel()`` is called.
    ///
    /// - Parameter outer: Another one, which strikes here too.
    public init(deadline: ContinuousClock.Instant? = nil, inside outer: StoreInterruption? = nil) {
        self.deadline = deadline
        self.outer = outer
    }

    /// Makes the work end at its next look here. May be called from any thread, also often.
    public func cancel() {
        _ = state.compareExchange(
            expected: .runs,
            desired: .isCancelled,
            ordering: .relaxed
        )
    }

    /// Says that the call is over: nothing is interrupted any more.
    public func end() {
        state.store(.isOver, ordering: .relaxed)
    }

    /// Why the work has to end; nil while it may go on.
    ///
    /// - Complexity: O(1); it looks at the clock where there is a deadline.
    public var reason: StoreError.Kind? {
        switch state.load(ordering: .relaxed) {
        case .isOver: return nil
        case .isCancelled: return .cancelled
        case .runs:
            if let deadline, ContinuousClock.now >= deadline { return .deadlineExceeded }
            return outer?.reason
        }
    }

    /// Does nothing while the work may go on.
    ///
    /// - Throws: ``StoreError`` of kind `cancelled` or `deadlineExceeded`.
    public func check() throws {
        if let reason { throw Self.error(reason) }
    }

    /// The error of a reason.
    package static func error(
        _ reason: StoreError.Kind,
        table: String? = nil,
        code: Int = 0
    ) -> StoreError {
        StoreError(
            reason,
            table: table,
            explanation: reason == .deadlineExceeded
                ? "the deadline is over; nothing of it was stored"
                : "the task was cancelled; nothing of it was stored",
            code: code
        )
    }
}
