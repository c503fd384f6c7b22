public import DovetailContext
public import DovetailModel
public import DovetailREST
import DovetailStore

extension ModelContainer {
    /// Makes the store hold exactly the values that come in pages, or a part of them, in one transaction.
    ///
    /// ```swift
    /// let pages = Product.pages(from: { Shop.products(limit: 100, offset: $0) })
    /// let changes = try await container.synchronize(Product.self, from: pages)
    /// print(changes)              // 12 inserted, 3 updated, 0 deleted, 4985 unchanged
    /// ```
    ///
    /// The pages are collected first, while nothing is locked and others read and write. The store is
    /// compared and written after the last one, on a thread of the container's own. So a list that breaks
    /// off, because the network fails or the task is cancelled, deletes and changes nothing. Runs of one
    /// model go one after the other, from the first page on, in the order in which they begin; one inside of another
    /// by the same task is an error.
    ///
    /// A value that comes twice, such as one that has moved to the next page meanwhile, counts once, unless
    /// it has changed between both: that is an error, and the next run has the list as it is then.
    ///
    /// - Parameters:
    ///   - model: The model of the values.
    ///   - pages: Arrays of values, or other sequences of them; `AsyncStream` and `Product.pages(from:)`
    ///     are some.
    ///   - scope: Which rows they are all of; others are not deleted.
    ///   - deletionLimit: What part of the stored rows in the scope may be deleted, from 0 to 1.
    ///   - unknownReferences: What becomes of references to rows that are not there.
    ///   - localChanges: What becomes of what was changed here since the last list.
    ///   - progress: Is told how far the run is.
    ///   - isolation: The actor on which the pages are asked for; that of the caller.
    /// - Complexity: as of ``ModelContext/synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)``. Up to
    ///   20,000 values are in memory. What is more waits in a temporary table of the store, and is merged
    ///   10,000 at a time; memory holds what differs then, of tables with unique values, and the
    ///   identifiers of that, of others. All values are in memory where the store has no such table, where
    ///   the key is not `id` or the database gives it, where the model has code of its own that runs when it
    ///   is read or written, and in lists of changes.
    /// - Throws: what `pages` throws, `CancellationError`, or ``StoreError`` of kind `cancelled` where the store
    ///   was at work, and what
    ///   ``ModelContext/synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)`` and `save()` throw. Nothing is
    ///   written then. An error about elements gives their positions in their page, where these were in a
    ///   temporary table.
    @discardableResult
    public func synchronize<Value: Model & Identifiable & Sendable, Pages: AsyncSequence>(
        _ model: Value.Type,
        from pages: Pages,
        scope: SynchronizeScope<Value> = .full,
        deletionLimit: Double = 1,
        unknownReferences: UnknownReferences = .fail,
        localChanges: LocalChangePolicy<Value> = .replace,
        progress: SynchronizeProgress? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> EntityChanges<Value.ID>
    where Pages.Element: Sequence<Value>, Value.ID: Sendable {
        let run = ListRun(scope, deletionLimit, unknownReferences, localChanges, progress)
        return try await inTurn(model, progress) {
            let list = try collectedList(model, .same, run)
            var iterator = pages.makeAsyncIterator()
            while let page = try await iterator.next(isolation: isolation) {
                try await add(Array(page), to: list, progress)
            }
            // A stream of the standard library ends where its task is cancelled, as if it were over.
            try Task.checkCancellation()
            return try await merge(list, run)
        }
    }

    /// Makes the store hold exactly the values of an array that a backend has, or a part of them, in one
    /// transaction.
    ///
    /// ```swift
    /// extension User: Fetchable {}
    /// let changes = try await container.synchronize(User.self, from: Shop.users)     // GET …/users
    /// ```
    ///
    /// Runs of one model go one after the other, as those with pages do.
    ///
    /// - Parameters:
    ///   - model: The model of the values.
    ///   - route: The request whose answer is an array of them.
    ///   - session: What requests share.
    ///   - scope: Which rows they are all of; others are not deleted.
    ///   - deletionLimit: What part of the stored rows in the scope may be deleted, from 0 to 1.
    ///   - unknownReferences: What becomes of references to rows that are not there.
    ///   - localChanges: What becomes of what was changed here since the last list.
    ///   - progress: Is told how far the run is.
    ///   - isolation: The actor on which the request is made; that of the caller.
    /// - Complexity: one request, and as of
    ///   ``ModelContext/synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)``. All values are in memory.
    /// - Throws: as ``Fetchable/fetchAll(_:using:)``, `CancellationError`, or ``StoreError`` of kind `cancelled` where the store
    ///   was at work, and what
    ///   ``ModelContext/synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)`` and `save()` throw. Nothing is
    ///   written then.
    @discardableResult
    public func synchronize<Value: Model & Identifiable & Fetchable & Sendable>(
        _ model: Value.Type,
        from route: some Router,
        using session: RemoteSession = .shared,
        scope: SynchronizeScope<Value> = .full,
        deletionLimit: Double = 1,
        unknownReferences: UnknownReferences = .fail,
        localChanges: LocalChangePolicy<Value> = .replace,
        progress: SynchronizeProgress? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> EntityChanges<Value.ID> where Value.ID: Sendable {
        var run = ListRun(scope, deletionLimit, unknownReferences, localChanges, progress)
        run.limits.mostInMemory = .max
        return try await inTurn(model, progress) {
            let list = try collectedList(model, .same, run)
            try await add(Value.fetchAll(route, using: session), to: list, progress)
            return try await merge(list, run)
        }
    }

    /// Brings a model up to date with a backend that tells what has changed since a token: asks for it, again
    /// and again, until the backend has told everything.
    ///
    /// ```swift
    /// let changes = try await container.synchronize(User.self) { token in
    ///     let answer = try await backend.users(changedSince: token)
    ///     return ListOfChanges(
    ///         answer.users,
    ///         deleted: answer.deletedIDs,
    ///         token: answer.next,
    ///         isLast: answer.isComplete
    ///     )
    /// }
    /// ```
    ///
    /// Each list is stored with its token, in one transaction. A run that breaks off in the middle has
    /// stored the lists before, and the next one goes on after these. The first lists of all, which are asked
    /// for without a token, are collected until the last of them and stored together: what they do not have
    /// is deleted. Of a value that comes twice the newer one counts. Runs of one model go one after the
    /// other.
    ///
    /// - Parameters:
    ///   - model: The model of the values.
    ///   - deletionLimit: What part of the stored rows each list may delete, from 0 to 1.
    ///   - unknownReferences: What becomes of references to rows that are not there.
    ///   - localChanges: What becomes of what was changed here since the last list.
    ///   - progress: Is told how far the run is.
    ///   - isolation: The actor on which the lists are asked for; that of the caller.
    ///   - changes: Gives the changes since a token; of nil everything that there is.
    /// - Returns: What was written by all lists, one after the other.
    /// - Complexity: as of ``ModelContext/synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)`` for each
    ///   list; the first ones wait as pages do.
    /// - Throws: what `changes` throws, `CancellationError`, ``SynchronizeError`` of reason `otherToken` where
    ///   somebody else has stored changes meanwhile, and what
    ///   ``ModelContext/synchronize(_:scope:deletionLimit:unknownReferences:localChanges:)`` and `save()` throw.
    @discardableResult
    public func synchronize<Value: Model & Identifiable & Sendable>(
        _ model: Value.Type,
        deletionLimit: Double = 1,
        unknownReferences: UnknownReferences = .fail,
        localChanges: LocalChangePolicy<Value> = .replace,
        progress: SynchronizeProgress? = nil,
        isolation: isolated (any Actor)? = #isolation,
        changes: (String?) async throws -> ListOfChanges<Value>
    ) async throws -> EntityChanges<Value.ID> where Value.ID: Sendable {
        try await inTurn(model, progress) {
            var token = try await perform { try $0.changeToken(of: model) }
            var all = EntityChanges<Value.ID>()
            if token == nil {
                var answer = try await changes(nil)
                let run = ListRun<Value>(
                    .full,
                    deletionLimit,
                    unknownReferences,
                    localChanges,
                    progress
                )
                let list = try collectedList(model, .newer, run)
                while true {
                    try Task.checkCancellation()
                    let deleted = try SynchronizeScope<Value>.keys(of: answer.deleted)
                    try await add(answer.values, deleted: deleted, to: list, progress)
                    token = answer.token
                    if answer.isLast { break }
                    answer = try await changes(token)
                }
                try Task.checkCancellation()
                var whole = run
                whole.scope = .changesSince(nil, next: answer.token)
                return try await merge(list, whole)
            }
            while true {
                let answer = try await changes(token)
                try Task.checkCancellation()
                var scope = SynchronizeScope<Value>.changesSince(
                    token,
                    next: answer.token,
                    deleted: answer.deleted
                )
                scope.isLast = answer.isLast
                let run = ListRun(scope, deletionLimit, unknownReferences, localChanges, progress)
                let list = try collectedList(model, .same, run)
                try await add(answer.values, to: list, progress)
                all.append(try await merge(list, run))
                token = answer.token
                if answer.isLast { return all }
            }
        }
    }

    // MARK: Runs

    /// Runs `body` when the runs of the model that have begun before are over.
    private func inTurn<Value: Model, Result>(
        _ model: Value.Type,
        _ progress: SynchronizeProgress?,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async throws -> Result {
        defer { progress?.end() }
        do {
            try await synchronizeRuns.begin(model.modelTable)
        } catch is RunQueue.OwnRun {
            throw SynchronizeError(table: model.modelTable, positions: [], reason: .ownRun)
        }
        defer { synchronizeRuns.end(model.modelTable) }
        try Task.checkCancellation()
        return try await body()
    }

    private func collectedList<Value: Model & Identifiable>(
        _ model: Value.Type,
        _ repetition: CollectedList<Value>.Repetition,
        _ run: ListRun<Value>
    ) throws -> CollectedList<Value> {
        let entity = try schema.entity(model)
        // Of a part it is not known which rows the others bring.
        let refersToItself = entity.description.references.contains { $0.table == entity.table }
        return CollectedList(
            entity,
            in: store,
            repetition,
            mayBeStaged: run.scope.canBeParted
                && !(run.unknownReferences == .ignore && refersToItself),
            mostInMemory: run.limits.mostInMemory
        )
    }

    /// Adds a page, on another thread where it has to be written.
    private func add<Value: Model & Identifiable & Sendable>(
        _ values: [Value],
        deleted: [RowKey] = [],
        to list: CollectedList<Value>,
        _ progress: SynchronizeProgress?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        if list.blocks(adding: values.count) {
            try await run { try list.add(values, deleted: deleted) }
        } else {
            try list.add(values, deleted: deleted)
        }
        try progress?.receive(values.count)
    }

    private func merge<Value: Model & Identifiable & Sendable>(
        _ list: CollectedList<Value>,
        _ run: ListRun<Value>
    ) async throws -> EntityChanges<Value.ID> where Value.ID: Sendable {
        // The pages were collected: another transaction in the way is no reason to ask for them again.
        try await transaction { context in
            run.progress?.beginMerge()
            if list.isStaged {
                var merge = StagedMerge(list, run, in: context)
                return try merge.merge()
            }
            let values = list.values
            let changes = try context.synchronize(
                values,
                scope: run.scope,
                deletionLimit: run.deletionLimit,
                unknownReferences: run.unknownReferences,
                localChanges: run.localChanges
            )
            try run.progress?.merge(values.count)
            return changes
        }
    }
}

/// What a run was asked for.
struct ListRun<Value: Model & Identifiable>: Sendable {
    var scope: SynchronizeScope<Value>
    let deletionLimit: Double
    let unknownReferences: UnknownReferences
    let localChanges: LocalChangePolicy<Value>
    let progress: SynchronizeProgress?
    var limits = StageLimits.current

    init(
        _ scope: SynchronizeScope<Value>,
        _ deletionLimit: Double,
        _ unknownReferences: UnknownReferences,
        _ localChanges: LocalChangePolicy<Value>,
        _ progress: SynchronizeProgress?
    ) {
        self.scope = scope
        self.deletionLimit = deletionLimit
        self.unknownReferences = unknownReferences
        self.localChanges = localChanges
        self.progress = progress
    }
}
