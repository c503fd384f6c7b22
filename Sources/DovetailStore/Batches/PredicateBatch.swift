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
    /// What no row may say whose column is set: a number would be outside of its type.
    private let refusals: [(column: Int, condition: QueryExpression)]
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
        refusals = []
    }

    /// Sets columns of the rows for which a filter holds, or of all.
    ///
    /// - Parameter refusals: What no such row may say, with the column for which it may not.
    public init(
        updating model: any Model.Type,
        where filter: QueryExpression?,
        setting assignments: [QueryAssignment],
        refusing refusals: [(column: Int, condition: QueryExpression)] = []
    ) {
        self.model = model
        self.filter = filter
        self.assignments = assignments
        self.refusals = refusals
        deleted = .excluded
    }

    /// Only the store can tell which rows these are.
    public var verb: WriteVerb? { nil }
    /// Only the store can tell.
    public var count: Int? { nil }
    /// None are known.
    public func rows(of entity: EntityBinding) -> [RowImage] { [] }

    /// Deletes or updates the rows with one statement, after one for each refusal.
    ///
    /// - Throws: ``StoreError``, `outOfRange` where a row is refused, and ``QueryError`` for what the database cannot express.
    public func apply(
        to connection: any StoreConnection,
        of entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        let query = Query(entity, deleted, filter: filter)
        for (column, condition) in refusals {
            let refused = Query(
                entity,
                deleted,
                filter: filter.map { .and($0, condition) } ?? condition
            )
            if try connection.count(of: refused) > 0 {
                throw StoreError(outOfRange: column, of: entity)
            }
        }
        if let assignments {
            _ = try connection.update(query, setting: assignments)
        } else {
            _ = try connection.delete(query)
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
