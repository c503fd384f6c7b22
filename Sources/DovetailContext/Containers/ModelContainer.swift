import Dispatch
import DovetailModel
public import DovetailStore
import Foundation
import Synchronization

/// Keeps the values of some models in one store.
///
/// A container may be shared between threads and tasks. What is read and written goes through a
/// ``ModelContext``, which may not: make one where you need it, or let ``perform(deadline:_:)`` hand you
/// one.
///
/// ```swift
/// let container = try ModelContainer(for: User.self, Product.self)
/// let count = try await container.perform { context in
///     try context.fetchCount(FetchDescriptor<User>())
/// }
/// ```
public final class ModelContainer: Sendable {
    /// The models that are kept, as the store sees them.
    public let schema: Schema
    /// Where they are kept.
    public let store: any DataStore
    /// Which of them mark their deleted rows; nil where none does.
    let markRules: MarkRules?
    /// What the contexts of this container have committed.
    let commits: CommitLog
    /// Those who follow them.
    let observers: FetchObservers
    /// The keys of objects whose classes declare none.
    let hiddenKeys: HiddenKeys
    /// Who synchronizes a table.
    package let synchronizeRuns: RunQueue
    /// Runs what ``perform(deadline:_:)`` is given, one call at a time. The work blocks, so it must not hold
    /// a thread of Swift's cooperative pool.
    private let queue: BlockingQueue
    /// Runs what ``read(deadline:_:)`` is given, several calls at a time.
    let readQueue: BlockingQueue

    /// How many calls of ``read(deadline:_:)`` run beside each other; more wait for their turn.
    private static let readsAtATime = 16

    /// The configurations that the container was made with: where its models are kept.
    public let storeConfigurations: [any DataStoreConfiguration]
    /// The plan that the container was made with; nil without one.
    ///
    /// Its stages are not run yet: a container opens a database that fits its schema, and refuses
    /// another one with ``StoreError`` of kind `invalidSchema`.
    public let migrationPlan: (any SchemaMigrationPlan.Type)?

    /// Opens the stores of several configurations for a schema. A model belongs to the configuration
    /// that names it (``DataStoreConfiguration/keeping(_:)``), all others to the one that names none.
    ///
    /// ```swift
    /// let container = try ModelContainer(
    ///     for: Schema(versionedSchema: LibraryV2.self),
    ///     migrationPlan: LibraryPlan.self,
    ///     configurations: [MemoryConfiguration()]
    /// )
    /// ```
    ///
    /// - Complexity: one query for each table; it does not grow with the rows.
    /// - Throws: ``StoreError`` when a model cannot be stored, has no configuration or two, or refers
    ///   to a model in another store, or when a store cannot be opened or does not fit.
    @_disfavoredOverload
    public init(
        for schema: Schema,
        migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [any DataStoreConfiguration]
    ) throws {
        (commits, observers, hiddenKeys) = (CommitLog(), FetchObservers(), HiddenKeys())
        (synchronizeRuns, writers) = (RunQueue(), Writers())
        queue = BlockingQueue("Dovetail.ModelContainer", width: 1)
        readQueue = BlockingQueue("Dovetail.ModelContainer.read", width: Self.readsAtATime)
        self.migrationPlan = migrationPlan
        storeConfigurations = configurations
        let schema = schema.adding(configurations.flatMap { $0.models ?? [] })
        try schema.validate()
        if configurations.count == 1 {
            let store = try configurations[0].makeStore(for: schema)
            let isExact = store.capabilities.contains(.exactDates)
            self.schema = schema.roundingDates { _ in !isExact }
            self.store = store
        } else {
            let store = try JoinedStore(configurations, for: schema)
            self.schema = schema.roundingDates { store.roundsDates(of: $0.tableIdentifier) }
            self.store = store
        }
        markRules = MarkRules(self.schema)
        try hiddenKeys.open(store, for: self.schema)
    }

    /// Makes the container that the main context of another one has: everything is what that one has, but it does
    /// not hold it, which holds the context.
    private init(ofMainContextOf other: ModelContainer) {
        (schema, store, markRules) = (other.schema, other.store, other.markRules)
        (commits, observers, hiddenKeys) = (other.commits, other.observers, other.hiddenKeys)
        (synchronizeRuns, writers) = (other.synchronizeRuns, other.writers)
        (queue, readQueue) = (other.queue, other.readQueue)
        (storeConfigurations, migrationPlan) = (other.storeConfigurations, other.migrationPlan)
        origin = other
    }

    /// The container whose main context has this one; nil of all others, and when that is gone.
    ///
    /// Invariant: it is set once, before anybody else has this container. To read it is safe on any thread.
    private nonisolated(unsafe) weak var origin: ModelContainer?

    /// The container that a program knows.
    var known: ModelContainer { origin ?? self }

    /// Which context is writing on which thread. A store may give a thread the connection that it
    /// has already, and what a second context saves on it would share the fate of the first one's
    /// transaction.
    private final class Writers: Sendable {
        let contexts = Mutex<[ObjectIdentifier: ObjectIdentifier]>([:])
    }

    private let writers: Writers

    /// Runs `body` with a connection for a context to write on.
    ///
    /// - Throws: ``StoreError`` that says `wouldDeadlock` inside of another context's session on the
    ///   same thread, and what `body` throws.
    func withWriteSession<Result>(
        of context: ModelContext,
        _ body: (any StoreConnection) throws -> Result
    ) throws -> Result {
        let thread = ObjectIdentifier(Thread.current)
        let writer = ObjectIdentifier(context)
        let outer = writers.contexts.withLock { $0[thread] }
        guard outer == nil || outer == writer else {
            throw StoreError(
                .wouldDeadlock,
                explanation: "another context is in a transaction on this thread; end that first"
            )
        }
        return try store.withConnection { connection in
            writers.contexts.withLock { $0[thread] = writer }
            defer { writers.contexts.withLock { $0[thread] = outer } }
            return try body(connection)
        }
    }

