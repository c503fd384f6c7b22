public import DovetailContext
public import DovetailModel
public import DovetailREST

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
    /// compared and written after the last one, on a thread of the container's own, one call after the
    /// other. So a list that breaks off, because the network fails or the task is cancelled, deletes and
    /// changes nothing. A value that comes twice, such as one that has moved to the next page meanwhile,
    /// counts once, unless it has changed between both: that is an error, and the next run has the list as
    /// it is then.
    ///
    /// - Parameters:
    ///   - model: The model of the values.
    ///   - pages: Arrays of values, or other sequences of them; `AsyncStream` and `Product.pages(from:)`
    ///     are some.
    ///   - scope: Which rows they are all of; others are not deleted.
    ///   - deletionLimit: What part of the stored rows in the scope may be deleted, from 0 to 1.
    ///   - isolation: The actor on which the pages are asked for; that of the caller.
    /// - Complexity: as of ``ModelContext/synchronize(_:scope:deletionLimit:)``. All values are in memory.
    /// - Throws: what `pages` throws, `CancellationError`, and what
    ///   ``ModelContext/synchronize(_:scope:deletionLimit:)`` and `save()` throw. Nothing is written then.
    @discardableResult
    public func synchronize<Value: Model & Identifiable & Sendable, Pages: AsyncSequence>(
        _ model: Value.Type,
        from pages: Pages,
        scope: SynchronizeScope<Value> = .full,
        deletionLimit: Double = 1,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> EntityChanges<Value.ID>
    where Pages.Element: Sequence<Value>, Value.ID: Sendable {
        var values: [Value] = []
        var iterator = pages.makeAsyncIterator()
        while let page = try await iterator.next(isolation: isolation) {
            values += page
        }
        // A stream of the standard library ends where its task is cancelled, as if it were over.
        try Task.checkCancellation()
        return try await merge(values, scope, deletionLimit)
    }

    /// Makes the store hold exactly the values of an array that a backend has, or a part of them, in one
    /// transaction.
    ///
    /// ```swift
    /// extension User: Fetchable {}
    /// let changes = try await container.synchronize(User.self, from: Shop.users)     // GET …/users
    /// ```
    ///
    /// - Parameters:
    ///   - model: The model of the values.
    ///   - route: The request whose answer is an array of them.
    ///   - session: What requests share.
    ///   - scope: Which rows they are all of; others are not deleted.
    ///   - deletionLimit: What part of the stored rows in the scope may be deleted, from 0 to 1.
    /// - Complexity: one request, and as of ``ModelContext/synchronize(_:scope:deletionLimit:)``.
    /// - Throws: as ``Fetchable/fetchAll(_:using:)``, `CancellationError`, and what
    ///   ``ModelContext/synchronize(_:scope:deletionLimit:)`` and `save()` throw. Nothing is written then.
    @discardableResult
    public func synchronize<Value: Model & Identifiable & Fetchable & Sendable>(
        _ model: Value.Type,
        from route: some Router,
        using session: RemoteSession = .shared,
        scope: SynchronizeScope<Value> = .full,
        deletionLimit: Double = 1
    ) async throws -> EntityChanges<Value.ID> where Value.ID: Sendable {
        let values = try await Value.fetchAll(route, using: session)
        return try await merge(values, scope, deletionLimit)
    }

    private func merge<Value: Model & Identifiable & Sendable>(
        _ values: [Value],
        _ scope: SynchronizeScope<Value>,
        _ deletionLimit: Double
    ) async throws -> EntityChanges<Value.ID> where Value.ID: Sendable {
        try await perform { context in
            var changes: EntityChanges<Value.ID>?
            try context.transaction {
                changes = try context.synchronize(
                    values,
                    scope: scope,
                    deletionLimit: deletionLimit
                )
            }
            // `transaction` has run its closure, or thrown.
            return changes ?? EntityChanges(inserted: [], updated: [], deleted: [], unchanged: 0)
        }
    }
}
