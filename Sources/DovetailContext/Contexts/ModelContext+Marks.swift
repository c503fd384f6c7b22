public import DovetailModel
import DovetailStore
public import Foundation

extension ModelContext {
    /// A connection to write on, which marks the deleted rows of models with `@Model(deletion: .mark)`.
    func marking(_ connection: any StoreConnection) -> any StoreConnection {
        MarkingConnection.over(connection, container.markRules, suspects)
    }

    /// Checks at the end of the outermost transaction that no row refers to a marked one.
    ///
    /// - Throws: ``StoreError`` of kind `foreignKeyViolation`.
    func checkReferences(on connection: any StoreConnection) throws {
        guard let suspects else { return }
        defer { suspects.forget() }
        try suspects.check(container.schema, on: connection)
    }

    /// Removes deleted values of a model with `@Model(deletion: .mark)` for good, when the context is saved.
    ///
    /// ```swift
    /// try context.purge(Note.self, olderThan: .now - 30 * 86_400)
    /// try context.save()      // DELETE FROM "Note" WHERE ((NOT ("$deleted" IS NULL)) AND ("$deleted" < ?1))
    /// ```
    ///
    /// What else refers to these rows are deleted rows, too: the rules of their references say what becomes
    /// of them, as for every row that is removed. Rows of objects are removed after everything else that the
    /// save writes.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - date: Values stay that were deleted then, or later; nil to remove all deleted ones.
    /// - Complexity: O(1); the save goes over the rows of the model.
    /// - Throws: ``QueryError`` for a model whose rows are not marked, and ``StoreError`` when the container
    ///   was made without the model.
    public func purge<Value: Model & Identifiable>(
        _ model: Value.Type,
        olderThan date: Date? = nil
    ) throws {
        let column = try markColumn(of: model)
        let mark = QueryExpression.attribute(column, isOptional: true)
        let filter = date.map { QueryExpression.comparison(.less, mark, .value(.date($0))) }
        let batch = PredicateBatch(deleting: model, .only, where: filter)
        if model is any PersistentModel.Type {
            // After the objects that are deleted in the same save.
            registry.purges.append(batch)
        } else {
            enqueue(batch)
        }
    }

    /// When the value with a key was deleted, of a model with `@Model(deletion: .mark)`.
    ///
    /// ```swift
    /// try context.deletionDate(of: Note.self, id: 7)      // nil: it was not, or never was there
    /// ```
    ///
    /// A deletion that waits to be saved has no date yet.
    ///
    /// - Complexity: one look into the index of the key.
    /// - Throws: ``QueryError`` for a model whose rows are not marked, and as ``fetch(_:id:)``.
    public func deletionDate<Value: Model & Identifiable>(
        of model: Value.Type,
        id: Value.ID
    ) throws -> Date? {
        let column = try markColumn(of: model)
        let entity = try entity(of: model)
        let values = (id as? PersistentIdentifier).map { $0.key?.values }
        guard let key = try values ?? KeyForm.values(of: id, of: entity) else { return nil }
        let query = Query(entity, .only, filter: entity.filter(of: [key]))
        return try withRows(of: query, model, false) { cursor, entity in
            guard try cursor.next(),
                case .date(let date) = try QueryValue(cursor, column, entity.attributes[column])
            else { return nil }
            return date
        }
    }

    /// The column with the date of deletions.
    private func markColumn(of model: any Model.Type) throws -> Int {
        if let column = try entity(of: model).markColumn { return column }
        throw QueryError(
            expression: "\(model)",
            explanation: "deleted rows of the model are removed; declare @Model(deletion: .mark)"
        )
    }
}
