public import DovetailModel
public import DovetailStore
public import Foundation

extension ModelContext {
    /// Fetches values.
    ///
    /// ```swift
    /// let adults = FetchDescriptor<User>(predicate: #Predicate { $0.age >= 18 })
    /// let users = try context.fetch(adults)
    /// // SELECT "id", "name", "age" FROM "User" WHERE ("age" >= ?1)
    /// ```
    ///
    /// Of a class with `@Model` they are the objects of this context: those that it has already, and
    /// new ones for the other rows. One that was not changed here gets what other contexts of the
    /// container have saved. The relationships that the descriptor names are loaded with them.
    ///
    /// Values of the model that wait to be saved are seen: their rows are put over those of the
    /// store. While a deletion by a predicate waits, or one that changes rows of the model by the rules
    /// of references, what waits is written in a transaction that is
    /// rolled back, so each such fetch costs as much as saving it, and takes the write lock.
    ///
    /// - Complexity: linear in the number of rows that the store goes over, and of those that wait;
    ///   O(1) in the latter for a predicate that says what the key is.
    /// - Throws: ``QueryError`` for predicates that no store understands, ``StoreError``,
    ///   ``ModelDecodingError`` for a row that is no value of the model, and ``ModelEncodingError``
    ///   for a waiting value that has no form in a column.
    @inlinable
    public func fetch<Value: Model>(_ descriptor: FetchDescriptor<Value>) throws -> [Value] {
        try enter()
        defer { leave() }
        let seesAll = descriptor.includePendingChanges || pending.isEmpty
        let isObject = Value.self is AnyObject.Type && Value.self is any PersistentModel.Type
        if isObject { try beginUse() }
        if seesAll, !isObject, let values = try fetchByPlainKey(descriptor) { return values }
        if seesAll, !isObject, let expression = descriptor.predicate?.expression,
            descriptor.takesFirst
        {
            var values: [Value] = []
            let isDone = try withRow(where: expression, of: Value.self) { cursor, entity in
                values.append(
                    try ModelReader.readRow(of: Value.self, from: cursor, fields: entity.fields)
                )
            }
            if isDone { return values }
        }
        let query = try objectQuery(descriptor)
        let seesPending = descriptor.includePendingChanges
        let values = try withRows(of: query, Value.self, seesPending) { cursor, entity in
            var values: [Value] = []
            try readRows(of: Value.self, from: cursor, entity, into: &values)
            return values
        }
        if isObject { try prefetch(descriptor, of: values) }
        return values
    }

    /// Counts values without reading them. Values that wait are counted.
    ///
    /// ```swift
    /// let adults = FetchDescriptor<User>(predicate: #Predicate { $0.age >= 18 })
    /// let count = try context.fetchCount(adults)
    /// // SELECT count(*) FROM "User" WHERE ("age" >= ?1)
    /// ```
    ///
    /// - Complexity: linear in the number of rows that the store goes over.
    /// - Throws: ``QueryError`` for predicates that no store understands, ``StoreError``, and
    ///   ``ModelEncodingError`` for a waiting value that has no form in a column.
    public func fetchCount<Value: Model>(_ descriptor: FetchDescriptor<Value>) throws -> Int {
        try enter()
        defer { leave() }
        let query = try objectQuery(descriptor)
        switch descriptor.includePendingChanges ? try waiting(of: query) : .nothing {
        case .nothing: return try withReadConnection { try $0.count(of: query) }
        case .deletion:
            return try withPendingWritten { try $0.count(of: query) }
        case .rows(let pending):
            return try withReadConnection { try pending.count(of: query, on: $0) }
        }
    }

    /// Says how the store would answer a fetch: the statement, its plan in words, and the index that
    /// would help.
    ///
    /// ```swift
    /// print(try context.explain(FetchDescriptor<User>(predicate: #Predicate { $0.age > 18 })))
    /// // SELECT "id", "name", "age" FROM "User" WHERE ("age" > ?1)
    /// // - goes over all rows of User
    /// // An index of age would help: #Index<User>([\.age])
    /// ```
    ///
    /// Values that wait are not part of it. No row is read.
    ///
    /// - Throws: ``QueryError`` for predicates that no store understands, and ``StoreError``.
    public func explain<Value: Model>(
        _ descriptor: FetchDescriptor<Value>
    ) throws -> QueryExplanation {
        let query = try objectQuery(descriptor)
        return try withReadConnection { try $0.explain(query) }
    }

