import CPostgres
import DovetailModel
import DovetailSQL
import DovetailStore

extension PostgresConnection: StoreWriting {
    func writer(_ verb: WriteVerb, into entity: EntityBinding) throws -> any RowWriter {
        try requireTransaction()
        try refuseView(entity.table)
        let statement = statement(of: .write(verb, entity), types(of: entity)) {
            let sql = renderer.write(verb, entity)
            guard verb.adds, let column = entity.generatedColumn else { return sql }
            return sql + " RETURNING \(quoted(entity.attributes[column].name))"
        }
        return PostgresRowWriter(verb, entity, statement, on: self)
    }

    /// The types of the columns of a row.
    func types(of entity: EntityBinding) -> [Oid] {
        PostgresType.columns(of: entity, renderer)
    }

    /// A view is read only, also one that PostgreSQL could write through.
    private func refuseView(_ table: String) throws {
        guard catalog.views.contains(table) else { return }
        throw StoreError(.readOnly, table: table, explanation: "a view can only be read")
    }

    /// Runs the `UPDATE`, or goes over the rows where a value of it needs a program.
    func update(_ query: Query, setting assignments: [QueryAssignment]) throws -> Int {
        try requireTransaction()
        let (entity, dialect) = (query.entity, renderer.dialect)
        try refuseView(entity.table)
        let isByReading =
            SQLResidue(query, dialect) != nil
            || assignments.contains { assignment in
                [assignment.value, assignment.refused].contains {
                    $0?.needsProgram(dialect, entity) == true
                }
            }
        if isByReading { return try updateByReading(query, setting: assignments) }
        let sql = try renderer.update(query, setting: assignments)
        return try change(sql, entity.table)
    }

    /// Runs the `DELETE`, or deletes the rows one by one for which a residue holds.
    func delete(_ query: Query) throws -> Int {
        try requireTransaction()
        let entity = query.entity
        try refuseView(entity.table)
        guard SQLResidue(query, renderer.dialect) != nil else {
            return try change(try renderer.delete(query), entity.table)
        }
        let cursor = try rows(of: query)
        defer { cursor.close() }
        let writer = try writer(.delete, into: entity)
        var count = 0
        while try cursor.next() {
            try RowKey(row: cursor, entity: entity).write(to: writer, entity)
            try writer.finishRow()
            count += 1
        }
        try writer.finish()
        return count
    }

    private func change(_ sql: SQLStatement, _ table: String) throws -> Int {
        let fields = try PostgresFields.of(sql.bindings)
        return try inSavepoint {
            try run(statement(sql.text, fields.types), fields, table: table).affectedCount
        }
    }

    /// One statement that sets or deletes, and looks at what was there. Where it meets no row, the row is
    /// read to say what has changed.
    func apply(_ change: RowChange, to entity: EntityBinding) throws -> ChangeConflict? {
        try requireTransaction()
        try refuseView(entity.table)
        guard let (statement, fields) = try statement(of: change, entity) else {
            return try applyByReading(change, to: entity)
        }
        let result = try run(statement, fields, table: entity.table)
        return result.affectedCount > 0 ? nil : try applyByReading(change, to: entity)
    }

    /// The same, held back.
    func change(
        _ change: RowChange,
        at position: Int,
        of entity: EntityBinding,
        again: @escaping (Int) throws -> RowChange?
    ) throws -> ChangeConflict? {
        guard transactionDepth > 0 else { return try apply(change, to: entity) }
        try interruption?.check()
        try requireTransaction()
        try refuseView(entity.table)
        guard let (statement, fields) = try statement(of: change, entity) else {
            return try applyByReading(change, to: entity)
        }
        let last = held.parts.last?.rows as? PostgresChanges
        let changes =
            last?.entity.tableIdentifier == entity.tableIdentifier
            ? last ?? PostgresChanges(of: entity, on: self) : PostgresChanges(of: entity, on: self)
        try changes.add(statement, fields, change.rowKey, of: entity, at: position, again: again)
        return nil
    }

    /// The statement that makes a change, and its values; nil where the row has to be read.
    private func statement(
        of change: RowChange,
        _ entity: EntityBinding
    ) throws -> (PostgresStatement, PostgresFields)? {
        let isUpdate = change.verb == .update && change.mine != nil && !change.columns.isEmpty
        guard isUpdate || change.verb == .delete, change.rowKey.count == entity.keyColumns.count
        else { return nil }
        let isComparing = change.base != nil
        // What is compared comes after the columns; of a document it is the text.
        let types = types(of: entity)
        let all = types + types.map { $0 == PostgresType.json ? PostgresType.text : $0 }
        let shape = QueryShape.change(change.verb, change.columns, comparing: isComparing, entity)
        let statement = statement(of: shape, isComparing ? all : types) {
            renderer.change(change.verb, change.columns, comparing: isComparing, entity)
        }
        let fields = PostgresFields(statement.key.types, of: entity)
        try change.writeComparing(to: fields, entity)
        return (statement, fields)
    }

    func settle() throws -> [ChangeConflict] {
        try writeHeld()
        defer { conflicts = [] }
        return conflicts
    }

    func hasUniqueValues(_ entity: EntityBinding) -> Bool {
        !catalog.uniqueColumns(of: entity.table).isEmpty
    }
}
