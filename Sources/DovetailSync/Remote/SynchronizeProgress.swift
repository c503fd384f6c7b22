public import Foundation
import Synchronization

/// How far a run of `container.synchronize` is: given to it, and looked at meanwhile.
///
/// ```swift
/// let progress = SynchronizeProgress()
/// async let changes = container.synchronize(Product.self, from: pages, progress: progress)
/// for await step in progress.steps { print(step) }
/// // receiving: 100 values in 1 page
/// // …
/// // merging: 5000 of 5000 values
/// ```
///
/// It belongs to one run. ``steps`` ends with the run, whether it has succeeded or not.
public final class SynchronizeProgress: Sendable {
    /// One moment of a run.
    public struct Step: Hashable, Sendable, CustomStringConvertible {
        /// How many pages have come.
        public let pages: Int
        /// How many values have come.
        public let received: Int
        /// How many of these were compared with the store; nil while pages come.
        public let merged: Int?

        /// The numbers in one line.
        public var description: String {
            if let merged { return "merging: \(merged) of \(received) values" }
            return "receiving: \(received) values in \(pages) \(pages == 1 ? "page" : "pages")"
        }
    }

    /// What happens, one after the other; of steps that nobody takes the last one is kept. It is gone over
    /// once.
    public let steps: AsyncStream<Step>
    /// The same as Foundation tells it: indeterminate while pages come, and then the part of the values that
    /// was compared. Cancelling it ends the run with `CancellationError` at its next step.
    public let progress = Progress(totalUnitCount: -1)

    private let continuation: AsyncStream<Step>.Continuation
    private let last = Mutex(Step(pages: 0, received: 0, merged: nil))

    /// Makes one for a run.
    public init() {
        (steps, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Notes that a page has come.
    ///
    /// - Throws: `CancellationError` after ``progress`` was cancelled.
    func receive(_ count: Int) throws {
        try tell { Step(pages: $0.pages + 1, received: $0.received + count, merged: nil) }
    }

    /// Notes that so many values more were compared with the store.
    ///
    /// - Throws: `CancellationError` after ``progress`` was cancelled.
    func merge(_ count: Int) throws {
        try tell {
            Step(pages: $0.pages, received: $0.received, merged: ($0.merged ?? 0) + count)
        }
    }

    /// Begins to merge, also once more where another transaction was in the way.
    func beginMerge() {
        last.withLock { $0 = Step(pages: $0.pages, received: $0.received, merged: nil) }
    }

    private func tell(_ change: (Step) -> Step) throws {
        if progress.isCancelled { throw CancellationError() }
        let step = last.withLock { last in
            last = change(last)
            return last
        }
        if let merged = step.merged {
            progress.totalUnitCount = Int64(step.received)
            progress.completedUnitCount = Int64(min(merged, step.received))
        }
        continuation.yield(step)
    }

    /// Notes that the run has ended.
    func end() { continuation.finish() }
}