    /// Runs `body` over the rows of a fetch, without making values of them. Columns are in the
    /// order of the entity's attributes.
    ///
    /// ```swift
    /// try context.withRows(of: FetchDescriptor<User>()) { cursor, entity in
    ///     while try cursor.next() { print(cursor.integer(0) ?? 0) }
    /// }
    /// // SELECT "id", "name", "age" FROM "User"
    /// ```
    ///
    /// The cursor is closed when `body` returns and must not leave it. Memory holds one row at a
    /// time. In a file other threads read and write meanwhile; `body` sees the rows as they were when
    /// it began. In memory they wait for the store.
    ///
    /// - Throws: ``QueryError`` for predicates that no store understands, ``StoreError``,
    ///   ``ModelEncodingError`` for a waiting value that has no form in a column, and what `body`
    ///   throws.
    public func withRows<Value: Model, Result>(
        of descriptor: FetchDescriptor<Value>,
        _ body: (any RowCursor, EntityBinding) throws -> Result
    ) throws -> Result {
        let query = try query(descriptor)
        return try withRows(
            of: query,
            Value.self,
            descriptor.includePendingChanges,
            streams: true,
            body
        )
    }

    /// The same for a query.
    ///
    /// - Parameters:
    ///   - seesPending: Whether what waits to be saved is put over the rows.
    ///   - streams: Whether there may be more rows than memory holds, which are gone over one by one.
    @usableFromInline
    package func withRows<Result>(
        of query: Query,
        _ model: any Model.Type,
        _ seesPending: Bool = true,
        streams: Bool = false,
        _ body: (any RowCursor, EntityBinding) throws -> Result
    ) throws -> Result {
        let waiting = seesPending ? try waiting(of: query) : .nothing
        let read = { (connection: any StoreQuerying) throws -> Result in
            var pending: PendingRows?
            if case .rows(let rows) = waiting { pending = rows }
            let cursor = try MergedCursor.rows(
                of: query,
                pending,
                streams: streams,
                on: connection
            )
            defer { cursor.close() }
            let shown = UnkeyedRows.over(cursor, of: query.entity, given: self.unsavedKeys)
            return try body(shown, query.entity)
        }
        if case .deletion = waiting { return try withPendingWritten(read) }
        return try withReadConnection(read)
    }

    /// The query of a descriptor that makes objects, which may be without large values: of others it is the
    /// same as ``query(_:)``.
    ///
    /// - Throws: as that.
    @usableFromInline
    func objectQuery<Value: Model>(_ descriptor: FetchDescriptor<Value>) throws -> Query {
        var query = try query(descriptor)
        if query.entity.deferrableColumns.isEmpty || query.seesDeleted { return query }
        let table = try entity(ofTable: query.entity)
        let read = descriptor.propertiesToFetch.compactMap {
            query.entity.column(of: $0) ?? table.column(of: $0)
        }
        query.deferLargeValues(butFor: ColumnSet(read))
        return query
    }

    /// The query of a descriptor.
    ///
    /// - Throws: ``QueryError`` for a part that no store understands and for a negative limit or
    ///   offset, and ``StoreError`` when the container was made without the model.
    @usableFromInline
    package func query<Value: Model>(_ descriptor: FetchDescriptor<Value>) throws -> Query {
        let entity = try entity(of: Value.self)
        let translator = QueryTranslator(entity, in: container.schema)
        try descriptor.requireCounts()
        var query = Query(
            entity,
            descriptor.deletedValues,
            filter: try descriptor.predicate.map { try translator.filter($0) },
            order: try descriptor.order(by: translator, of: entity),
            limit: descriptor.fetchLimit,
            offset: descriptor.fetchOffset ?? 0
        )
        if let start = descriptor.start {
            let row = try entity.values(of: start.row())
            guard !entity.keyColumns.contains(where: { row[$0] == .null }) else {
                throw QueryError(
                    expression: "FetchDescriptor<\(Value.self)>.after",
                    explanation: "the value has no key yet; it is given when it is saved"
                )
            }
            try query.begin(after: row)
        }
        return query
    }
}

extension FetchDescriptor {
    /// - Throws: ``QueryError`` for a negative limit or offset.
    func requireCounts() throws {
        for count in [fetchLimit, fetchOffset] where count ?? 0 < 0 {
            throw QueryError(
                expression: "FetchDescriptor<\(T.self)>",
                explanation: "a limit or offset below 0"
            )
        }
    }

    /// The order of the rows of an entity, with the key as the tie-break: which rows are on a page must
    /// not depend on how the store has found them.
    func order(by translator: QueryTranslator, of entity: EntityBinding) throws -> [QueryOrder] {
        var order = try translator.order(sortBy)
        guard !takesAll else { return order }
        let columns = order.compactMap(\.column)
        for key in entity.keyColumns where !columns.contains(key) {
            order.append(QueryOrder(column: key))
        }
        return order
    }
}
