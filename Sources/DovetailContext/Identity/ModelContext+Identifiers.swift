import DovetailModel
import DovetailStore

extension ModelContext {
    /// Fetches the identifiers of objects, and none of their attributes.
    ///
    /// ```swift
    /// let ids = try context.fetchIdentifiers(FetchDescriptor<Box>())
    /// // SELECT "$id" FROM "Box"
    /// ```
    ///
    /// What waits to be saved is seen. While something of the class waits, whole rows are read, and no
    /// objects are made of them.
    ///
    /// - Complexity: that of a fetch, without the objects.
    /// - Throws: what a fetch throws.
    public func fetchIdentifiers<Object: PersistentModel>(
        _ descriptor: FetchDescriptor<Object>
    ) throws -> [PersistentIdentifier] {
        try enter()
        defer { leave() }
        try beginUse()
        return try identifiers(of: query(descriptor), descriptor.includePendingChanges)
    }

    /// Fetches identifiers as a collection. All of them are read; see `fetch(_:batchSize:)`.
    ///
    /// - Parameters:
    ///   - descriptor: Which objects, in which order, and how many.
    ///   - batchSize: How many are read at a time. It has no effect on the result.
    /// - Complexity: that of `fetchIdentifiers(_:)`.
    /// - Throws: what a fetch throws; ``QueryError`` for a batch of none.
    public func fetchIdentifiers<Object: PersistentModel>(
        _ descriptor: FetchDescriptor<Object>,
        batchSize: Int
    ) throws -> FetchResultsCollection<PersistentIdentifier> {
        try descriptor.requireBatch(of: batchSize)
        return FetchResultsCollection(try fetchIdentifiers(descriptor))
    }

    /// The identifiers of the objects of the rows of a query.
    private func identifiers(
        of query: Query,
        _ seesPending: Bool
    ) throws -> [PersistentIdentifier] {
        let entity = query.entity
        let table = entity.classTable
        if seesPending, case .rows = try waiting(of: query) {
            return try withRows(of: query, entity.type) { cursor, entity in
                var all: [PersistentIdentifier] = []
                while try cursor.next() {
                    let type = try table?.model(of: cursor) ?? entity.type
                    all.append(
                        PersistentIdentifier(
                            type.typeName,
                            try RowKey(row: cursor, entity: entity)
                        )
                    )
                }
                return all
            }
        }
        let columns = entity.keyColumns + (table.map { [$0.typeColumn] } ?? [])
        let selection = QuerySelection(
            query,
            columns.map { .value(.attribute($0, isOptional: false)) }
        )
        let read = { (connection: any StoreQuerying) throws -> [PersistentIdentifier] in
            let cursor = try connection.rows(of: selection)
            defer { cursor.close() }
            var all: [PersistentIdentifier] = []
            while try cursor.next() {
                let values = try entity.keyColumns.enumerated().map { position, column in
                    try QueryValue(cursor, position, entity.attributes[column])
                }
                let type = try table?.model(of: cursor, at: columns.count - 1) ?? entity.type
                all.append(PersistentIdentifier(type.typeName, RowKey(values)))
            }
            return all
        }
        if seesPending, case .deletion = try waiting(of: query) {
            return try withPendingWritten(read)
        }
        return try withReadConnection(read)
    }
}
