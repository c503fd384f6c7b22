import DovetailModel
import DovetailStore
import Synchronization

extension ModelContext {
    /// Takes over what other contexts of the container have committed, as the next fetch or save of
    /// objects would do.
    ///
    /// ```swift
    /// box.title                           // "tools"
    /// context.processPendingChanges()
    /// box.title                           // "old tools": another context has saved it
    /// ```
    ///
    /// Objects get the stored values in all attributes that were not changed here. One whose row was
    /// deleted is ``PersistentModel/isDeleted`` and keeps its last values, unless it was changed here:
    /// then ``conflictPolicy`` decides at the save. ``ModelContainer/mainContext`` and the contexts of
    /// ``ModelActor``s do it by themselves, in a job of their own after each commit. What other
    /// processes have saved is not noticed.
    ///
    /// An error is thrown by the next fetch or save.
    ///
    /// - Complexity: O(1) where nobody else has committed anything. Otherwise one query for each class,
    ///   of the rows that were written and whose objects this context has, and linear in the number of
    ///   its objects.
    public func processPendingChanges() {
        do {
            try takeCommits()
        } catch {
            registry.problem = registry.problem ?? error
        }
    }

    /// Takes over what others have committed, unless rows are being written.
    private func takeCommits() throws {
        guard let madeRegistry else {
            // What is read after this, and makes the first objects, may not have later ones.
            commitsBeforeObjects = container.commits.count
            return
        }
        guard !isReading, !isFlushing, !isPendingWritten else { return }
        try madeRegistry.takeCommits()
    }

    /// Runs what is all that this context is for, and throws what could not be said where it happened: a relationship
    /// that was not read is empty, and what was made of it is no result.
    ///
    /// - Throws: what `body` throws; an error before it, which has ended the work of the store, comes first.
    func whole<Result>(_ body: () throws -> Result) throws -> Result {
        let result: Result
        do {
            result = try body()
        } catch {
            throw cause(of: error)
        }
        if let problem = madeRegistry?.problem { throw problem }
        return result
    }

    /// What an error comes from: one that has ended the work of the store, and could not be said where it happened,
    /// or the error itself.
    func cause(of error: any Error) -> any Error {
        guard let problem = madeRegistry?.problem as? StoreError else { return error }
        let isInterruption = problem.kind == .cancelled || problem.kind == .deadlineExceeded
        return isInterruption || problem.isAboutOthers ? problem : error
    }

    /// Begins to read or write objects: throws what could not be said where it happened, and takes over
    /// what others have committed.
    @usableFromInline
    func beginUse() throws {
        if let problem = madeRegistry?.problem {
            madeRegistry?.problem = nil
            throw problem
        }
        try takeCommits()
    }

    /// Takes over each commit of other contexts in a job.
    ///
    /// - Parameter schedule: Makes a job on the context's executor that calls what it is given with the
    ///   context. It is not called again before that job has begun.
    func takeCommits(
        byJobs schedule:
            @escaping @Sendable (_ work: @escaping @Sendable (ModelContext) -> Void) -> Void
    ) {
        final class Flag: Sendable { let isSet = Atomic<Bool>(false) }
        let isScheduled = Flag()
        isListening = true
        container.commits.listen(for: self) {
            guard !isScheduled.isSet.exchange(true, ordering: .acquiringAndReleasing) else {
                return
            }
            schedule { context in
                isScheduled.isSet.store(false, ordering: .releasing)
                context.processPendingChanges()
            }
        }
    }
}
