import DovetailModel
import DovetailStore
import Synchronization

/// Which rows the last commits of a container's contexts have changed, so that each context can ask for
/// those alone.
final class CommitLog: Sendable {
    private struct Entry {
        let number: Int
        let context: ObjectIdentifier
        let rows: TouchedRows
    }

    private struct State {
        /// Without gaps, the latest last.
        var entries: [Entry] = []
        /// What wants to know of commits, by the context that it is for.
        var listeners: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())
    private let number = Atomic<Int>(0)

    /// How many commits are known. A context that falls back further asks for all of its rows.
    private static let mostEntries = 64

    /// How many commits there were. What is read after that has all of them.
    var count: Int { number.load(ordering: .acquiring) }

    /// Adds a commit that is stored, tells the listeners of other contexts, and gives its number.
    ///
    /// - Parameter context: Who has committed; nil for somebody else than the container's contexts.
    @discardableResult
    func add(_ rows: TouchedRows, by context: ModelContext?) -> Int {
        let writer = ObjectIdentifier(context ?? self)
        let (number, listeners) = state.withLock { state in
            let number = self.number.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
            if state.entries.count >= Self.mostEntries { state.entries.removeFirst() }
            state.entries.append(Entry(number: number, context: writer, rows: rows))
            return (number, state.listeners.filter { $0.key != writer }.map(\.value))
        }
        if !rows.isEmpty { listeners.forEach { $0() } }
        return number
    }

    /// What other contexts have changed after a commit, and the number of the last one; nil for commits
    /// that are no longer known.
    func changes(
        after number: Int,
        besidesThoseOf context: ModelContext
    ) -> (rows: TouchedRows?, number: Int) {
        let reader = ObjectIdentifier(context)
        return state.withLock { state in
            let last = self.number.load(ordering: .acquiring)
            guard number < last else { return (TouchedRows(), last) }
            guard let first = state.entries.first, first.number <= number + 1 else {
                return (nil, last)
            }
            var rows = TouchedRows()
            for entry in state.entries where entry.number > number && entry.context != reader {
                rows.add(entry.rows)
            }
            return (rows, last)
        }
    }

    /// Calls `body` after the commits of other contexts than this one, on the thread that commits.
    func listen(for context: ModelContext, _ body: @escaping @Sendable () -> Void) {
        let reader = ObjectIdentifier(context)
        state.withLock { $0.listeners[reader] = body }
    }

    /// Ends what ``listen(for:_:)`` has begun.
    func stopListening(for context: ModelContext) {
        let reader = ObjectIdentifier(context)
        state.withLock { $0.listeners[reader] = nil }
    }
}
