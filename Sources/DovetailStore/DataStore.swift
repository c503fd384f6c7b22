public import DovetailModel
public import Foundation

/// Makes a store for a container: the one line that changes when the database does.
///
/// A configuration is a value that says which store and where. It opens nothing before
/// ``makeStore(for:)``, which a container calls once.
///
/// ```swift
/// struct PrintedConfiguration: DataStoreConfiguration {
///     func makeStore(for schema: Schema) throws -> any DataStore {
///         print(schema.entities.map(\.table))
///         return try ModelConfiguration().makeStore(for: schema)
///     }
/// }
/// let container = try ModelContainer(for: User.self, configurations: PrintedConfiguration())
/// ```
public protocol DataStoreConfiguration: Sendable {
    /// Opens the store and creates the tables that it lacks.
    ///
    /// - Parameter schema: The models, which the container has checked with ``Schema/validate()``.
    /// - Throws: ``StoreError`` when it cannot be opened or does not fit the schema.
    func makeStore(for schema: Schema) throws -> any DataStore
    /// The models that it is for, where a container has several configurations; nil for those that
    /// no other one names.
    var models: [any Model.Type]? { get }
}

/// A database that a container works on.
///
/// All contexts of a container share its store, so a store is `Sendable` and decides how many
/// connections it has. A connection belongs to one caller at a time.
public protocol DataStore: Sendable {
    /// Runs `body` with a connection that nobody else uses until `body` returns.
    ///
    /// ```swift
    /// let query = Query(try container.schema.entity(User.self))
    /// let count = try container.store.withConnection { try $0.count(of: query) }
    /// // SELECT count(*) FROM "User"
    /// ```
    ///
    /// Blocks the calling thread until a connection is free. The connection, and the cursors and
    /// writers that it makes, must not leave `body`. A call inside of `body` on the same thread
    /// must not wait for itself: a model's own code may use the context that is writing it.
    ///
    /// - Throws: what `body` throws.
    func withConnection<Result>(
        _ body: (any StoreConnection) throws -> Result
    ) throws -> Result

    /// Runs `body` with a connection that only reads, which need not wait for one that writes. Each
    /// query sees everything that was stored before it began, and nothing of a transaction that is
    /// still open.
    ///
    /// - Throws: what `body` throws.
    func withReadConnection<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result

    /// Runs `body` with a connection that only reads, and that sees one state of the database for
    /// all of its queries.
    ///
    /// - Throws: what `body` throws.
    func withSnapshot<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result

    /// What the store cannot do, each with its reason.
    var capabilities: StoreCapabilities { get }

    /// Writes a copy of the database, as it is at one moment, to a file that does not exist yet,
    /// while others read and write.
    ///
    /// - Throws: ``StoreError``; `unsupported` where there is no such thing.
    func backup(to url: URL) throws

    /// Writes what is in the write-ahead log into the database itself. Stores without one do nothing.
    ///
    /// - Throws: ``StoreError``.
    func checkpoint() throws

    /// The commits after a number, in their order, as far as they changed tables of `schema`.
    ///
    /// - Throws: ``StoreError``; `historyDisabled` where none is kept.
    func history(since number: Int64, limit: Int?, of schema: Schema) throws -> [HistoryCommit]
}

extension DataStore {
    /// What the defaults here and of ``StoreWriting`` do not do. A store that does one of these says
    /// what is left.
    public var capabilities: StoreCapabilities {
        StoreCapabilities(without: [
            .concurrentReads: "one connection serves all callers",
            .backup: "the store has no backup",
            .history: "the store keeps none",
            .interruption: "the store does not look for it",
            .uniqueSwaps: "rows are written one after the other",
        ])
    }

    /// There is none.
    ///
    /// - Throws: ``StoreError`` of kind `unsupported`.
    public func backup(to url: URL) throws {
        throw StoreError(
            .unsupported,
            explanation: capabilities.reason(against: .backup) ?? "the store has no backup"
        )
    }