    /// The context of the main actor, for programs and scripts. Made at first use, and kept as long as the container;
    /// what waits in it then is gone with both.
    @MainActor public var mainContext: ModelContext {
        if let context = madeContext?.context ?? ownContext { return context }
        let own = ModelContainer(ofMainContextOf: self)
        let context = ModelContext(own, isMain: true)
        own.ownContext = context
        context.makeAutosaveJob = { [weak own] in
            Task { @MainActor in own?.ownContext?.autosave() }
        }
        context.takeCommits(byJobs: { [weak own] work in
            Task { @MainActor in if let context = own?.ownContext { work(context) } }
        })
        madeContext = MainContext(context)
        return context
    }

    /// Holds the main context, which ends on the main actor: somebody may use its objects there when the container
    /// goes on another thread.
    @MainActor private final class MainContext {
        let context: ModelContext

        init(_ context: ModelContext) { self.context = context }

        isolated deinit {}
    }

    @MainActor private var madeContext: MainContext?
    /// The main context that has this container; nil of all others.
    @MainActor private weak var ownContext: ModelContext?

    /// Runs `body` on a thread of the container's own with a new context.
    ///
    /// ```swift
    /// let names = try await container.perform { context in
    ///     context.insert(User(id: 1, name: "Ann", age: 36))
    ///     try context.save()
    ///     return try context.fetch(FetchDescriptor<User>()).map(\.name)
    /// }
    /// ```
    ///
    /// Nothing is saved unless `body` saves it. Calls run one at a time, in the order in which they
    /// come. Cancelling the task, and the end of the deadline, make the store end what it is doing
    /// for this call; a transaction is undone then. A call that waits for its turn ends when that
    /// comes.
    ///
    /// - Parameters:
    ///   - deadline: When the store has to be done, such as `.now + .seconds(5)`; nil for no end.
    ///   - body: What reads and writes.
    /// - Throws: what `body` throws; ``StoreError`` of kind `cancelled` or `deadlineExceeded`; and where a relationship
    ///   could not be read in it, why: what was made of that is no result.
    public func perform<Result>(
        deadline: ContinuousClock.Instant? = nil,
        _ body: sending @escaping (ModelContext) throws -> sending Result
    ) async throws -> sending Result {
        try await run(on: queue, deadline) { container in
            let context = ModelContext(container)
            return try context.whole { try body(context) }
        }
    }

    /// Runs `body` with a context that reads one state of the store, whatever is saved meanwhile.
    /// Up to 16 calls run beside each other and beside ``perform(deadline:_:)``, where the store can.
    ///
    /// ```swift
    /// let count = try await container.read { try $0.fetchCount(FetchDescriptor<User>()) }
    /// ```
    ///
    /// Cancelling the task, and the end of the deadline, end it as they do ``perform(deadline:_:)``.
    ///
    /// - Parameters:
    ///   - deadline: When the store has to be done, such as `.now + .seconds(5)`; nil for no end.
    ///   - body: What reads.
    /// - Throws: what `body` throws; ``StoreError`` that says `writeInsideRead` when it saves, and
    ///   of kind `cancelled` or `deadlineExceeded`, and what ``perform(deadline:_:)`` throws of relationships.
    public func read<Result>(
        deadline: ContinuousClock.Instant? = nil,
        _ body: sending @escaping (ModelContext) throws -> sending Result
    ) async throws -> sending Result {
        try await run(on: readQueue, deadline) { container in
            try container.store.withSnapshot { connection in
                let context = ModelContext(container, reading: connection)
                return try context.whole { try body(context) }
            }
        }
    }

    /// Runs `body` on a thread of the container's own, beside others.
    ///
    /// - Throws: what `body` throws.
    package func run<Result: Sendable>(
        _ body: sending @escaping () throws -> Result
    ) async throws -> Result {
        // Invariant: as in `run(on:_:_:)`, which calls it once.
        nonisolated(unsafe) let body = body
        return try await run(on: readQueue, nil) { _ in try body() }
    }

    /// Runs `body` on a queue, once.
    func run<Result>(
        on queue: BlockingQueue,
        _ deadline: ContinuousClock.Instant?,
        _ body: sending @escaping (ModelContainer) throws -> Result
    ) async throws -> sending Result {
        // Invariant: one thread has `body` at a time. It is `sending`: the caller gave it away, and the
        // block on the queue runs it once. What it gives comes from a closure of `perform` or `read`,
        // whose result is `sending` too, so the queue keeps nothing of it.
        nonisolated(unsafe) let body = body
        let interruption = StoreInterruption(deadline: deadline)
        let outcome: Transfer<Result> = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.run { [self] in
                    defer { interruption.end() }
                    do {
                        let value = try StoreInterruption.$current.withValue(interruption) {
                            try interruption.check()
                            return try body(self)
                        }
                        continuation.resume(returning: Transfer(value: value))
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            }
        } onCancel: {
            interruption.cancel()
        }
        return outcome.value
    }
}

/// Carries the result of `perform` and `read` from the container's queue to the caller.
///
/// Invariant of the unchecked `Sendable`: one side holds the value at a time. `run` makes it of a
/// `sending` result on the queue, which lets go of it before the caller takes it.
private struct Transfer<Value>: @unchecked Sendable {
    let value: Value
}
