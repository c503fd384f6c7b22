import DovetailModel
import DovetailStore

/// A unit of work: what is inserted, changed and deleted is kept until ``save()`` writes all of it
/// in one transaction, or ``rollback()`` forgets it.
///
/// ```swift
/// let context = ModelContext(container)
/// context.insert(User(id: 1, name: "Ann", age: 36))
/// try context.save()
/// // BEGIN IMMEDIATE; INSERT INTO "User" ("id", "name", "age") VALUES (?1, ?2, ?3); COMMIT
/// ```
///
/// A context is synchronous, is not thread-safe, and belongs to whoever made it; a container may
/// have many. Fetches see what waits to be saved in their own context, and nothing of other
/// contexts.
public final class ModelContext {
    /// The container whose values it reads and writes.
    public let container: ModelContainer
    /// What waits to be saved, in the order in which it came.
    @usableFromInline var pending: [PendingWrites] = []
    /// How many of `pending` take no more values, because a transaction may have to remove what
    /// comes after them. Invariant: at most `pending.count`, which `transaction(_:)` and
    /// ``rollback()`` see to.
    @usableFromInline var sealed = 0

    /// Makes a context in which nothing waits. Costs no I/O.
    public init(_ container: ModelContainer) {
        self.container = container
    }

    /// Whether anything waits to be saved.
    public var hasChanges: Bool { !pending.isEmpty }

    /// Writes everything that waits, in the order in which it came, in one transaction.
    ///
    /// Without changes nothing is done, and the store is not locked.
    ///
    /// - Complexity: linear in the number of values; one prepared statement for each model and
    ///   verb.
    /// - Throws: ``StoreError``, such as `uniqueViolation` for an insert of a known key and
    ///   `notFound` for an update of an unknown one, and ``ModelEncodingError`` for values that
    ///   have no form in a column. The store then holds what it held before, and everything still
    ///   waits.
    public func save() throws {
        guard hasChanges else { return }
        try container.store.withConnection { connection in
            try connection.transaction(keeping: true) { try write(pending, to: connection) }
        }
        rollback()
    }

    /// Forgets everything that waits to be saved. The store is not asked.
    public func rollback() {
        pending.removeAll()
        sealed = 0
    }

    /// Runs `body`, then saves what it changed and what waited before. When `body` throws, what it
    /// changed is forgotten, and what waited before still waits.
    ///
    /// ```swift
    /// try context.transaction {
    ///     context.delete(old)
    ///     context.insert(new)
    /// }
    /// // BEGIN IMMEDIATE; DELETE FROM "User" WHERE "id" = ?1; INSERT INTO "User" …; COMMIT
    /// ```
    ///
    /// No transaction of the store is open while `body` runs; it begins in ``save()``. An inner
    /// call saves by itself, also what waits of the outer one.
    ///
    /// - Throws: what `body` and ``save()`` throw. When saving fails, everything still waits.
    public func transaction(_ body: () throws -> Void) throws {
        let outer = sealed
        sealed = pending.count
        do {
            try body()
        } catch {
            // Where `body` saved or rolled back, nothing is sealed, and all that waits is its own.
            pending.removeSubrange(sealed...)
            sealed = min(outer, pending.count)
            throw error
        }
        sealed = min(outer, pending.count)
        try save()
    }

    /// Writes what waits, one after the other; the caller has opened the transaction.
    private func write(
        _ pending: [PendingWrites],
        to connection: any StoreConnection
    ) throws {
        for writes in pending {
            try writes.write(connection, container.schema.entity(writes.model))
        }
    }

    /// Runs `body` with a connection to a store that looks as if everything of `model` that waits
    /// were saved.
    ///
    /// Where something waits, it is written in a transaction that is rolled back after `body`. That
    /// takes the store's write lock and costs as much as saving those values, for each call. Where
    /// nothing waits, no transaction is opened.
    ///
    /// - Throws: what `body` throws, and what writing throws: ``StoreError`` and
    ///   ``ModelEncodingError``.
    func withPendingWritten<Result>(
        of model: any Model.Type,
        _ body: (any StoreConnection) throws -> Result
    ) throws -> Result {
        try container.store.withConnection { connection in
            let relevant = pending.filter { $0.model == model }
            if relevant.isEmpty { return try body(connection) }
            return try connection.transaction(keeping: false) {
                try write(relevant, to: connection)
                return try body(connection)
            }
        }
    }
}