    /// There is nothing to do.
    public func checkpoint() throws {}

    /// None is kept.
    ///
    /// - Throws: ``StoreError`` of kind `historyDisabled`.
    public func history(
        since number: Int64,
        limit: Int?,
        of schema: Schema
    ) throws -> [HistoryCommit] {
        throw StoreError(
            .historyDisabled,
            explanation: capabilities.reason(against: .history)
                ?? "set `history` in the configuration to keep one"
        )
    }

    /// Runs `body` with a connection that only reads. A store that can read beside a writer does so;
    /// this one has the connection of ``withConnection(_:)``.
    ///
    /// - Throws: what `body` throws.
    public func withReadConnection<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result {
        try withConnection(body)
    }

    /// Runs `body` with a connection that only reads, and sees one state of the database throughout.
    /// Here nobody else has a connection meanwhile.
    ///
    /// - Throws: what `body` throws.
    public func withSnapshot<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result {
        try withConnection(body)
    }
}

/// What a connection can do: read rows, write rows, and group what is written.
public typealias StoreConnection = StoreQuerying & StoreWriting & StoreTransactions

/// Reads rows. It is one of the three parts of a ``StoreConnection``.
public protocol StoreQuerying: AnyObject {
    /// Starts a query. Read its cursor to the end or close it before the connection is given back.
    ///
    /// ```swift
    /// let cursor = try connection.rows(of: Query(entity, order: [QueryOrder(column: 1)]))
    /// defer { cursor.close() }
    /// while try cursor.next() { print(cursor.integer(0) ?? 0) }
    /// // SELECT "id", "name", "age" FROM "User" ORDER BY "name"
    /// ```
    ///
    /// - Throws: ``StoreError``, and ``QueryError`` for what the database cannot express.
    func rows(of query: Query) throws -> any RowCursor
    /// Starts the query of the one row with a key, of an entity whose key is one column.
    ///
    /// - Parameter key: sets column 0 of the sink it is given to the key, which is not NULL.
    /// - Throws: ``StoreError``, and what `key` throws.
    func rows(
        of entity: EntityBinding,
        key: (any RowSink) throws -> Void
    ) throws -> any RowCursor
    /// Counts the rows of a query, within its limit and offset, without reading them.
    ///
    /// - Throws: ``StoreError``, and ``QueryError`` for what the database cannot express.
    func count(of query: Query) throws -> Int
}

extension StoreQuerying {
    /// A query like any other.
    public func rows(
        of entity: EntityBinding,
        key: (any RowSink) throws -> Void
    ) throws -> any RowCursor {
        let sink = ValueSink(columns: 1)
        try key(sink)
        let column = QueryExpression.attribute(entity.keyColumns[0], isOptional: false)
        return try rows(of: Query(entity, filter: .equal(column, .value(sink.values[0]))))
    }
}

/// Moves over the rows of a query, one at a time.
///
/// It is positioned before the first row. The columns of a row can be read after ``next()`` gave
/// true, and bytes that were handed out are valid until the cursor moves or is closed.
public protocol RowCursor: RowSource {
    /// Moves to the next row; false after the last one.
    ///
    /// - Throws: ``StoreError``. There are no more rows then.
    func next() throws -> Bool
    /// Ends the query early. Further calls do nothing, and ``next()`` gives false.
    func close()
}

