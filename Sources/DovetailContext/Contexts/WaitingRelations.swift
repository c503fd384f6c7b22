import DovetailModel
import DovetailStore

/// The rows of other tables as they would be saved, for filters that lead to them by their keys: those that wait,
/// which are all new, and those of the store.
///
/// An import that looks for what it has, by something that another row says, before each row would otherwise have
/// all that waits written for each of its questions.
final class WaitingRelations: RelatedRows {
    /// What waits, by the identifier of the table.
    private let waiting: [ObjectIdentifier: PendingRows]
    private let connection: any StoreQuerying
    /// What the store was asked for: many rows refer to one.
    private var known: [Question: [any RowSource]] = [:]

    private struct Question: Hashable {
        let table: ObjectIdentifier
        let column: Int
        let value: QueryValue
    }

    /// How many rows may be meant before all that waits is gone over instead.
    private static let most = 1000

    init(_ waiting: [ObjectIdentifier: PendingRows], _ connection: any StoreQuerying) {
        self.waiting = waiting
        self.connection = connection
    }

    func rows(
        of entity: EntityBinding,
        _ column: Int,
        _ value: QueryValue
    ) throws -> [any RowSource] {
        let table = entity.tableIdentifier
        if let pending = waiting[table], let row = pending.rows[RowKey([value])] ?? nil {
            return [row]
        }
        let question = Question(table: table, column: column, value: value)
        if let rows = known[question] { return rows }
        let rows = try QueriedRows(of: connection).rows(of: entity, column, value)
        known[question] = rows
        return rows
    }

    /// The references of which a row has to have one wherever a filter holds.
    ///
    /// - Parameter columns: Those that are references.
    /// - Returns: the column and what it may hold; nil where the filter does not say, or names too many.
    /// - Complexity: a query of the other table.
    func references(
        wantedBy filter: QueryExpression,
        _ columns: ColumnSet
    ) throws -> (column: Int, keys: [QueryValue])? {
        if case .and(let left, let right) = filter {
            return try references(wantedBy: left, columns)
                ?? references(wantedBy: right, columns)
        }
        guard let condition = RelatedCondition(filter),
            case .attribute(let column, _) = condition.key, columns.contains(column),
            let keys = try keys(condition.relation.entity, condition.body)
        else { return nil }
        return (column, keys)
    }

    /// The keys of the rows of a table that a filter takes; nil for too many.
    private func keys(_ entity: EntityBinding, _ filter: QueryExpression) throws -> [QueryValue]? {
        var keys: [QueryValue] = []
        func add(_ row: any RowSource) throws {
            keys += try entity.values(of: row, in: entity.keyColumns)
        }
        let pending = waiting[entity.tableIdentifier]
        for row in try pending?.taken(by: filter, self) ?? [] { try add(row) }
        let cursor = try connection.rows(
            of: Query(entity, filter: filter, limit: Self.most + 1)
        )
        defer { cursor.close() }
        while try cursor.next() { try add(cursor) }
        return keys.count > Self.most ? nil : keys
    }
}
