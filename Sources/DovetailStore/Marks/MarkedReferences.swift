import DovetailModel

/// The rows to which others may refer although they are marked: what has to be looked at before a commit, since
/// a later statement may put things right.
///
/// It belongs to the connection of one caller at a time.
package final class MarkedReferences {
    private let rules: MarkRules
    /// By table the keys of rows that were marked, or referred to.
    private var suspects: [String: Set<QueryValue>] = [:]

    package init(_ rules: MarkRules) {
        self.rules = rules
    }

    func add(_ key: QueryValue, of entity: EntityBinding) {
        if key != .null { suspects[entity.table, default: []].insert(key) }
    }

    /// Forgets all of them: the transaction has ended.
    package func forget() { suspects = [:] }

    /// Checks that no row refers to a marked one, as the store does for rows that are gone.
    ///
    /// - Complexity: a look into the index of the key for each row that was marked or referred to.
    /// - Throws: ``StoreError`` of kind `foreignKeyViolation`, with the key of a row that refers to such a
    ///   one.
    package func check(_ schema: Schema, on connection: any StoreQuerying) throws {
        for entity in schema.bindings {
            guard let keys = suspects[entity.table] else { continue }
            let marked = try connection.keys(
                of: Query(entity, .only, filter: entity.filter(of: keys.map { [$0] }))
            )
            if marked.isEmpty { continue }
            for reference in rules.references(to: entity) {
                let child = reference.entity
                let filter = child.filter(of: marked, in: [reference.column])
                let query = Query(child, filter: filter, limit: 1)
                guard let first = try connection.keys(of: query).first else { continue }
                throw StoreError(
                    .foreignKeyViolation,
                    table: child.table,
                    column: child.attributes[reference.column].name,
                    explanation: "a row refers to one that does not exist"
                )
                .naming(first)
            }
        }
    }
}

extension StoreQuerying {
    /// The keys of the rows of a query.
    package func keys(of query: Query) throws -> [[QueryValue]] {
        let cursor = try rows(of: query)
        defer { cursor.close() }
        var keys: [[QueryValue]] = []
        while try cursor.next() { keys.append(try query.entity.key(of: cursor)) }
        return keys
    }
}
