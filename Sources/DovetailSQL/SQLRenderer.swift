import DovetailModel
public import DovetailStore

/// Writes the statements of one dialect.
///
/// In statements that write rows, the parameter at position n + 1 is the column at position n,
/// whatever the verb. So a writer binds rows without a table of positions, and where a statement
/// has no use for a column (`DELETE` for all but the key), the writer leaves that parameter out.
///
/// Rendering costs time linear in the text. A store renders once for each query, and once for each
/// writer and not for each row.
public struct SQLRenderer: Sendable {
    /// What differs between databases.
    public let dialect: any SQLDialect
    /// What is known of tables that others have made. All others are Dovetail's.
    public let found: SQLFoundTables

    /// Writes for a dialect. Holds no connection and does no I/O.
    public init(_ dialect: any SQLDialect, found: SQLFoundTables = SQLFoundTables()) {
        self.dialect = dialect
        self.found = found
    }

    /// `SELECT` of all columns in their order.
    ///
    /// ```swift
    /// try renderer.select(Query(entity, order: [QueryOrder(column: 1)], limit: 2))
    /// // SELECT "id", "name", "age" FROM "User" ORDER BY "name" LIMIT 2
    /// ```
    ///
    /// - Throws: ``QueryError`` for what SQL cannot express, such as an order of decimals.
    public func select(_ query: Query) throws -> SQLStatement {
        try statement("SELECT \(columnList(query))", query)
    }

    /// `SELECT` of one column, a function of all columns in their order.
    ///
    /// - Throws: ``QueryError`` for what SQL cannot express.
    public func select(_ query: Query, calling function: StaticString) throws -> SQLStatement {
        try statement("SELECT \(function)(\(columnList(query)))", query)
    }

    /// `SELECT count(*)`. A limit or an offset applies to the rows that are counted, so it goes
    /// into a subquery: `SELECT count(*) FROM (SELECT 1 FROM "User" LIMIT 2) AS dovetail_rows`, whose
    /// name
    /// PostgreSQL asks for.
    ///
    /// - Throws: ``QueryError`` for what SQL cannot express.
    public func count(_ query: Query) throws -> SQLStatement {
        guard query.limit != nil || query.offset > 0 else {
            return try statement("SELECT count(*)", query)
        }
        let rows = try statement("SELECT 1", query)
        return SQLStatement(
            text: "SELECT count(*) FROM (\(rows.text)) AS dovetail_rows",
            bindings: rows.bindings
        )
    }

    /// A statement that somebody has written, with a parameter in the place of each value and names in quotation
    /// marks.
    ///
    /// - Throws: ``StoreError`` for a NUL, at which databases end in silence.
    package func statement(of sql: SQLQuery) throws -> SQLStatement {
        var text = ""
        var bindings: [SQLBinding] = []
        for part in sql.parts {
            switch part {
            case .text(let piece): text += piece
            case .identifier(let name): text += dialect.quoted(name)
            case .value(let value):
                bindings.append(.value(value))
                text += dialect.parameter(bindings.count)
            }
        }
        guard !text.utf8.contains(0) else {
            throw StoreError(.other, explanation: "SQL cannot have a NUL in it")
        }
        return SQLStatement(text: text, bindings: bindings)
    }

    /// `DELETE` of the rows of a query, whose order is left out.
    ///
    /// A limit or an offset is written too; SQLite takes it only when it was built with
    /// SQLITE_ENABLE_UPDATE_DELETE_LIMIT (https://sqlite.org/lang_delete.html). Contexts give none.
    ///
    /// - Throws: ``QueryError`` for what SQL cannot express.
    public func delete(_ query: Query) throws -> SQLStatement {
        var unordered = query
        unordered.order = []
        return try statement("DELETE", unordered)
    }

    /// `UPDATE` of some columns of the rows of a query, whose order is left out. What is asked of other rows is what
    /// these were before.
    ///
    /// - Throws: ``QueryError`` for what SQL cannot express.
    public func update(
        _ query: Query,
        setting assignments: [QueryAssignment]
    ) throws -> SQLStatement {
        var expression = SQLExpression(self, query.entity)
        let changes = try assignments.map { assignment in
            let attribute = query.entity.attributes[assignment.column]
            var value = try expression.text(assignment.value)
            if let refused = try assignment.refused.map({ try expression.text($0) }) {
                let failure = dialect.outOfRange(dialect.quoted(attribute.name))
                value = "CASE WHEN \(refused) THEN \(failure) ELSE \(value) END"
            }
            let isUUID = found.form(of: assignment.column, in: query.entity) == .uuid
            return "\(dialect.quoted(attribute.name)) = "
                + (isUUID
                    ? dialect.uuid("(\(value))")
                    : dialect.assigned(value, attribute.columnType))
        }
        var text = "UPDATE \(dialect.quoted(query.entity.table)) SET "
        text += changes.joined(separator: ", ")
        guard let condition = try expression.condition(of: query) else {
            return SQLStatement(text: text, bindings: expression.bindings)
        }
        text += " WHERE "
        let asked = dialect.updatesRowByRow ? query.filter?.relatedTables ?? [] : []
        if asked.contains(query.entity.tableIdentifier) {
            let key = query.entity.keyColumns.map {
                dialect.quoted(query.entity.attributes[$0].name)
            }
            .joined(separator: ", ")
            let table = dialect.quoted(query.entity.table)
            text += "(\(key)) IN (SELECT \(key) FROM \(table) WHERE \(condition))"
        } else {
            text += condition
        }
        return SQLStatement(text: text, bindings: expression.bindings)
    }

