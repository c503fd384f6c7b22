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
    /// Whether rows that are marked as deleted are meant, too.
    public let deleted: DeletedValues

    /// Deletes the rows for which a filter holds, or all of them.
    ///
    /// - Parameter deleted: With anything but `.excluded`, rows are removed that are marked as deleted
    ///   otherwise.
    public init(
        deleting model: any Model.Type,
        _ deleted: DeletedValues = .excluded,
        where filter: QueryExpression?
    ) {
        self.model = model
        self.filter = filter
        self.deleted = deleted
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
        deleted = .excluded
    }

    /// Only the store can tell which rows these are.
    public var verb: WriteVerb? { nil }
    /// Only the store can tell.
    public var count: Int? { nil }
    /// None are known.
    public func rows(of entity: EntityBinding) -> [RowImage] { [] }

    /// Deletes or updates the rows with one statement. Where that makes a unique value of others, as adding one to
    /// each does, and is refused because of rows whose turn comes later, the rows are read and written again as by
    /// an update of values, which may pass theirs on.
    ///
    /// - Throws: ``StoreError``, `outOfRange` where a value is refused, and ``QueryError`` for what the database
    ///   cannot express.
    public func apply(
        to connection: any StoreConnection,
        of entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        let query = Query(entity, deleted, filter: filter)
        guard let assignments else {
            _ = try connection.delete(query)
            return
        }
        let checked = assignments.filter { $0.refused != nil }
        // A database does not say which value it was: of several, each is asked for before.
        for assignment in checked where checked.count > 1 {
            guard let refused = assignment.refused else { continue }
            let all = filter.map { .and($0, refused) } ?? refused
            if try connection.count(of: Query(entity, deleted, filter: all)) > 0 {
                throw StoreError(outOfRange: assignment.column, of: entity)
            }
        }
        do {
            try update(query, assignments, on: connection, entity, &commit)
        } catch let error as StoreError where error.kind == .outOfRange && error.column == nil {
            guard checked.count == 1 else { throw error }
            throw StoreError(outOfRange: checked[0].column, of: entity)
        }
    }

    private func update(
        _ query: Query,
        _ assignments: [QueryAssignment],
        on connection: any StoreConnection,
        _ entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        let unique = ColumnSet(entity.description.indexes.filter(\.isUnique).flatMap(\.columns))
        let isPassed = assignments.contains { assignment in
            if case .value = assignment.value { false } else { unique.contains(assignment.column) }
        }
        guard isPassed else {
            _ = try connection.update(query, setting: assignments)
            return
        }
        do {
            try connection.transaction(keeping: true) {
                _ = try connection.update(query, setting: assignments)
            }
        } catch let error as StoreError where error.kind == .uniqueViolation {
            try RowBatch(model, .update, changes(of: query, assignments, on: connection, entity))
                .apply(to: connection, of: entity, &commit)
        }
    }

    /// What the assignments make of each row.
    ///
    /// - Throws: ``StoreError``, `outOfRange` where a value is refused.
    private func changes(
        of query: Query,
        _ assignments: [QueryAssignment],
        on connection: any StoreConnection,
        _ entity: EntityBinding
    ) throws -> [RowChange] {
        let cursor = try connection.rows(of: query)
        defer { cursor.close() }
        let columns = ColumnSet(assignments.map(\.column))
        var changes: [RowChange] = []
        while try cursor.next() {
            var values = try entity.values(of: cursor)
            try QueryEvaluator(entity, row: RowImage(values)).set(assignments, in: &values)
            changes.append(try RowChange(updating: columns, of: entity, to: RowImage(values)))
        }
        return changes
    }
}

extension StoreError {
    /// A number that is computed has no value of the type of its property.
    package init(outOfRange column: Int, of entity: EntityBinding) {
        self.init(
            .outOfRange,
            table: entity.table,
            column: entity.attributes[column].name,
            explanation: "a number has no value of its type"
        )
    }
}
