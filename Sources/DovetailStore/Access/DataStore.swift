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
///         print(schema.bindings.map(\.table))
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
    /// The file that only one configuration of a container may name, since a transaction of two stores over it
    /// would wait for itself; nil for none.
    var file: URL? { get }
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

    /// How often a save is tried in all that fails as `serializationFailure` or `deadlock`. A transaction
    /// that reads is never repeated by itself.
    var saveAttempts: Int { get }

    /// A number that no other opening of the database is given, from 1 on: the first half of the keys of objects
    /// whose classes declare none. From 2^30 on it is not used.
    ///
    /// - Parameter used: The largest one that a key in the database has, 0 for none. What is given is
    ///   larger.
    /// - Throws: ``StoreError`` where the database cannot be written to; `locked` where another program is
    ///   writing, for which nobody waits.
    func takeOpeningNumber(after used: Int64) throws -> Int64

    /// Makes an empty table for rows of an entity that nobody else sees, on a connection of its own and not in
    /// memory: a list that is larger than memory waits in it until it is complete. It has the key of the
    /// entity, and none of its other rules, and ends with the connection.
    ///
    /// - Returns: nil where the store has no such place. Then lists wait in memory.
    /// - Throws: ``StoreError``.
    func makeStage(of entity: EntityBinding) throws -> (any StoreConnection)?

    /// Writes a copy of the database, as it is at one moment, to a file that does not exist yet,
    /// while others read and write.
    ///
    /// - Throws: ``StoreError``; `unsupported` where there is no such thing.
    func backup(to url: URL) throws

    /// Writes what is in the write-ahead log into the database itself. Stores without one do nothing.
    ///
    /// - Throws: ``StoreError``.
    func checkpoint() throws

    /// Gives the space that deleted rows have left to the system. Stores that cannot do nothing.
    ///
    /// - Throws: ``StoreError``.
    func compact() throws

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
            .changeTokens: "the store keeps no token of what was synchronized",
            .localChanges: "the store does not know what was changed since then",
            .sql: "the store has no SQL",
        ])
    }

    /// Once: writers wait for each other.
    public var saveAttempts: Int { 1 }

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

    /// The next one: the store keeps none, and is taken to be open once.
    public func takeOpeningNumber(after used: Int64) throws -> Int64 { used + 1 }

    /// There is nothing to do.
    public func compact() throws {}

    /// There is no such place.
    public func makeStage(of entity: EntityBinding) throws -> (any StoreConnection)? { nil }

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
