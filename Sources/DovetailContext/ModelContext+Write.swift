public import DovetailModel
public import DovetailStore
public import Foundation

// Nothing here asks the store. `save()` writes, and throws `StoreError` for a key that exists
// already or is missing, and `ModelEncodingError` for a value that has no form in a column. Until
// then the values are held in memory; each call costs time linear in their number.

extension ModelContext {
    /// Adds a value when the context is saved. Its key must be new then.
    ///
    /// ```swift
    /// context.insert(User(id: 1, name: "Ann", age: 36))
    /// try context.save()      // INSERT INTO "User" ("id", "name", "age") VALUES (?1, ?2, ?3)
    /// ```
    @inlinable
    public func insert<Value: Model & Identifiable>(_ value: Value) {
        enqueue(.insert, CollectionOfOne(value))
    }

    /// Adds values when the context is saved. Their keys must be new then.
    ///
    /// ```swift
    /// context.insert(contentsOf: users)
    /// try context.save()      // one prepared INSERT, run for each user
    /// ```
    @inlinable
    public func insert<Value: Model & Identifiable>(contentsOf values: some Sequence<Value>) {
        enqueue(.insert, values)
    }

    /// Adds a value, or replaces the one with the same key, when the context is saved.
    ///
    /// ```swift
    /// context.upsert(User(id: 1, name: "Ann", age: 37))
    /// try context.save()      // INSERT INTO "User" … ON CONFLICT ("id") DO UPDATE SET "name" = …
    /// ```
    @inlinable
    public func upsert<Value: Model & Identifiable>(_ value: Value) {
        enqueue(.upsert, CollectionOfOne(value))
    }

    /// Adds values, or replaces those with the same keys, when the context is saved. Of two values
    /// with one key the later one stays.
    @inlinable
    public func upsert<Value: Model & Identifiable>(_ values: some Sequence<Value>) {
        enqueue(.upsert, values)
    }

    /// Replaces the value with the same key, which must exist when the context is saved.
    ///
    /// ```swift
    /// user.age += 1
    /// context.update(user)
    /// try context.save()      // UPDATE "User" SET "name" = ?2, "age" = ?3 WHERE "id" = ?1
    /// ```
    @inlinable
    public func update<Value: Model & Identifiable>(_ value: Value) {
        enqueue(.update, CollectionOfOne(value))
    }

    /// Replaces the values with the same keys, which must exist when the context is saved.
    @inlinable
    public func update<Value: Model & Identifiable>(_ values: some Sequence<Value>) {
        enqueue(.update, values)
    }

    /// Removes the value with the same key, if there is one, when the context is saved. Only the
    /// key of the value counts.
    ///
    /// ```swift
    /// context.delete(user)
    /// try context.save()      // DELETE FROM "User" WHERE "id" = ?1
    /// ```
    @inlinable
    public func delete<Value: Model & Identifiable>(_ value: Value) {
        enqueue(.delete, CollectionOfOne(value))
    }

    /// Removes the values with the same keys, as far as there are any, when the context is saved.
    @inlinable
    public func delete<Value: Model & Identifiable>(_ values: some Sequence<Value>) {
        enqueue(.delete, values)
    }

    /// Removes all values for which a predicate holds, or all of the model without one, when the
    /// context is saved.
    ///
    /// ```swift
    /// try context.delete(model: User.self, where: #Predicate { $0.age < 18 })
    /// try context.save()      // DELETE FROM "User" WHERE ("age" < ?1)
    /// ```
    ///
    /// The predicate is asked then, so it also meets values that were inserted before this call.
    ///
    /// - Throws: ``QueryError`` for predicates that no store understands, and ``StoreError`` when
    ///   the container was made without the model.
    public func delete<Value: Model & Identifiable>(
        model: Value.Type,
        where predicate: Predicate<Value>? = nil
    ) throws {
        let entity = try container.schema.entity(model)
        let filter = try predicate.map { try QueryTranslator(entity).filter($0) }
        let query = Query(entity, filter: filter)
        let writes = PendingWrites(
            nil,
            model,
            values: PendingValues([Value]()),
            write: { connection, _, _, _ in _ = try connection.delete(query) },
            rows: { _, _ in [] }
        )
        pending.append(writes)
    }

    /// Removes the rows with the given keys when the context is saved, for rows that no value was
    /// made of.
    ///
    /// - Parameters:
    ///   - entity: The entity of the rows.
    ///   - keys: For each row the values of the key columns, in their order.
    package func delete(rowsOf entity: EntityBinding, keys: [[QueryValue]]) {
        guard !keys.isEmpty else { return }
        let writes = PendingWrites(
            .delete,
            entity.type,
            values: PendingValues(keys),
            write: { connection, entity, start, _ in
                guard start < keys.count else { return }
                let writer = try connection.writer(.delete, into: entity)
                for key in keys[start...] {
                    try Self.set(key, of: entity, writer)
                    try writer.finishRow()
                }
            },
            rows: { entity, start in
                try keys[start...].map { key in
                    let row = RowImage(columns: entity.attributes.count)
                    try Self.set(key, of: entity, row)
                    return row
                }
            }
        )
        pending.append(writes)
    }

    /// Sets the key columns of a row.
    private static func set(
        _ key: [QueryValue],
        of entity: EntityBinding,
        _ sink: any RowSink
    ) throws {
        for (column, value) in zip(entity.keyColumns, key) { try value.set(column, of: sink) }
    }

    /// Adds values to what waits. A run of one verb and model is kept in one list, so it is written
    /// with one statement; the order among different runs stays.
    @inlinable
    func enqueue<Value: Model>(_ verb: WriteVerb, _ values: some Sequence<Value>) {
        if pending.count > sealed, let last = pending.last, last.takesMore, last.verb == verb,
            last.model == Value.self
        {
            // Only the end of this function makes writes that take more: with `values` of the type
            // of `last.model`, which is `Value`.
            unsafeDowncast(last.values, to: PendingValues<Value>.self).array
                .append(contentsOf: values)
            return
        }
        let box = PendingValues(Array(values))
        if box.array.isEmpty { return }
        pending.append(
            PendingWrites(
                verb,
                Value.self,
                values: box,
                takesMore: true,
                write: { connection, entity, start, commit in
                    guard start < box.array.count else { return }
                    let writer = try connection.writer(verb, into: entity)
                    if verb == .delete {
                        try ModelWriter.writeColumns(
                            entity.keyColumns,
                            of: box.array[start...],
                            to: writer
                        ) { _ in try writer.finishRow() }
                        return
                    }
                    let givesKeys = verb.adds && entity.generatedColumn != nil
                    try ModelWriter.writeRows(box.array[start...], to: writer) { _ in
                        try writer.finishRow()
                        if givesKeys, let key = writer.lastKey { commit.add(key, of: entity) }
                    }
                },
                rows: { entity, start in
                    try box.array[start...].map { value in
                        let row = RowImage(columns: entity.attributes.count)
                        let one = CollectionOfOne(value)
                        if verb == .delete {
                            try ModelWriter.writeColumns(entity.keyColumns, of: one, to: row) { _ in
                            }
                        } else {
                            try ModelWriter.writeRows(one, to: row) { _ in }
                        }
                        return row
                    }
                }
            )
        )
    }
}
