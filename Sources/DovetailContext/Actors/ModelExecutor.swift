import Dispatch

/// Runs the work of a ``ModelActor``, and has the context in which it reads and writes.
///
/// It is a serial executor, so that an actor may have any of them without a cast.
public protocol ModelExecutor: SerialExecutor {
    /// The context of the actor. Only code that runs on the executor may use it.
    var modelContext: ModelContext { get }
}

/// A ``ModelExecutor`` that runs one job at a time, as all of them do. The name is SwiftData's.
public protocol SerialModelExecutor: ModelExecutor {}

/// Runs the work of a ``ModelActor`` on a queue of its own, one job after the other, in the order in
/// which they come.
///
/// ```swift
/// actor Librarian: ModelActor {
///     let modelContainer: ModelContainer
///     let modelExecutor: any ModelExecutor
///
///     init(modelContainer: ModelContainer) {
///         self.modelContainer = modelContainer
///         let context = ModelContext(modelContainer)
///         modelExecutor = DefaultSerialModelExecutor(modelContext: context)
///     }
/// }
/// ```
///
/// What a store does blocks its thread, and Swift's cooperative pool has only as many as the machine
/// has processors: so no thread of it is used here. It makes no difference on which thread or actor
/// the executor is made.
///
/// Invariant of the unchecked `Sendable`: `modelContext` is used by one job at a time. The compiler
/// sees to it that nobody else has the context that `init` is given (`sending`), `queue` is serial, and
/// ``ModelActor/modelContext`` is isolated to the actor. Whoever takes the context from the executor
/// itself has to be on it.
public final class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
    /// The context of the actor. Only code that runs on the executor may use it.
    public let modelContext: ModelContext
    private let queue = DispatchQueue(label: "Dovetail.ModelActor")

    /// Makes an executor for a context, which it takes over. Costs a queue, and no thread before the
    /// first job.
    public init(modelContext: sending ModelContext) {
        self.modelContext = modelContext
        modelContext.makeAutosaveJob = { [weak self] in self?.scheduleAutosave() }
        modelContext.takeCommits(byJobs: { [weak self] work in self?.schedule(work) })
    }

    /// Does something with the context after the jobs that wait already.
    private func schedule(_ work: @escaping @Sendable (ModelContext) -> Void) {
        queue.async { [self] in work(modelContext) }
    }

    /// Saves what the context has, after the jobs that wait already.
    private func scheduleAutosave() {
        schedule { $0.autosave() }
    }

    /// Adds a job to the queue. Called by the runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The block holds the executor while the job runs, also when the actor ends with it.
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    /// The executor as actors hold it.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Ends the program unless it is called on the queue: what `assumeIsolated` asks.
    public func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
