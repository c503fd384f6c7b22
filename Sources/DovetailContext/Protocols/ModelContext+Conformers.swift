public import DovetailModel
public import DovetailStore
public import Foundation

// Queries over `any P` of a model protocol. Where the value is of a model, the overloads for models
// are taken.

extension ModelContext {
    /// Fetches values of all models of the container that conform to a model protocol.
    ///
    /// ```swift
    /// let pets = try context.fetch(
    ///     FetchDescriptor<any Pet>(
    ///         predicate: #Predicate { $0.name == "Rex" },
    ///         sortBy: [SortDescriptor(\.age)]
    ///     )
    /// )
    /// // SELECT "id", "name", "age" FROM "Cat" WHERE ("name" = ?1) ORDER BY "age", "id"
    /// // SELECT "id", "name", "age", "isGood" FROM "Dog" WHERE ("name" = ?1) ORDER BY "age", "id"
    /// ```
    ///
    /// Each table is asked once, all of them in one snapshot, for no more rows than the limit and the
    /// offset need, and the rows are merged. Those that the order does not tell apart come in the
    /// order of the names of their tables, then of their keys; so does a page without an order.
    /// Without an order, a limit and an offset they come in any order. Conformers that the container
    /// was made without are not asked.
    ///
    /// A requirement stands for the stored property of its name in each conformer, or for the one that
    /// names it by `@Attribute(satisfies:)`. `$0 is Dog` and `$0 as? Dog` are known for each table, so
    /// a table of which no row can match is not read. Values that wait to be saved are seen, as by
    /// the fetch of one model.
    ///
    /// - Parameters:
    ///   - descriptor: Which values, in which order, and how many.
    ///   - table: How the values are read, which the compiler finds.
    /// - Complexity: that of the queries, and O(log n) comparisons a row for n conformers.
    /// - Throws: ``QueryError`` for predicates that no store understands, for a requirement that a
    ///   conformer computes, and for an order by columns of different kinds; ``StoreError``, of kind
    ///   `invalidSchema` when no model of the container conforms; ``ModelDecodingError`` for a row
    ///   that is no value of its model, and ``ModelEncodingError`` for a waiting value that has no
    ///   form in a column.
    @_disfavoredOverload
    @inlinable
    public func fetch<Value>(
        _ descriptor: FetchDescriptor<Value>,
        by table: RootCoding<Value> = #_rootCoding
    ) throws -> [Value] {
        let conformers = try conformers(table)
        var values: [Value] = []
        var hasObjects = false
        try withRows(of: descriptor, among: conformers) { rows in
            var object: Int?
            repeat {
                try ModelReader.readRows(
                    of: conformers.table,
                    by: rows.places.map { conformers.readers[$0] },
                    from: rows.sources,
                    fields: rows.fields,
                    into: &values
                ) { try rows.nextValue(&object) }
                if let place = object { values.append(try self.object(at: place, of: rows)) }
                hasObjects = hasObjects || object != nil
            } while object != nil
            rows.reorder(&values)
        }
        if hasObjects { FaultBatch.join(any: values) }
        return values
    }

    /// The object at whose row a cursor of several is.
    @usableFromInline
    func object<Value>(at place: Int, of rows: ConformerRows) throws -> Value {
        let (entity, row) = rows.row(at: place)
        if let type = entity.type as? any PersistentModel.Type,
            let object = try anyObject(at: row, entity, of: type) as? Value
        {
            return object
        }
        throw StoreError(
            .invalidObject,
            table: entity.table,
            explanation: "\(entity.type) is no \(Value.self)"
        )
    }

    /// Counts values of all models of the container that conform to a model protocol, without reading
    /// them.
    ///
    /// ```swift
    /// let count = try context.fetchCount(FetchDescriptor<any Pet>())
    /// // SELECT count(*) FROM "Cat"; SELECT count(*) FROM "Dog"
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: Which values. Its order has no effect.
    ///   - table: What the conformers are, which the compiler finds.
    /// - Complexity: linear in the number of rows that the store goes over.
    /// - Throws: what the fetch throws, but for reading.
    @_disfavoredOverload
    public func fetchCount<Value>(
        _ descriptor: FetchDescriptor<Value>,
        by table: RootCoding<Value> = #_rootCoding
    ) throws -> Int {
        try descriptor.requireCounts()
        var all = FetchDescriptor(predicate: descriptor.predicate)
        all.deletedValues = descriptor.deletedValues
        let queries = try ConformerQueries(all, conformers(table), in: container.schema).parts.map(
            \.query
        )
        let seesPending = descriptor.includePendingChanges
        let count = try withOverlays(of: queries, seesPending) { connection, overlays in
            try zip(queries, overlays).reduce(0) { sum, part in
                let (query, overlay) = part
                guard let overlay else { return try sum + connection.count(of: query) }
                return try sum + overlay.count(of: query, on: connection)
            }
        }
        let rest = Swift.max(0, count - (descriptor.fetchOffset ?? 0))
        return Swift.min(rest, descriptor.fetchLimit ?? .max)
    }

