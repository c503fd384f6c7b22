import DovetailStore

extension ModelContainer {
    /// Runs `body` in one transaction, on a thread of the container's own with a new context, and again from its
    /// beginning where another transaction is in the way.
    ///
    /// ```swift
    /// let left = try await container.transaction { context in
    ///     let account = try context.fetch(FetchDescriptor<Account>(predicate: #Predicate { $0.id == 7 }))[0]
    ///     account.balance -= 10
    ///     return account.balance
    /// }
    /// ```
    ///
    /// It is ``ModelContext/transaction(_:)`` for stores of many writers, where what was read may have been changed by
    /// somebody else by the end. The store undoes the transaction then, and `body` reads again, with another context; so
    /// it should do nothing that cannot be done twice. On a store of one writer it runs once. Between two attempts it
    /// waits, up to a millisecond before the second one, and twice as long before each other one.
    ///
    /// - Parameters:
    ///   - attempts: How often it runs at most; nil for as often as a save is sent, as the store's configuration says.
    ///   - deadline: When the store has to be done; nil for no end.
    ///   - body: What reads and writes. What it has changed is saved at its end.
    /// - Complexity: that of `body` and of the save, for each attempt.
    /// - Throws: what `body` throws, and what ``ModelContext/save()`` throws; of kind `serializationFailure` or
    ///   `deadlock` after the last attempt. Nothing is stored then.
    public func transaction<Result>(
        attempts: Int? = nil,
        deadline: ContinuousClock.Instant? = nil,
        _ body: sending @escaping (ModelContext) throws -> sending Result
    ) async throws -> sending Result {
        let most = max(1, attempts ?? store.saveAttempts)
        return try await perform(deadline: deadline) { first in
            var context = first
            var attempt = 1
            while true {
                do {
                    return try Self.transaction(in: context, body)
                } catch let error as StoreError where error.isAboutOthers && attempt < most {
                    try StoreError.pause(before: &attempt)
                    context = ModelContext(context.container)
                }
            }
        }
    }

    private static func transaction<Result>(
        in context: ModelContext,
        _ body: (ModelContext) throws -> sending Result
    ) throws -> sending Result {
        // Invariant of the unsafety: nobody else has it, the call below has it until that ends.
        nonisolated(unsafe) var results: [Result] = []
        try context.transaction { results.append(try body(context)) }
        // Invariant: the body has run, or the call above has thrown.
        return results.removeLast()
    }
}
