public import DovetailModel

/// What happens to all rows for which a filter holds when it is written: they are deleted, or some
/// columns are set.
public final class PredicateBatch: ChangeBatch {
    /// The model of the rows.
    public let model: any Model.Type
    /// Which rows; nil for all.
    public let filter: QueryExpression?
    /// What is set; nil for a deletion.
    public let assignments: [QueryAssignment]?

    /// Deletes the rows for which a filter holds, or all of them.
    public init(deleting model: any Model.Type, where filter: QueryExpression?) {
        self.model = model
        self.filter = filter
        assignments = nil
    }

    /// Sets columns of the rows for which a filter holds, or of all.
    public init(
        updating model: any Model.Type,
        where filter: QueryExpression?,
        setting assignments: [QueryAssignment]
    ) {
        self.model = model
        self.filter = filter
        self.assignments = assignments
    }

    /// Only the store can tell which rows these are.
    public var verb: WriteVerb? { nil }
    /// Only the store can tell.
    public var count: Int? { nil }
    /// None are known.
    public func rows(of entity: EntityBinding) -> [RowImage] { [] }

    /// Deletes or updates the rows with one statement.
    ///
    /// - Throws: ``StoreError``, and ``QueryError`` for what the database cannot express.
    public func apply(
        to connection: any StoreConnection,
        of entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        let query = Query(entity, filter: filter)
        if let assignments {
            _ = try connection.update(query, setting: assignments)
        } else {
            _ = try connection.delete(query)
        }
    }
}

/// A column that is set to what an expression is for the row before.
public struct QueryAssignment: Hashable, Sendable {
    /// The position of the attribute. It is none of the key.
    public let column: Int
    /// The new value.
    public let value: QueryExpression

    /// Sets a column.
    public init(_ column: Int, _ value: QueryExpression) {
        self.column = column
        self.value = value
    }
}

extension StoreWriting where Self: StoreQuerying {
    /// Reads the rows and writes each of them.
    public func update(_ query: Query, setting assignments: [QueryAssignment]) throws -> Int {
        var unordered = query
        unordered.order = []
        var changed: [RowImage] = []
        let cursor = try rows(of: unordered)
        defer { cursor.close() }
        while try cursor.next() {
            let evaluator = QueryEvaluator(query.entity, row: cursor)
            var values = try query.entity.values(of: cursor)
            let new = try assignments.map { try evaluator.value($0.value) }
            for (assignment, value) in zip(assignments, new) { values[assignment.column] = value }
            changed.append(RowImage(values))
        }
        cursor.close()
        let writer = try writer(.update, into: query.entity)
        for row in changed {
            try row.write(to: writer)
            try writer.finishRow()
        }
        return changed.count
    }
}
