public import DovetailModel
public import DovetailStore
public import Foundation

extension ModelContext {
    /// Fetches the value with an identifier; nil where there is none.
    ///
    /// ```swift
    /// let user = try context.fetch(User.self, id: 7)
    /// // SELECT "id", "name", "age" FROM "User" WHERE ("id" = ?1)
    /// ```
    ///
    /// This is the fastest way to one value: no predicate is made and none is translated. The
    /// identifier may be anything that is the model's key: a number, text, a `UUID`, a typed
    /// identifier, a value with a transform. Of a key of several columns it has a member for each, with
    /// the name of its property, as the one that `@Model` writes. A value that waits to be saved is seen,
    /// and one that waits to be deleted is not.
    ///
    /// - Complexity: that of a look into the index of the key.
    /// - Throws: ``QueryError`` for a class whose key is not the one attribute `id`, and for an identifier that
    ///   has no member for a property of the key, ``StoreError``, ``ModelDecodingError`` for a row that is
    ///   no value of the model, and ``ModelEncodingError`` for a waiting value that has no form in a column.
    @inlinable
    public func fetch<Value: Model & Identifiable>(
        _ model: Value.Type,
        id: Value.ID
    ) throws -> Value? {
        if Value.self is AnyObject.Type, let found = try fetchObject(model, id: id) {
            return found.first
        }
        var value: Value?
        try withRow(of: Value.self) { entity, sink in
            try KeyForm.write(id, of: entity, to: sink)
        } body: { cursor, entity in
            value = try ModelReader.readRow(
                of: Value.self,
                from: cursor,
                fields: entity.fields,
                spareState
            )
        }
        return value
    }

    /// Runs `body` at the row with a key, if there is one.
    ///
    /// - Parameters:
    ///   - key: sets the first columns of a sink to the parts of the key; false where no row can have it.
    @usableFromInline
    func withRow(
        of model: any Model.Type,
        key: (EntityBinding, any RowSink) throws -> Bool,
        body: (any RowCursor, EntityBinding) throws -> Void
    ) throws {
        let entity = try entity(of: model)
        guard pending.isEmpty else {
            let sink = ValueSink(columns: entity.keyCount)
            guard try key(entity, sink) else { return }
            let query = Query(entity, filter: entity.filter(of: [sink.values]))
            return try withRows(of: query, model) { cursor, entity in
                if try cursor.next() { try body(cursor, entity) }
            }
        }
        try withReadConnection { connection in
            let cursor = try Self.cursor(entity, connection) { try key(entity, $0) }
            if let cursor { try Self.read(cursor, entity, body) }
        }
    }

    /// Runs `body` with the rows that have some keys, as they would be saved; more than once for keys of
    /// several columns.
    ///
    /// - Complexity: a look into the index of the key for each, in one query for keys of one column.
    /// - Throws: ``StoreError``, and what `body` throws.
    package func withRows(
        of model: any Model.Type,
        keys: [RowKey],
        _ body: (any RowCursor) throws -> Void
    ) throws {
        let entity = try entity(of: model)
        let queries = entity.parts(of: keys).map { Query(entity, filter: entity.filter(of: $0)) }
        if queries.count > 1, case .deletion = try waiting(of: queries[0]) {
            // What waits is written once for all of them.
            return try withPendingWritten { connection in
                for query in queries {
                    let cursor = try connection.rows(of: query)
                    defer { cursor.close() }
                    try body(cursor)
                }
            }
        }
        for query in queries { try withRows(of: query, model) { cursor, _ in try body(cursor) } }
    }

    /// Runs `body` at the first row of a cursor, if there is one, and closes the cursor.
    ///
    /// A function of its own, so that the optimizer does not retain the cursor for the `defer`.
    private static func read(
        _ cursor: any RowCursor,
        _ entity: EntityBinding,
        _ body: (any RowCursor, EntityBinding) throws -> Void
    ) throws {
        defer { cursor.close() }
        if try cursor.next(), entity.isLive(cursor) { try body(cursor, entity) }
    }

    /// The cursor over the row with a key; nil where no row can have it.
    private static func cursor(
        _ entity: EntityBinding,
        _ connection: any StoreQuerying,
        key: (any RowSink) throws -> Bool
    ) throws -> (any RowCursor)? {
        do {
            return try connection.rows(of: entity) { sink in
                if try !key(sink) { throw NoSuchKey() }
            }
        } catch is NoSuchKey {
            return nil
        }
    }

    /// Runs `body` at the row that a predicate takes, if the predicate says no more than what the key
    /// is: past its translation.
    ///
    /// - Returns: false for every other predicate, and when something waits to be saved.
    @usableFromInline
    func withRow(
        where expression: any PredicateExpression,
        of model: any Model.Type,
        body: (any RowCursor, EntityBinding) throws -> Void
    ) throws -> Bool {
        guard pending.isEmpty, let equality = equality(of: type(of: expression)) else {
            return false
        }
        let entity = try entity(of: model)
        guard entity.isPlainKey(equality.attribute(of: expression)) else { return false }
        try withReadConnection { connection in
            let cursor = try Self.cursor(entity, connection) { sink in
                try equality.writeConstant(of: expression, entity, to: sink)
            }
            if let cursor { try Self.read(cursor, entity, body) }
        }
        return true
    }
}

/// Ends a query whose key no row can have.
private struct NoSuchKey: Error {}
