import DovetailModel

/// Answers queries from one state of the store for each of them.
package protocol MemoryQuerying: StoreQuerying {
    /// What its queries have cost so far.
    var visits: MemoryVisits { get }
}

/// A connection that only reads. It belongs to one caller at a time.
final class MemoryReader: MemoryQuerying {
    private let state: () -> MemoryState
    let visits = MemoryVisits()

    /// - Parameter state: asked for when a query begins.
    init(_ state: @escaping () -> MemoryState) {
        self.state = state
    }

    func rows(of query: Query) throws -> any RowCursor {
        try state().rows(of: query, visits)
    }

    func count(of query: Query) throws -> Int {
        try state().count(of: query, visits)
    }

    func token(of entity: EntityBinding) -> String? { state().tokens[entity.table] }

    func bases(of entity: EntityBinding) throws -> ChangedRows? { try state().bases(of: entity) }
}

extension MemoryState {
    /// A cursor over the rows as they are now, whatever is written while it is read.
    ///
    /// - Throws: ``StoreError`` for a table that the store does not have, and what
    ///   `Query.requireAnswer()` and sorting throw.
    func rows(of query: Query, _ visits: MemoryVisits) throws -> MemoryCursor {
        try query.requireAnswer()
        return try MemoryCursor(
            tables[position(of: query.entity)],
            query,
            visits,
            others: MemoryRelatedRows(state: self, visits: visits)
        )
    }

    /// The number of rows of a query.
    ///
    /// - Complexity: O(1) without a filter, otherwise linear in the rows that the query looks at.
    /// - Throws: as ``rows(of:_:)``.
    func count(of query: Query, _ visits: MemoryVisits) throws -> Int {
        try query.requireAnswer()
        var query = query
        query.order = []
        guard query.filter != nil else {
            let count = tables[try position(of: query.entity)].rows.count
            return min(max(0, count - query.offset), query.limit ?? .max)
        }
        let cursor = try rows(of: query, visits)
        var count = 0
        while try cursor.next() { count += 1 }
        return count
    }

    /// Deletes the rows of a query, which has no order. Those that go with another row are not
    /// counted.
    ///
    /// - Throws: as ``rows(of:_:)``.
    mutating func delete(_ query: Query, _ visits: MemoryVisits) throws -> Int {
        let table = try position(of: query.entity)
        let cursor = try rows(of: query, visits)
        var keys: [RowKey] = []
        while try cursor.next() {
            keys.append(try RowKey(row: cursor, entity: tables[table].entity))
        }
        return try keys.count { try delete($0, table) }
    }
}

/// The rows of other tables of one state.
private struct MemoryRelatedRows: RelatedRows {
    let state: MemoryState
    let visits: MemoryVisits

    func rows(
        of entity: EntityBinding,
        _ column: Int,
        _ value: QueryValue
    ) throws -> [any RowSource] {
        let filter = QueryExpression.equal(
            .attribute(column, isOptional: entity.attributes[column].isOptional),
            .value(value)
        )
        var rows = MemoryRows(
            state.tables[try state.position(of: entity)],
            Query(entity, .included, filter: filter),
            visits
        )
        var found: [any RowSource] = []
        while let row = try rows.next() {
            if try QueryEvaluator(entity, row: row.image).isTaken(by: filter) {
                found.append(row.image)
            }
        }
        return found
    }
}
