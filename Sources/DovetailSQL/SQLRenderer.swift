import DovetailModel
public import DovetailStore

/// Writes the statements of one dialect.
///
/// In statements that write rows, the parameter at position n + 1 is the column at position n,
/// whatever the verb, so that rows can be bound without a plan.
public struct SQLRenderer: Sendable {
    let dialect: any SQLDialect

    /// Writes for a dialect.
    public init(_ dialect: any SQLDialect) {
        self.dialect = dialect
    }

    /// `CREATE TABLE`, if there is none of the name.
    public func createTable(_ entity: EntitySchema) -> String {
        let inlineKey = entity.keyColumns.count == 1
        var lines = entity.attributes.map { attribute in
            let type = dialect.columnType(
                attribute.columnType,
                isPrimaryKey: attribute.isPrimaryKey
            )
            let nullability = attribute.isOptional ? "" : " NOT NULL"
            let key = inlineKey && attribute.isPrimaryKey ? " PRIMARY KEY" : ""
            return "    \(dialect.quoted(attribute.name)) \(type)\(nullability)\(key)"
        }
        if !inlineKey {
            let names = entity.keyColumns.map { dialect.quoted(entity.attributes[$0].name) }
            lines.append("    PRIMARY KEY (\(names.joined(separator: ", ")))")
        }
        return "CREATE TABLE IF NOT EXISTS \(dialect.quoted(entity.table)) (\n"
            + lines.joined(separator: ",\n") + "\n)"
    }

    /// `SELECT` of all columns in their order.
    ///
    /// - Throws: ``QueryError`` for what SQL cannot express.
    public func select(_ query: Query) throws -> SQLStatement {
        try statement("SELECT \(columnList(query.entity))", query)
    }

    /// `SELECT count(*)`.
    ///
    /// - Throws: ``QueryError`` for what SQL cannot express.
    public func count(_ query: Query) throws -> SQLStatement {
        guard query.limit != nil || query.offset > 0 else {
            return try statement("SELECT count(*)", query)
        }
        let rows = try statement("SELECT 1", query)
        return SQLStatement(text: "SELECT count(*) FROM (\(rows.text))", bindings: rows.bindings)
    }

    /// `DELETE` of the rows of a query.
    ///
    /// - Throws: ``QueryError`` for what SQL cannot express.
    public func delete(_ query: Query) throws -> SQLStatement {
        var unordered = query
        unordered.order = []
        return try statement("DELETE", unordered)
    }

    /// The statement that writes one row.
    public func write(_ verb: WriteVerb, _ entity: EntitySchema) -> String {
        let table = dialect.quoted(entity.table)
        let rest = entity.attributes.indices.filter { !entity.keyColumns.contains($0) }
        let key = entity.keyColumns.map { assignment($0, entity) }.joined(separator: " AND ")
        switch verb {
        case .insert:
            return insert(into: table, entity)
        case .upsert:
            let names = entity.keyColumns.map { dialect.quoted(entity.attributes[$0].name) }
            let changes = rest.map { column in
                let name = dialect.quoted(entity.attributes[column].name)
                return "\(name) = excluded.\(name)"
            }
            let action =
                changes.isEmpty
                ? "NOTHING" : "UPDATE SET " + changes.joined(separator: ", ")
            return insert(into: table, entity)
                + " ON CONFLICT (\(names.joined(separator: ", "))) DO \(action)"
        case .update:
            // A row that is all key is set to itself, so that its absence still shows.
            let columns = rest.isEmpty ? entity.keyColumns : rest
            let changes = columns.map { assignment($0, entity) }.joined(separator: ", ")
            return "UPDATE \(table) SET \(changes) WHERE \(key)"
        case .delete:
            return "DELETE FROM \(table) WHERE \(key)"
        }
    }

    private func insert(into table: String, _ entity: EntitySchema) -> String {
        let parameters = entity.attributes.indices.map { dialect.parameter($0 + 1) }
        return "INSERT INTO \(table) (\(columnList(entity))) "
            + "VALUES (\(parameters.joined(separator: ", ")))"
    }

    private func assignment(_ column: Int, _ entity: EntitySchema) -> String {
        "\(dialect.quoted(entity.attributes[column].name)) = \(dialect.parameter(column + 1))"
    }

    private func columnList(_ entity: EntitySchema) -> String {
        entity.attributes.map { dialect.quoted($0.name) }.joined(separator: ", ")
    }

    private func statement(_ head: String, _ query: Query) throws -> SQLStatement {
        var text = "\(head) FROM \(dialect.quoted(query.entity.table))"
        var expression = SQLExpression(dialect: dialect, entity: query.entity)
        if let filter = query.filter {
            text += " WHERE \(try expression.text(filter))"
        }
        if !query.order.isEmpty {
            let criteria = try query.order.map { order in
                let attribute = query.entity.attributes[order.column]
                guard attribute.columnType != .decimal else {
                    throw SQLExpression.noOrder(of: attribute)
                }
                return dialect.order(
                    dialect.quoted(attribute.name),
                    isAscending: order.isAscending
                )
            }
            text += " ORDER BY " + criteria.joined(separator: ", ")
        }
        text += dialect.limit(query.limit, offset: query.offset)
        return SQLStatement(text: text, bindings: expression.bindings)
    }
}
