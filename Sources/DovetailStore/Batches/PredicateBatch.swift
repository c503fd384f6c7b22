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

    /// Deletes or updates the rows with one statement.
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
            _ = try connection.update(query, setting: assignments)
        } catch let error as StoreError where error.kind == .outOfRange && error.column == nil {
            guard checked.count == 1 else { throw error }
            throw StoreError(outOfRange: checked[0].column, of: entity)
        }
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
