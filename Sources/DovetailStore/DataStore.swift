public import DovetailModel

/// Makes a store for a container: the one line that changes when the database does.
public protocol DataStoreConfiguration: Sendable {
    /// Opens the store and brings its tables into being.
    ///
    /// - Throws: ``StoreError`` when it cannot be opened or does not fit the schema.
    func makeStore(for schema: Schema) throws -> any DataStore
}

/// A database that a container works on.
public protocol DataStore: Sendable {
    /// Runs `body` with a connection that nobody else uses meanwhile. Blocks until there is one.
    ///
    /// - Throws: what `body` throws.
    func withConnection<Result>(
        _ body: (any StoreConnection) throws -> Result
    ) throws -> Result
}

/// What can be done on a connection.
public typealias StoreConnection = StoreQuerying & StoreWriting & StoreTransactions

/// Reads rows.
public protocol StoreQuerying: AnyObject {
    /// Starts a query. The cursor must be used up or closed before the connection is given back.
    ///
    /// - Throws: ``StoreError``, and ``QueryError`` for what the database cannot express.
    func rows(of query: Query) throws -> any RowCursor
    /// Counts the rows of a query without reading them.
    func count(of query: Query) throws -> Int
}

/// Walks over the rows of a query.
public protocol RowCursor: RowSource {
    /// Moves to the next row; false behind the last one.
    func next() throws -> Bool
    /// Ends the query early. Further calls do nothing.
    func close()
}

/// Writes rows.
public protocol StoreWriting: AnyObject {
    /// Prepares to write many rows of one entity.
    func writer(_ verb: WriteVerb, into entity: EntitySchema) throws -> any RowWriter
    /// Deletes the rows of a query and tells how many they were.
    func delete(_ query: Query) throws -> Int
}

/// What is to happen with each row that is written.
public enum WriteVerb: Hashable, Sendable {
    /// Adds a row whose key must be new.
    case insert
    /// Adds a row, or replaces all columns of the row with the same key.
    case upsert
    /// Replaces all columns of the row with the same key, which must exist.
    case update
    /// Removes the row with the same key, if there is one.
    case delete
}

/// Takes the columns of one row after the other.
public protocol RowWriter: RowSink {
    /// Writes the row whose columns were set.
    ///
    /// - Throws: ``StoreError``.
    func finishRow() throws
}

/// Groups what is written.
public protocol StoreTransactions: AnyObject {
    /// Runs `body` so that all of it happens or nothing. Transactions may be nested.
    ///
    /// - Parameter keeping: false to undo everything in the end even so.
    /// - Throws: what `body` throws, after everything is undone; ``StoreError``.
    func transaction<Result>(keeping: Bool, _ body: () throws -> Result) throws -> Result
}
