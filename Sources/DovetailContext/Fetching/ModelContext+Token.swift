public import DovetailModel
package import DovetailStore

extension ModelContext {
    /// The token of the last changes of a model that were synchronized, with which a backend is asked what
    /// has changed since; nil before the first ones.
    ///
    /// ```swift
    /// let token = try context.changeToken(of: User.self)
    /// let answer = try await backend.users(changedSince: token)
    /// ```
    ///
    /// It is stored with the rows, in the same transaction, and forgotten when the container is erased. One
    /// that waits to be saved counts.
    ///
    /// - Complexity: a look into an index.
    /// - Throws: ``StoreError``, such as for a model that the container was made without.
    public func changeToken(of model: any Model.Type) throws -> String? {
        let entity = try entity(of: model)
        let waiting = pending.last { $0 is TokenBatch && $0.model == model } as? TokenBatch
        if let waiting { return waiting.token }
        return try withReadConnection { try $0.token(of: entity) }
    }

    /// Whether rows of a model wait to be saved.
    package func hasChanges(of model: any Model.Type) -> Bool {
        pending.contains { $0.model == model && $0.count != 0 }
    }

    /// The keys of the rows of a model that wait to be saved. What only the store can tell is not in it.
    ///
    /// - Throws: ``StoreError``, and ``ModelEncodingError`` for a waiting value that has no form in a column.
    package func keysThatWait(of model: any Model.Type) throws -> [RowKey] {
        guard case .rows(let pending) = try waiting(of: model) else { return [] }
        return pending.rows.keys.filter { !$0.values.contains(.null) }
    }

    /// Those of some keys with which rows of a model wait.
    ///
    /// - Complexity: linear in their number.
    /// - Throws: ``StoreError``, and ``ModelEncodingError`` for a waiting value that has no form in a column.
    package func keysThatWait(of model: any Model.Type, among keys: [RowKey]) throws -> [RowKey] {
        guard case .rows(let pending) = try waiting(of: model) else { return [] }
        return keys.filter { pending.rows[$0] != nil }
    }
}
