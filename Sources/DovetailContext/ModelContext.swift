import DovetailModel
import DovetailStore

/// A unit of work: what is inserted, changed and deleted is kept until ``save()`` writes all of it
/// in one transaction, or ``rollback()`` forgets it.
///
/// A context is synchronous and belongs to whoever made it. Fetches see what waits to be saved.
public final class ModelContext {
    /// The container whose values it reads and writes.
    public let container: ModelContainer
    @usableFromInline var pending: [PendingWrites] = []
    /// How many of `pending` take no more values, because a transaction may have to undo what
    /// comes after them.
    @usableFromInline var sealed = 0

    /// Makes a context.
    public init(_ container: ModelContainer) {
        self.container = container
    }

    /// Whether anything waits to be saved.
    public var hasChanges: Bool { !pending.isEmpty }

    /// Writes everything that waits, in the order in which it came, in one transaction.
    ///
    /// - Complexity: linear in the number of values; one prepared statement a model and verb.
    /// - Throws: ``StoreError``, and ``ModelEncodingError`` for values that have no form in a
    ///   column. The store then holds what it held before, and everything still waits.
    public func save() throws {
        guard hasChanges else { return }
        try container.store.withConnection { connection in
            try connection.transaction(keeping: true) { try write(pending, to: connection) }
        }
        rollback()
    }

    /// Forgets everything that waits to be saved.
    public func rollback() {
        pending.removeAll()
        sealed = 0
    }

    /// Runs `body`, then saves it and what waited before; when `body` throws, what it changed is
    /// forgotten.
    ///
    /// - Throws: what `body` and ``save()`` throw.
    public func transaction(_ body: () throws -> Void) throws {
        let outer = sealed
        sealed = pending.count
        do {
            try body()
        } catch {
            // `body` itself may have saved or rolled back, and then nothing is sealed any more.
            pending.removeSubrange(sealed...)
            sealed = min(outer, pending.count)
            throw error
        }
        sealed = min(outer, pending.count)
        try save()
    }

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
