package import DovetailModel

/// The rows of other tables, each asked for by a query of its own: for stores that evaluate an expression row by
/// row.
package struct QueriedRows: RelatedRows {
    private let connection: any StoreQuerying

    /// Asks a connection.
    package init(of connection: any StoreQuerying) {
        self.connection = connection
    }

    /// The rows with a value in a column, in the order of their keys.
    ///
    /// - Throws: what the store throws.
    package func rows(
        of entity: EntityBinding,
        _ column: Int,
        _ value: QueryValue
    ) throws -> [any RowSource] {
        let attribute = QueryExpression.attribute(
            column,
            isOptional: entity.attributes[column].isOptional
        )
        let order = entity.keyColumns.map { QueryOrder(column: $0) }
        let cursor = try connection.rows(
            of: Query(entity, filter: .equal(attribute, .value(value)), order: order)
        )
        defer { cursor.close() }
        var rows: [any RowSource] = []
        while try cursor.next() { rows.append(RowImage(try entity.values(of: cursor))) }
        return rows
    }
}
