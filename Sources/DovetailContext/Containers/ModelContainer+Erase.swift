import DovetailModel
import DovetailStore

extension ModelContainer {
    /// Deletes all rows of all models, and gives the space to the system where the store can.
    ///
    /// ```swift
    /// try container.erase()
    /// // BEGIN IMMEDIATE; DELETE FROM "Member"; DELETE FROM "Team"; COMMIT; VACUUM
    /// ```
    ///
    /// The rows, and the tokens of what was synchronized, go in one transaction, whatever they refer to; in
    /// one for each store where the container has several. The tables stay, and so does a history, which
    /// has the deletions. What waits in contexts is not touched.
    ///
    /// - Complexity: linear in the number of rows.
    /// - Throws: ``StoreError``, such as `readOnly`, and `wouldDeadlock` inside of a transaction on the
    ///   same thread. When a row cannot be deleted, all rows of its store are still there.
    public func erase() throws {
        try deleteRows()
        try store.compact()
    }

    /// Deletes all rows of all models, as ``erase()`` does, and leaves the files as large as they are.
    ///
    /// ```swift
    /// container.deleteAllData()               // as in SwiftData
    /// try container.deleteAllData().get()     // throws what went wrong
    /// ```
    ///
    /// - Complexity: linear in the number of rows.
    /// - Returns: whether it was done, or what ``erase()`` would have thrown.
    @discardableResult
    public func deleteAllData() -> Result<Void, any Error> {
        Result { try deleteRows() }
    }

    /// Deletes the rows of one store after the other, those first that refer to others.
    private func deleteRows() throws {
        let ordered = Array(schema.inReferenceOrder.reversed())
        let places = (store as? JoinedStore)?.places ?? [:]
        let context = ModelContext(self)
        for place in Set(ordered.map { places[ObjectIdentifier($0.type)] ?? 0 }).sorted() {
            for entity in ordered where places[ObjectIdentifier(entity.type)] ?? 0 == place {
                context.enqueue(PredicateBatch(deleting: entity.type, .included, where: nil))
                // What has changed since then is no list of what there is.
                if let token = try context.changeToken(of: entity.type) {
                    context.enqueue(TokenBatch(entity.type, nil, after: token))
                }
                // Nor are these deletions that a list has to be merged with.
                context.enqueue(
                    RowlessBatch(entity.type) { connection, entity in
                        if case .rows = try connection.bases(of: entity) {
                            try connection.setBases([], of: entity)
                        }
                    }
                )
            }
            try context.save()
        }
    }
}
