import CSQLite
import DovetailModel
import DovetailSQL
import DovetailStore

extension SQLiteConnection: StoreWriting {
    /// A writer over a prepared statement. The statement is not marked as in use: a second writer
    /// of the same verb and entity has the same one.
    func writer(_ verb: WriteVerb, into entity: EntityBinding) throws -> any RowWriter {
        try requireTransaction()
        let statement = try unlessView(entity.table) {
            try self.statement(of: .write(verb, entity), entity.table) {
                renderer.write(verb, entity)
            }
        }
        return SQLiteRowWriter(statement, verb: verb, entity: entity, on: self)
    }

    /// Prepares a statement that writes.
    ///
    /// - Throws: ``StoreError``; `readOnly` for a view, which SQLite has no code for.
    func unlessView(
        _ table: String,
        _ prepare: () throws -> SQLiteStatement
    ) throws -> SQLiteStatement {
        do {
            return try prepare()
        } catch let error as StoreError where error.kind == .other {
            let view = try statement(
                "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND lower(name) = lower(?1)"
            )
            try view.bind([.text(table)])
            defer { view.reset() }
            guard try view.step() else { throw error }
            throw StoreError(
                .readOnly,
                table: table,
                explanation: "a view can only be read",
                code: error.code
            )
        }
    }
}

extension SQLiteConnection {
    /// Runs the `UPDATE`.
    func update(_ query: Query, setting assignments: [QueryAssignment]) throws -> Int {
        try change(query.entity.table) { try renderer.update(query, setting: assignments) }
    }

    /// Runs the `DELETE`.
    func delete(_ query: Query) throws -> Int {
        try change(query.entity.table) { try renderer.delete(query) }
    }

    /// Runs a statement that changes many rows and gives their number: `sqlite3_changes64` counts
    /// those that the statement changed itself, not those of triggers.
    private func change(_ table: String, _ render: () throws -> SQLStatement) throws -> Int {
        try requireTransaction()
        let sql = try render()
        let statement = try unlessView(table) { try self.statement(sql.text, table) }
        defer { statement.reset() }
        try statement.bind(sql.bindings)
        _ = try statement.step()
        return Int(sqlite3_changes64(handle))
    }

    /// One statement that sets or deletes, and looks at what was there. Where it meets no row, the
    /// row is read: to say what has changed, or because the file writes the same value in another
    /// way, such as a date of another program.
    func apply(_ change: RowChange, to entity: EntityBinding) throws -> ChangeConflict? {
        try requireTransaction()
        let isUpdate = change.verb == .update && change.mine != nil && !change.columns.isEmpty
        guard isUpdate || change.verb == .delete, change.rowKey.count == entity.keyCount
        else {
            return try applyByReading(change, to: entity)
        }
        let statement = try statement(of: change, entity)
        defer { statement.reset() }
        try change.writeComparing(to: statement, entity)
        _ = try statement.step()
        if sqlite3_changes64(handle) > 0 { return nil }
        statement.reset()
        return try applyByReading(change, to: entity)
    }

    /// The statement of a change. Most come after one of the same columns: to make a shape and to hash it
    /// took half as long as running the statement.
    private func statement(
        of change: RowChange,
        _ entity: EntityBinding
    ) throws -> SQLiteStatement {
        let isComparing = change.base != nil
        let model = ObjectIdentifier(entity.type)
        if let known = lastChange?.statement(of: change, model, isComparing) { return known }
        let shape = QueryShape.change(change.verb, change.columns, comparing: isComparing, entity)
        let statement = try unlessView(entity.table) {
            try self.statement(of: shape, entity.table) {
                renderer.change(change.verb, change.columns, comparing: isComparing, entity)
            }
        }
        lastChange = LastChange(
            model: model,
            verb: change.verb,
            columns: change.columns,
            isComparing: isComparing,
            statement: statement
        )
        return statement
    }

    /// What kind of change was written last, and its statement.
    struct LastChange {
        let model: ObjectIdentifier
        let verb: WriteVerb
        let columns: ColumnSet
        let isComparing: Bool
        let statement: SQLiteStatement

        /// The statement, where it is free and writes changes of this kind.
        func statement(
            of change: RowChange,
            _ model: ObjectIdentifier,
            _ isComparing: Bool
        ) -> SQLiteStatement? {
            self.model == model && verb == change.verb && columns == change.columns
                && self.isComparing == isComparing && !statement.isInUse ? statement : nil
        }
    }
}
