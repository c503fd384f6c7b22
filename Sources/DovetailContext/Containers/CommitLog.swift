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
    func add(_ rows: TouchedRows, by context: ModelContext) -> Int {
        let writer = ObjectIdentifier(context)
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

/// Rows of classes that somebody has written.
struct TouchedRows: Sendable {
    /// The keys of changed and deleted rows, by class.
    private(set) var keys: [ObjectIdentifier: Set<RowKey>] = [:]
    /// The classes of which any row may have changed.
    private(set) var all: Set<ObjectIdentifier> = []
    /// The classes that have new rows, or rows in a join table that are.
    private(set) var added: Set<ObjectIdentifier> = []

    /// More keys than these are not kept: any row may have changed.
    private static let mostKeys = 1000

    var isEmpty: Bool { keys.isEmpty && all.isEmpty && added.isEmpty }

    /// Whether rows of a class were written at all.
    func contains(_ type: any PersistentModel.Type) -> Bool {
        let identifier = type.rootIdentifier
        return keys[identifier] != nil || all.contains(identifier) || added.contains(identifier)
    }

    /// Adds what a batch has written, and what the rules of references may have changed with it.
    ///
    /// - Throws: ``ModelEncodingError``; the keys of objects that were written cannot fail.
    mutating func add(_ batch: any ChangeBatch, of entity: EntityBinding, in schema: Schema) throws
    {
        let identifier = entity.tableIdentifier
        let isPredicate = batch as? PredicateBatch
        if entity.type is any PersistentModel.Type {
            switch batch.verb {
            case .insert: added.insert(identifier)
            case .update, .delete:
                if batch.count ?? .max <= Self.mostKeys {
                    let changes = try batch.changes(of: entity)
                    insert(Set(changes.map { RowKey($0.key) }), identifier)
                } else {
                    all.insert(identifier)
                }
            case .upsert, nil: all.insert(identifier)
            }
        }
        // What the lists of both sides hold.
        if entity.type is any JoinModel.Type {
            added.formUnion(
                entity.attributes.compactMap { $0.reference?.target.tableIdentifier }
            )
        }
        guard batch.verb == .delete || isPredicate.map({ $0.assignments == nil }) ?? false else {
            return
        }
        for other in schema.bindings
        where other.type is any PersistentModel.Type
            && schema.isDeletion(of: entity.type, seenIn: other.type)
        {
            all.insert(other.tableIdentifier)
        }
    }

    /// Adds what else was written.
    mutating func add(_ other: TouchedRows) {
        all.formUnion(other.all)
        added.formUnion(other.added)
        for (type, keys) in other.keys { insert(keys, type) }
    }

    private mutating func insert(_ new: Set<RowKey>, _ type: ObjectIdentifier) {
        if all.contains(type) { return }
        keys[type, default: []].formUnion(new)
        if keys[type]?.count ?? 0 > Self.mostKeys { all.insert(type) }
    }
}
