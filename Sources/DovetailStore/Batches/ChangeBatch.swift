public import DovetailModel

/// Changes of one model that are written in one way: a part of a ``ChangeSet``.
///
/// A batch is a value to look at, to count and to write again, whatever it was made of:
/// ``ValueBatch`` holds values of a model, ``RowBatch`` rows, and ``PredicateBatch`` says which rows
/// are meant.
public protocol ChangeBatch: AnyObject {
    /// The model.
    var model: any Model.Type { get }
    /// What happens to each row; nil where only the store can tell which rows these are.
    var verb: WriteVerb? { get }
    /// How many rows there are; nil where only the store can tell.
    var count: Int? { get }
    /// The rows in their order: as they shall be, and of a deletion the key columns at least.
    ///
    /// - Complexity: linear in the size of what was not asked for before.
    /// - Throws: ``ModelEncodingError`` for a value that has no form in a column.
    func rows(of entity: EntityBinding) throws -> [RowImage]
    /// The rows in their order, each with what happens to it.
    ///
    /// - Throws: ``ModelEncodingError`` for a value that has no form in a column.
    func changes(of entity: EntityBinding) throws -> [RowChange]
    /// Writes all rows in the transaction that is open on the connection.
    ///
    /// - Parameter commit: Takes the keys that were given, and the conflicts.
    /// - Throws: ``StoreError``, with the key of the row that was refused, and
    ///   ``ModelEncodingError``.
    func apply(
        to connection: any StoreConnection,
        of entity: EntityBinding,
        _ commit: inout Commit
    ) throws
    /// Is told of a batch without rows, which checks something, that the transaction has ended and all is
    /// stored. By default it does nothing.
    func didCommit()
}

extension ChangeBatch {
    /// Does nothing.
    public func didCommit() {}

    /// Each row with the verb of the batch.
    public func changes(of entity: EntityBinding) throws -> [RowChange] {
        guard let verb else { return [] }
        return try rows(of: entity).map { try RowChange(verb, $0, of: entity) }
    }

    /// Writes rows of which two may swap a unique value: when one is refused for that, all of them
    /// give theirs up first, and are written again. What was written before the refusal is undone, or where the
    /// transaction goes on and no keys were given, written over.
    ///
    /// - Parameters:
    ///   - comparesBases: Whether rows are written only where they are what they were before: one that was written
    ///     is another one, so it has to be undone first.
    ///   - keys: The keys of the rows, asked for when one was refused.
    ///   - write: Writes the rows. It may be called a second time, after what it wrote was undone.
    func writeSwapping(
        on connection: any StoreConnection,
        _ entity: EntityBinding,
        _ commit: inout Commit,
        comparesBases: Bool = false,
        keys: () throws -> [[QueryValue]],
        _ write: (inout Commit) throws -> Void
    ) throws {
        guard connection.hasUniqueValues(entity) else { return try write(&commit) }
        // A row of another batch that was held back is refused here, and not as one of these.
        commit.conflicts += try connection.settle()
        var given = Commit()
        do {
            if connection.continuesAfterRefusal, entity.generatedColumn == nil, !comparesBases {
                try write(&given)
            } else {
                try connection.transaction(keeping: true) { try write(&given) }
            }
        } catch let error as StoreError where error.kind == .uniqueViolation {
            // What others have changed is looked for again.
            _ = try connection.settle()
            let keys = try keys()
            guard keys.count > 1 else { throw error }
            given = Commit()
            try connection.park(keys, of: entity)
            try write(&given)
            given.conflicts += try connection.settle()
            try connection.unpark(entity)
        }
        commit.append(given)
    }
}