    /// The statement that writes one row.
    ///
    /// ```swift
    /// renderer.write(.update, entity)
    /// // UPDATE "User" SET "name" = ?2, "age" = ?3 WHERE "id" = ?1
    /// renderer.write(.delete, entity)
    /// // DELETE FROM "User" WHERE "id" = ?1
    /// ```
    ///
    /// An upsert is `INSERT … ON CONFLICT (key) DO UPDATE`, so columns that the model lacks keep
    /// their values, which `INSERT OR REPLACE` would not do. Where ``hasLooseKey(_:)`` holds it may
    /// change no row, which is a violation of the table's own constraint.
    ///
    /// - Parameter rows: How many rows it writes, whose parameters come one row after the other: one, unless
    ///   ``writesSeveral(_:_:)`` holds.
    public func write(_ verb: WriteVerb, _ entity: EntityBinding, rows: Int = 1) -> String {
        let table = dialect.quoted(entity.table)
        let rest = entity.attributes.indices.filter { !entity.keyColumns.contains($0) }
        let key = entity.keyColumns.map { keyCondition($0, entity) }.joined(separator: " AND ")
        switch verb {
        case .insert:
            return insert(into: table, entity, rows: rows)
        case .upsert where found[lacksKeyOf: entity]: return updateOrInsert(entity)
        case .upsert:
            let names = entity.keyColumns.map { dialect.quoted(entity.attributes[$0].name) }
            let isLoose = hasLooseKey(entity)
            let columns = rest.isEmpty && isLoose ? entity.keyColumns : rest
            let changes = columns.map { column in
                let name = dialect.quoted(entity.attributes[column].name)
                return "\(name) = excluded.\(name)"
            }
            var action =
                changes.isEmpty
                ? "NOTHING" : "UPDATE SET " + changes.joined(separator: ", ")
            // `excluded` is the row that was to be inserted, unless the table has this name.
            let isExcluded = entity.table.lowercased() == "excluded"
            if isLoose {
                let target = isExcluded ? "dovetail_target" : table
                action += " WHERE " + conflicts(with: target, entity)
            }
            let target = isExcluded ? "\(table) AS dovetail_target" : table
            return insert(into: target, entity, rows: rows)
                + " ON CONFLICT (\(names.joined(separator: ", "))) DO \(action)"
        case .update:
            // A row that is all key is set to itself: the number of changed rows still tells
            // whether it exists.
            let columns = rest.isEmpty ? entity.keyColumns : rest
            let changes = columns.map { assignment($0, entity) }.joined(separator: ", ")
            return "UPDATE \(table) SET \(changes) WHERE \(key)"
        case .delete:
            return "DELETE FROM \(table) WHERE \(key)"
        }
    }

    /// Whether one statement may write several rows as several statements would: into a table of Dovetail's
    /// own, whose foreign keys are looked at later, and with keys that the rows have.
    public func writesSeveral(_ verb: WriteVerb, _ entity: EntityBinding) -> Bool {
        verb.adds && entity.generatedColumn == nil && found[entity] == nil
            && !(verb == .upsert && (hasLooseKey(entity) || found[lacksKeyOf: entity]))
    }

    /// The statement that sets some columns of one row, or deletes it, where these columns are what
    /// they were.
    ///
    /// ```swift
    /// renderer.change(.update, [2], comparing: true, entity)
    /// // UPDATE "User" SET "age" = ?3 WHERE "id" = ?1 AND "age" IS ?6
    /// ```
    ///
    /// The parameter of what the column at position n was is n + 1 after the number of columns.
    ///
    /// - Parameter columns: For an update at least one.
    public func change(
        _ verb: WriteVerb,
        _ columns: ColumnSet,
        comparing: Bool,
        _ entity: EntityBinding
    ) -> String {
        let table = dialect.quoted(entity.table)
        var conditions = entity.keyColumns.map { keyCondition($0, entity) }
        if comparing {
            conditions += columns.map { column in
                dialect.nullSafeEqual(
                    comparable(column, entity),
                    dialect.parameter(entity.attributes.count + column + 1)
                )
            }
        }
        let rest = " WHERE " + conditions.joined(separator: " AND ")
        if verb == .delete { return "DELETE FROM \(table)" + rest }
        let changes = columns.map { assignment($0, entity) }.joined(separator: ", ")
        return "UPDATE \(table) SET \(changes)" + rest
    }

