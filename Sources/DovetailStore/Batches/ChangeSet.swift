/// What is to be written in one transaction, in its order: what waits in a context, or what a program
/// has made of it.
///
/// ```swift
/// context.delete(ann)
/// for change in try context.changes.rows(of: container.schema) {
///     print(change.verb, change.key)      // delete [.integer(1)]
/// }
/// ```
public struct ChangeSet {
    /// The changes, in the order in which they are written.
    public var batches: [any ChangeBatch]
    /// Who makes them, for the history.
    public var author: String?

    /// Makes a set of changes.
    public init(_ batches: [any ChangeBatch] = [], author: String? = nil) {
        self.batches = batches
        self.author = author
    }

    /// Whether nothing is written.
    public var isEmpty: Bool { batches.isEmpty }

    /// How many rows are written; nil with a deletion by a predicate, whose rows the store alone can
    /// count.
    ///
    /// - Complexity: linear in the number of batches.
    public var count: Int? {
        batches.reduce(0) { sum, batch in
            guard let sum, let count = batch.count else { return nil }
            return sum + count
        }
    }

    /// The changes of all rows, in their order. Those of a deletion by a predicate are not known.
    ///
    /// - Complexity: linear in the size of the rows, all of which are made.
    /// - Throws: ``StoreError`` for a model that the schema lacks, and ``ModelEncodingError`` for a
    ///   value that has no form in a column.
    public func rows(of schema: Schema) throws -> [RowChange] {
        try batches.flatMap { try $0.changes(of: schema.entity($0.model)) }
    }
}
