public import DovetailModel
public import DovetailStore
import Foundation

extension ModelContext {
    /// Fetches values.
    ///
    /// ```swift
    /// let adults = try context.fetch(FetchDescriptor<User>(predicate: #Predicate { $0.age >= 18 }))
    /// // SELECT "id", "name", "age" FROM "User" WHERE ("age" >= ?1)
    /// ```
    ///
    /// - Complexity: linear in the number of rows that the store goes over.
    /// - Throws: ``QueryError`` for predicates that no store understands, ``StoreError``, and
    ///   ``ModelDecodingError`` for a row that is no value of the model.
    @inlinable
    public func fetch<Value: Model>(_ descriptor: FetchDescriptor<Value>) throws -> [Value] {
        try withRows(of: descriptor) { cursor, entity in
            var values: [Value] = []
            try ModelReader.readRows(
                of: Value.self,
                from: cursor,
                fields: entity.fields,
                into: &values
            ) { try cursor.next() }
            return values
        }
    }

    /// Counts values without reading them.
    ///
    /// - Throws: ``QueryError`` for predicates that no store understands, ``StoreError``.
    public func fetchCount<Value: Model>(_ descriptor: FetchDescriptor<Value>) throws -> Int {
        let query = try query(descriptor)
        return try withPendingWritten(of: Value.self) { try $0.count(of: query) }
    }

    /// Runs `body` over the rows of a fetch, in the order of the entity's columns.
    ///
    /// - Throws: ``QueryError`` for predicates that no store understands, ``StoreError``, and what
    ///   `body` throws.
    public func withRows<Value: Model, Result>(
        of descriptor: FetchDescriptor<Value>,
        _ body: (any RowCursor, EntitySchema) throws -> Result
    ) throws -> Result {
        let query = try query(descriptor)
        return try withPendingWritten(of: Value.self) { connection in
            let cursor = try connection.rows(of: query)
            defer { cursor.close() }
            return try body(cursor, query.entity)
        }
    }

    private func query<Value: Model>(_ descriptor: FetchDescriptor<Value>) throws -> Query {
        let entity = try container.schema.entity(Value.self)
        let translator = QueryTranslator(entity)
        for count in [descriptor.fetchLimit, descriptor.fetchOffset] {
            guard count ?? 0 >= 0 else {
                throw QueryError(
                    expression: "FetchDescriptor<\(Value.self)>",
                    explanation: "a limit or offset below 0"
                )
            }
        }
        return Query(
            entity,
            filter: try descriptor.predicate.map { try translator.filter($0) },
            order: try translator.order(descriptor.sortBy),
            limit: descriptor.fetchLimit,
            offset: descriptor.fetchOffset ?? 0
        )
    }
}
