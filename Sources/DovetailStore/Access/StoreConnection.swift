public import DovetailModel

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
    /// The same for rows that are gone over one by one, of which memory then holds few at a time, however many
    /// there are. By default it is ``rows(of:)-(Query)``, for stores whose cursors do that anyway.
    ///
    /// - Throws: ``StoreError``, and ``QueryError`` for what the database cannot express.
    func stream(_ query: Query) throws -> any RowCursor
    /// Starts the query of the one row with a key.
    ///
    /// - Parameter key: sets the columns of the sink it is given to the parts of the key, in their order, from 0 on.
    ///   None is NULL.
    /// - Throws: ``StoreError``, and what `key` throws.
    func rows(
        of entity: EntityBinding,
        key: (any RowSink) throws -> Void
    ) throws -> any RowCursor
    /// What is asked of the rows of a query together, or of parts of them.
    ///
    /// - Returns: a row of values for each group, in the order of the groups' values.
    /// - Throws: ``StoreError``, of kind `outOfRange` for a sum of whole numbers that 64 bits cannot
    ///   hold, and ``QueryError`` for what the database cannot express.
    func values(of selection: QuerySelection) throws -> [[QueryValue]]
    /// The same, as a cursor whose columns are those of the selection.
    ///
    /// - Throws: what ``values(of:)`` throws.
    func rows(of selection: QuerySelection) throws -> any RowCursor
    /// How the store would answer a query. No row is read.
    ///
    /// - Throws: ``StoreError``, and ``QueryError`` for what the database cannot express.
    func explain(_ query: Query) throws -> QueryExplanation
    /// Starts a query in the database's own language.
    ///
    /// - Returns: the cursor, and the names of its columns.
    /// - Throws: ``StoreError``: `unsupported` where the store has no SQL or the statement writes, and
    ///   what the database reports.
    func rows(of sql: SQLQuery) throws -> (cursor: any RowCursor, columns: [String])
    /// Counts the rows of a query, within its limit and offset, without reading them.
    ///
    /// - Throws: ``StoreError``, and ``QueryError`` for what the database cannot express.
    func count(of query: Query) throws -> Int
    /// The text that ``StoreTransactions/setToken(_:of:)`` has kept for an entity; nil for none.
    ///
    /// - Throws: ``StoreError``.
    func token(of entity: EntityBinding) throws -> String?
    /// The rows of an entity that were changed since ``StoreTransactions/setBases(_:of:)``, and the bases that
    /// were given there; nil where the store does not know.
    ///
    /// - Complexity: linear in the number of changes since then; O(1) before the first call.
    /// - Throws: ``StoreError``.
    func bases(of entity: EntityBinding) throws -> ChangedRows?
}

extension StoreQuerying {
    /// The rows as any other's.
    public func stream(_ query: Query) throws -> any RowCursor { try rows(of: query) }

    /// None is kept.
    public func token(of entity: EntityBinding) throws -> String? { nil }

    /// It is not known.
    public func bases(of entity: EntityBinding) throws -> ChangedRows? { nil }

    /// The rows are gone over, as far as the store says.
    public func explain(_ query: Query) throws -> QueryExplanation {
        QueryExplanation(
            statement: "",
            steps: ["asks the condition of each row of \(query.entity.table)"],
            advice: nil
        )
    }

    /// There is no SQL.
    ///
    /// - Throws: ``StoreError`` of kind `unsupported`.
    public func rows(of sql: SQLQuery) throws -> (cursor: any RowCursor, columns: [String]) {
        throw StoreError(.unsupported, explanation: "the store has no SQL")
    }

    /// A query like any other.
    public func rows(
        of entity: EntityBinding,
        key: (any RowSink) throws -> Void
    ) throws -> any RowCursor {
        let sink = ValueSink(columns: entity.keyCount)
        try key(sink)
        return try rows(of: Query(entity, filter: entity.filter(of: [sink.values])))
    }
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
    /// Sets columns of the rows of a query and gives their number. The query's order has no effect,
    /// and all values are made of the row before.
    ///
    /// - Throws: ``StoreError``, of kind `outOfRange` where ``QueryAssignment/refused`` holds for one of the
    ///   rows, and ``QueryError`` for what the database cannot express.
    func update(_ query: Query, setting assignments: [QueryAssignment]) throws -> Int
    /// Changes some columns of one row, or deletes it, if it is what it was when it was read.
    ///
    /// ```swift
    /// try connection.apply(RowChange(updating: [2], of: entity, to: new, from: old), to: entity)
    /// // UPDATE "User" SET "age" = ?3 WHERE "id" = ?1 AND "age" IS ?6
    /// ```
    ///
    /// Called in a transaction. The default reads the row, compares it and writes all of it.
    ///
    /// - Returns: nil when it was done, or why it was not.
    /// - Throws: ``StoreError``; `notFound` for an update without a base of a row that does not exist.
    func apply(_ change: RowChange, to entity: EntityBinding) throws -> ChangeConflict?
    /// The same for one of many changes, which a store may hold back, so that many go to the database at
    /// once. Whatever is read or written after it on this connection sees it.
    ///
    /// By default it is applied at once.
    ///
    /// - Parameters:
    ///   - position: Which one it is.
    ///   - again: Makes the one at a position of whole rows, for a row that somebody else has changed. It is one
    ///     for all of them, as one for each took a part of each save.
    /// - Returns: nil when it was done or is held back, or why it was not.
    /// - Throws: ``StoreError``, with the key of the row that was refused. It may be one that was held back
    ///   before.
    func change(
        _ change: RowChange,
        at position: Int,
        of entity: EntityBinding,
        again: @escaping (Int) throws -> RowChange?
    ) throws -> ChangeConflict?
    /// Writes what is held back. Who has called ``change(_:at:of:again:)`` in a transaction calls it before the
    /// transaction ends.
    ///
    /// - Returns: why changes that were held back since the last call were not done.
    /// - Throws: ``StoreError``, with the key of the row that was refused.
    func settle() throws -> [ChangeConflict]
    /// Whether a row of the entity may be refused for a unique value that ``park(_:of:)`` could take from
    /// another one. By default it may.
    func hasUniqueValues(_ entity: EntityBinding) -> Bool
    /// Whether a transaction goes on where a row was refused as a `uniqueViolation`, with all rows that were written
    /// before it, so that nothing has to be undone. By default it does not.
    var continuesAfterRefusal: Bool { get }
    /// Takes the unique values from rows that are about to be written, so that two of them can swap
    /// theirs. Until then each has some value of its own there, or NULL. Keys stay.
    ///
    /// Called in a transaction, after a row was refused as a `uniqueViolation`.
    ///
    /// - Parameter keys: The values of the key columns of each row. There may be none with a key.
    /// - Throws: ``StoreError``.
    func park(_ keys: [[QueryValue]], of entity: EntityBinding) throws
    /// Is told that the rows have been written again which ``park(_:of:)`` was given, so that a history says of each
    /// what it was before, and that it was changed once. By default it does nothing.
    ///
    /// - Throws: ``StoreError``.
    func unpark(_ entity: EntityBinding) throws
}