/// Writes rows. It is one of the three parts of a ``StoreConnection``.
public protocol StoreWriting: AnyObject {
    /// Prepares to write many rows of one entity.
    ///
    /// ```swift
    /// let writer = try connection.writer(.upsert, into: entity)
    /// try ModelWriter.writeRows(users, to: writer) { _ in try writer.finishRow() }
    /// // INSERT INTO "User" ("id", "name", "age") VALUES (?1, ?2, ?3)
    /// //     ON CONFLICT ("id") DO UPDATE SET "name" = excluded."name", "age" = excluded."age"
    /// ```
    ///
    /// Finish with one writer before you ask for another one of the same verb and entity: a store
    /// may have one prepared statement for both.
    ///
    /// - Throws: ``StoreError``.
    func writer(_ verb: WriteVerb, into entity: EntityBinding) throws -> any RowWriter
    /// Deletes the rows of a query and gives their number. The query's order has no effect.
    ///
    /// - Throws: ``StoreError``, and ``QueryError`` for what the database cannot express.
    func delete(_ query: Query) throws -> Int
    /// Takes the unique values from rows that are about to be written, so that two of them can swap
    /// theirs. Until then each has some value of its own there, or NULL. Keys stay.
    ///
    /// Called in a transaction, after a row was refused as a `uniqueViolation`.
    ///
    /// - Parameter keys: The values of the key columns of each row. There may be none with a key.
    /// - Throws: ``StoreError``.
    func park(_ keys: [[QueryValue]], of entity: EntityBinding) throws
}

extension StoreWriting {
    /// Nothing is parked: rows that swap a value are refused.
    public func park(_ keys: [[QueryValue]], of entity: EntityBinding) throws {}
}

/// What happens with each row that is written. Columns of the table that the model lacks are kept.
public enum WriteVerb: Hashable, Sendable {
    /// Adds a row whose key must be new; otherwise ``StoreError/Kind/uniqueViolation``.
    case insert
    /// Adds a row, or replaces all columns of the model in the row with the same key.
    case upsert
    /// Replaces all columns of the model in the row with the same key, which must exist; otherwise
    /// ``StoreError/Kind/notFound``.
    case update
    /// Removes the row with the same key, if there is one.
    case delete

    /// Whether a row may be new afterwards.
    public var adds: Bool { self == .insert || self == .upsert }
}

/// Takes rows one at a time: first the columns, then ``finishRow()``.
///
/// Every column is set once a row. For ``WriteVerb/delete`` only the key columns count, and others
/// are ignored.
public protocol RowWriter: RowSink {
    /// Writes the row whose columns were set.
    ///
    /// - Throws: ``StoreError``, such as `uniqueViolation` for an insert and `notFound` for an
    ///   update.
    func finishRow() throws
    /// The key of the row that was finished last, where the entity's key is generated
    /// (``EntityBinding/generatedColumn``); nil for others.
    var lastKey: Int64? { get }
}

extension RowWriter {
    /// No key is generated.
    public var lastKey: Int64? { nil }
}

/// Groups what is written. It is one of the three parts of a ``StoreConnection``.
public protocol StoreTransactions: AnyObject {
    /// Runs `body` so that everything it writes is kept, or nothing.
    ///
    /// ```swift
    /// try connection.transaction(keeping: true) {
    ///     _ = try connection.delete(old)
    ///     _ = try connection.delete(older)
    /// }
    /// // BEGIN IMMEDIATE; DELETE FROM "User" WHERE …; DELETE FROM "User" WHERE …; COMMIT
    /// ```
    ///
    /// Transactions may be nested. An inner one that fails undoes its own part only.
    ///
    /// - Parameters:
    ///   - keeping: False to undo everything also when `body` returns. A fetch that sees unsaved
    ///     values is made this way.
    ///   - body: What reads and writes.
    /// - Throws: what `body` throws, after everything is undone; ``StoreError``.
    func transaction<Result>(keeping: Bool, _ body: () throws -> Result) throws -> Result
    /// Who makes the next outermost transaction, for the history. Nobody again when that has ended.
    var author: String? { get set }
    /// The number that the last transaction has in the history; nil where none is kept, and for one
    /// that changed nothing.
    var lastCommitNumber: Int64? { get }
}

extension StoreTransactions {
    /// Nobody is told.
    public var author: String? {
        get { nil }
        set {}
    }

    /// No history is kept.
    public var lastCommitNumber: Int64? { nil }
}
