/// Keeps the values of a container in memory, without a database: for tests, previews and what a
/// program can compute again.
///
/// ```swift
/// let container = try ModelContainer(for: Trip.self, configurations: MemoryConfiguration())
/// ```
///
/// Each container has an empty store of its own, whose values live as long as the container. It
/// means what the SQLite store means: the same rows come back, and the same errors name the same
/// columns; keys are generated, unique groups and foreign keys are checked, transactions nest. Random
/// tests compare the two.
///
/// Reading waits for no writer, as in a SQLite file; two that write wait for each other. Looking up,
/// writing and deleting a row by its key, by a unique group or by another index are O(log n), other
/// predicates look at every row, and sorting is O(n log n). A snapshot costs nothing.
///
/// What differs from SQLite, beside that nothing is on disk:
///
/// - There is no history, no backup and no trace: see `DataStore.capabilities`.
/// - Errors have no code.
/// - Without an order rows come in the order of their keys. SQLite promises none.
/// - Rows that an order does not tell apart come in the order of their keys, too.
/// - A list in a predicate, a predicate, and a chain of rows that are deleted together may have any
///   length.
/// - Deleting by a query honours its limit and offset.
public struct MemoryConfiguration: DataStoreConfiguration {
    /// A store in memory. It has no settings.
    public init() {}

    /// Makes an empty store. Called by `ModelContainer`.
    ///
    /// - Complexity: linear in the number of attributes. It throws nothing.
    public func makeStore(for schema: Schema) -> any DataStore {
        MemoryStore(schema)
    }
}
