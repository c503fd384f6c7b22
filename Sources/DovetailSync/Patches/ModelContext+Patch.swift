public import DovetailContext
public import DovetailModel
import DovetailStore

extension ModelContext {
    /// Changes a part of a stored value when the context is saved: the columns of the attributes that a patch
    /// has, and no others.
    ///
    /// ```swift
    /// let patch = try Patch<User>(decoding: body, as: .json)      // {"name":"Ann","phone":null}
    /// try context.apply(patch, to: 7)
    /// // SELECT … FROM "User" WHERE "id" = ?1
    /// try context.save()
    /// // UPDATE "User" SET "name" = ?2, "phone" = ?3 WHERE "id" = ?1
    /// ```
    ///
    /// The row is read, so that the value with the changes is one of the model: what its own code refuses is
    /// refused here. Columns that the patch does not have stay what others make of them.
    ///
    /// - Parameters:
    ///   - patch: What changes.
    ///   - id: The identifier of the value; one that waits to be saved is changed, too.
    /// - Complexity: that of a look into the index of the key, and linear in the size of the value.
    /// - Throws: ``ModelDecodingError`` for a member that is not what the model says, and for a key in the
    ///   patch that is another one, with its path; ``StoreError``: `notFound` where there is no such value,
    ///   and `unsupported` for classes with `@Model`; and what ``ModelContext/fetch(_:id:)`` throws. Nothing
    ///   waits then that did not before.
    public func apply<Value: Model & Identifiable>(
        _ patch: Patch<Value>,
        to id: Value.ID
    ) throws {
        let entity = try entityOfValues(Value.self)
        guard let old = try fetch(Value.self, id: id) else {
            throw StoreError(
                .notFound,
                table: entity.table,
                explanation: "there is no row with this key to change"
            )
        }
        if patch.isEmpty { return }
        let before = try RowImage(of: old, attributes: entity.attributes)
        let (new, said) = try patch.merged(into: old, entity.attributes)
        let after = try RowImage(of: new, attributes: entity.attributes)
        // What the patch says is written although it is so already, for somebody may change it meanwhile;
        // and what the model's own code has changed with it.
        let differing = after.columns(
            of: ColumnSet(entity.attributes.indices),
            differingFrom: before
        )
        for column in entity.keyColumns where differing.contains(column) {
            throw ModelDecodingError(
                kind: .rejected,
                path: entity.attributes[column].path,
                expected: "the key of the row that is changed, or none",
                found: "another one"
            )
        }
        let columns = ColumnSet(
            entity.attributes.indices.filter { said.contains(entity.attributes[$0].path) }
        )
        .union(differing)
        let change = try RowChange(updating: columns, of: entity, to: after)
        if change.columns.isEmpty { return }
        enqueue(RowBatch(Value.self, .update, [change]))
    }
}