extension StoreWriting {
    /// Nothing is parked: rows that swap a value are refused.
    public func park(_ keys: [[QueryValue]], of entity: EntityBinding) throws {}

    /// No history has to be told.
    public func unpark(_ entity: EntityBinding) throws {}

    /// It is applied at once.
    public func change(
        _ change: RowChange,
        at position: Int,
        of entity: EntityBinding,
        again: @escaping (Int) throws -> RowChange?
    ) throws -> ChangeConflict? {
        try apply(change, to: entity)
    }

    /// Nothing is held back.
    public func settle() throws -> [ChangeConflict] { [] }

    /// It does not.
    public var continuesAfterRefusal: Bool { false }

    /// It is not known.
    public func hasUniqueValues(_ entity: EntityBinding) -> Bool { true }
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
    /// The same for a `body` that writes to some tables only. Of several databases only theirs are locked.
    ///
    /// - Parameter entities: The tables; none where nobody knows.
    /// - Throws: what the other one throws.
    func transaction<Result>(
        keeping: Bool,
        writingTo entities: [EntityBinding],
        _ body: () throws -> Result
    ) throws -> Result
    /// Who makes the next outermost transaction, for the history. Nobody again when that has ended.
    var author: String? { get set }
    /// The number that the last transaction has in the history; nil where none is kept, and for one
    /// that changed nothing.
    var lastCommitNumber: Int64? { get }
    /// Whether somebody has committed since the last call who is none of the callers of this store, such as another
    /// process. It is asked at the begin of a transaction.
    ///
    /// - Complexity: it does not depend on what was committed.
    /// - Throws: ``StoreError``.
    func noteForeignCommits() throws -> Bool
    /// Whether others may commit without ``noteForeignCommits()`` telling: a fetch in a transaction looks at the rows
    /// of objects again then.
    var missesForeignCommits: Bool { get }
    /// Keeps a text for an entity, or none, in the transaction that is open: the token with which a backend
    /// is asked what has changed since.
    ///
    /// - Throws: ``StoreError``, of kind `unsupported` where the store keeps none.
    func setToken(_ token: String?, of entity: EntityBinding) throws
    /// Forgets which rows of an entity were changed until now, in the transaction that is open, but for some
    /// that both sides do not have in the same form yet.
    ///
    /// - Parameter bases: These, as the other side has them: a key once.
    /// - Throws: ``StoreError``, of kind `historyDisabled` where the store does not know what was changed.
    func setBases(_ bases: [BaseRow], of entity: EntityBinding) throws
}

extension StoreTransactions {
    /// The other one: there is one database.
    public func transaction<Result>(
        keeping: Bool,
        writingTo entities: [EntityBinding],
        _ body: () throws -> Result
    ) throws -> Result {
        try transaction(keeping: keeping, body)
    }

    /// The store is nobody else's, or does not know of others.
    public func noteForeignCommits() throws -> Bool { false }

    /// There are no others, or they are told of.
    public var missesForeignCommits: Bool { false }

    /// There are none.
    ///
    /// - Throws: ``StoreError`` of kind `historyDisabled`.
    public func setBases(_ bases: [BaseRow], of entity: EntityBinding) throws {
        throw StoreError(
            .historyDisabled,
            table: entity.table,
            explanation: "the store does not know what was changed since then"
        )
    }

    /// None is kept.
    ///
    /// - Throws: ``StoreError`` of kind `unsupported`.
    public func setToken(_ token: String?, of entity: EntityBinding) throws {
        throw StoreError(
            .unsupported,
            table: entity.table,
            explanation: "the store keeps no token of what was synchronized"
        )
    }

    /// Nobody is told.
    public var author: String? {
        get { nil }
        set {}
    }

    /// No history is kept.
    public var lastCommitNumber: Int64? { nil }
}