    /// Says how the store would answer a fetch over a model protocol: a statement for each table that
    /// is asked, and which are not asked.
    ///
    /// ```swift
    /// print(try context.explain(FetchDescriptor<any Pet>(predicate: #Predicate { $0 is Dog })))
    /// // SELECT "id", "name", "age", "isGood" FROM "Dog"
    /// // - goes over all rows of Dog
    /// // - does not ask Cat, of which no row can match
    /// ```
    ///
    /// Values that wait are not part of it. No row is read.
    ///
    /// - Parameters:
    ///   - descriptor: Which values, in which order, and how many.
    ///   - table: What the conformers are, which the compiler finds.
    /// - Throws: ``QueryError`` and ``StoreError``, as the fetch.
    @_disfavoredOverload
    public func explain<Value>(
        _ descriptor: FetchDescriptor<Value>,
        by table: RootCoding<Value> = #_rootCoding
    ) throws -> QueryExplanation {
        let queries = try ConformerQueries(descriptor, conformers(table), in: container.schema)
        let parts = try withReadConnection { connection in
            try queries.parts.map { try connection.explain($0.query) }
        }
        var steps = parts.flatMap(\.steps)
        steps += queries.leftOut.map { "does not ask \($0.table), of which no row can match" }
        if parts.count > 1, queries.criteria > 0 { steps.append("merges the rows by the order") }
        let advice = parts.compactMap(\.advice)
        return QueryExplanation(
            statement: parts.map(\.statement).filter { !$0.isEmpty }.joined(separator: "\n"),
            values: parts.flatMap(\.values),
            steps: steps,
            advice: advice.isEmpty ? nil : advice.joined(separator: "\n")
        )
    }

    /// Removes the values of all conformers of a model protocol for which a predicate holds, or all of
    /// them without one, when the context is saved.
    ///
    /// ```swift
    /// try context.delete(model: (any Pet).self, where: #Predicate { $0.age > 20 })
    /// try context.save()      // DELETE FROM "Cat" WHERE ("age" > ?1); DELETE FROM "Dog" WHERE …
    /// ```
    ///
    /// The predicate is asked then, so it also meets values that were inserted before this call. One that leads to
    /// other objects is asked at once, and the objects for which it holds are read: one of them may be another's.
    ///
    /// - Parameters:
    ///   - model: The protocol, as `(any Pet).self`.
    ///   - predicate: Which values; nil for all.
    ///   - table: What the conformers are, which the compiler finds.
    /// - Throws: ``QueryError`` and ``StoreError``, as the fetch.
    @_disfavoredOverload
    public func delete<Value>(
        model: Value.Type,
        where predicate: Predicate<Value>? = nil,
        by table: RootCoding<Value> = #_rootCoding
    ) throws {
        let all = FetchDescriptor(predicate: predicate)
        let queries = try ConformerQueries(all, conformers(table), in: container.schema)
        let parts = queries.parts.map(\.query)
        guard parts.contains(where: { $0.filter?.isRelated == true }) else {
            for query in parts { try delete(query) }
            return
        }
        // What is asked of an object may be what others are that go with this call: all are found before any goes.
        try enter()
        defer { leave() }
        try beginUse()
        var found: [any PersistentModel] = []
        for query in parts {
            if let type = query.entity.type as? any PersistentModel.Type {
                found += try objects(of: type, query)
            } else {
                try delete(query)
            }
        }
        for object in found { deleteObject(object) }
    }

    private func objects<Object: PersistentModel>(
        of type: Object.Type,
        _ query: Query
    ) throws -> [any PersistentModel] {
        try objects(of: query) as [Object]
    }

    /// Runs `body` over the merged rows of a fetch.
    @usableFromInline
    func withRows<Value>(
        of descriptor: FetchDescriptor<Value>,
        among conformers: ConformerSet,
        _ body: (ConformerRows) throws -> Void
    ) throws {
        let queries = try ConformerQueries(descriptor, conformers, in: container.schema)
        guard !queries.parts.isEmpty else { return }
        let seesPending = descriptor.includePendingChanges
        try withOverlays(of: queries.parts.map(\.query), seesPending) { connection, overlays in
            var cursors: [any RowCursor] = []
            defer { for cursor in cursors { cursor.close() } }
            for (part, overlay) in zip(queries.parts, overlays) {
                var query = part.query
                query.deferLargeValues()
                cursors.append(try MergedCursor.rows(of: query, overlay, on: connection))
            }
            try body(ConformerRows(cursors, of: queries))
        }
    }

    /// Runs `body` with a connection that sees one state of the store for several queries, and with
    /// what waits of the model of each; nil for nothing.
    private func withOverlays<Result>(
        of queries: [Query],
        _ seesPending: Bool,
        _ body: (any StoreQuerying, [PendingRows?]) throws -> Result
    ) throws -> Result {
        var overlays = try queries.map { seesPending ? try waiting(of: $0) : .nothing }
        let isWriting = overlays.contains { if case .deletion = $0 { true } else { false } }
        if isWriting { overlays = queries.map { _ in .nothing } }
        return try withOneState(writing: isWriting) {
            let rows = overlays.map { overlay -> PendingRows? in
                if case .rows(let rows) = overlay { rows } else { nil }
            }
            return try withReadConnection { try body($0, rows) }
        }
    }
}
