public import DovetailStore

extension ModelContext {
    /// The commits after a number, in their order: what other contexts, programs and machines have
    /// changed since then in the tables of the container's models.
    ///
    /// ```swift
    /// let last = try context.history(since: 0).last?.number ?? 0
    /// // … later
    /// for commit in try context.history(since: last) {
    ///     print(commit.number, commit.author ?? "?", commit.changes.count)
    /// }
    /// ```
    ///
    /// What waits to be saved is not in it.
    ///
    /// - Parameters:
    ///   - number: ``HistoryCommit/number`` of the last one that is known; 0 for all that there are.
    ///   - limit: The most commits to give, the oldest first; nil for all.
    /// - Complexity: linear in the number of changes, which are all held in memory.
    /// - Throws: ``StoreError``, of kind `historyDisabled` when the configuration keeps none, and `historyPruned`
    ///   where some after the known one were removed, because they were older than the retention.
    public func history(since number: Int64, limit: Int? = nil) throws -> [HistoryCommit] {
        try container.store.history(since: number, limit: limit, of: container.schema)
    }
}