    /// `INSERT` of all columns, the beginning of an upsert as well.
    private func insert(into table: String, _ entity: EntityBinding, rows: Int) -> String {
        let count = entity.attributes.count
        let values = (0..<rows).map { row in
            let parameters = entity.attributes.indices.map { column in
                let parameter = dialect.parameter(row * count + column + 1)
                guard column == entity.generatedColumn else { return parameter }
                let name = entity.attributes[column].name
                return dialect.generatedValue(parameter, table: entity.table, column: name)
            }
            return "(\(parameters.joined(separator: ", ")))"
        }
        // A column of others may be one that the database alone gives values to.
        let overriding = found[entity] == nil ? "" : dialect.overridingSystemValues
        return "INSERT INTO \(table) (\(columnList(entity))) \(overriding)"
            + "VALUES \(values.joined(separator: ", "))"
    }

    /// `"name" = ?2` in `SET`.
    private func assignment(_ column: Int, _ entity: EntityBinding) -> String {
        "\(dialect.quoted(entity.attributes[column].name)) = \(dialect.parameter(column + 1))"
    }

    private func columnList(_ entity: EntityBinding) -> String {
        entity.attributes.map { dialect.quoted($0.name) }.joined(separator: ", ")
    }

    /// The columns of a query. Of a large value that is left out, whether there is one: neither database
    /// reads it for that.
    private func columnList(_ query: Query) -> String {
        if query.deferred.isEmpty { return columnList(query.entity) }
        return query.entity.attributes.enumerated().map { column, attribute in
            let name = dialect.quoted(attribute.name)
            return query.deferred.contains(column)
                ? "NULLIF(\(name) IS NULL, TRUE)" : name
        }
        .joined(separator: ", ")
    }

    /// A statement over the rows of a query: the head, then `FROM`, `WHERE`, `ORDER BY` and the
    /// limit.
    private func statement(_ head: String, _ query: Query) throws -> SQLStatement {
        var text = "\(head) FROM \(dialect.quoted(query.entity.table))"
        var expression = SQLExpression(self, query.entity)
        if let condition = try expression.condition(of: query) { text += " WHERE \(condition)" }
        text += try end(of: query, &expression)
        return SQLStatement(text: text, bindings: expression.bindings)
    }

    /// `"id" = ?1`, the condition that a column of a key has the value of a parameter.
    ///
    /// A key of others that compares text in its own way is found through its index, whose order that
    /// is, and compared by bytes.
    ///
    /// - Parameter parameter: The parameter; nil for that of the column in a statement that writes.
    public func keyCondition(
        _ column: Int,
        _ entity: EntityBinding,
        parameter: String? = nil
    ) -> String {
        let parameter = parameter ?? dialect.parameter(column + 1)
        if found.form(of: column, in: entity) == .uuid {
            return "\(comparable(column, entity)) = \(dialect.uuid(parameter))"
        }
        let condition = "\(comparable(column, entity)) = \(parameter)"
        guard found[entity]?[column] == .collated else { return condition }
        return "\(dialect.quoted(entity.attributes[column].name)) = \(parameter) AND \(condition)"
    }

    /// Whether two keys may be equal for the table and not in Dovetail: a column of others in the key
    /// compares in its own way.
    public func hasLooseKey(_ entity: EntityBinding) -> Bool {
        found[entity].map { forms in
            entity.keyColumns.contains { forms[$0] != nil && forms[$0] != .uuid }
        } ?? false
    }

    /// Whether the row that is in the way of an upsert has its key.
    private func conflicts(with table: String, _ entity: EntityBinding) -> String {
        entity.keyColumns.map { column in
            let name = dialect.quoted(entity.attributes[column].name)
            guard let form = found[entity]?[column] else {
                return "\(table).\(name) = excluded.\(name)"
            }
            return "\(dialect.comparable("\(table).\(name)", form)) = "
                + dialect.comparable("excluded.\(name)", form)
        }
        .joined(separator: " AND ")
    }

    /// A column as it is compared with a parameter of its own type.
    private func comparable(_ column: Int, _ entity: EntityBinding) -> String {
        let attribute = entity.attributes[column]
        let name = dialect.quoted(attribute.name)
        switch found.form(of: column, in: entity) {
        case .uuid?: return name
        case let form?: return dialect.comparable(name, form)
        case nil: return dialect.value(of: name, attribute.columnType)
        }
    }

    /// The order and the limit of a query.
    ///
    /// - Parameter isSelection: Whether the result has other columns than the table.
    func end(
        of query: Query,
        _ expression: inout SQLExpression,
        isSelection: Bool = false
    ) throws -> String {
        var text = ""
        // What is always missing orders nothing, and a server takes no constant here.
        let orders = query.order.filter { $0.expression != .value(.null) }
        if !orders.isEmpty {
            let criteria = try orders.map { order in
                dialect.order(
                    try expression.ordered(order.expression, isSelected: isSelection),
                    isAscending: order.isAscending,
                    isOptional: order.column.map { query.entity.attributes[$0].isOptional }
                        ?? order.expression.isOptional
                )
            }
            text += " ORDER BY " + criteria.joined(separator: ", ")
        }
        return text + dialect.limit(query.limit, offset: query.offset)
    }
}
