public import DovetailModel
public import DovetailStore
public import Foundation

extension ModelContext {
    /// Adds a value when the context is saved. Its key must be new then.
    @inlinable
    public func insert<Value: Model & Identifiable>(_ value: Value) {
        enqueue(.insert, CollectionOfOne(value))
    }

    /// Adds values when the context is saved. Their keys must be new then.
    @inlinable
    public func insert<Value: Model & Identifiable>(contentsOf values: some Sequence<Value>) {
        enqueue(.insert, values)
    }

    /// Adds a value, or replaces the one with the same key, when the context is saved.
    @inlinable
    public func upsert<Value: Model & Identifiable>(_ value: Value) {
        enqueue(.upsert, CollectionOfOne(value))
    }

    /// Adds values, or replaces those with the same keys, when the context is saved.
    @inlinable
    public func upsert<Value: Model & Identifiable>(_ values: some Sequence<Value>) {
        enqueue(.upsert, values)
    }

    /// Replaces the value with the same key, which must exist when the context is saved.
    @inlinable
    public func update<Value: Model & Identifiable>(_ value: Value) {
        enqueue(.update, CollectionOfOne(value))
    }

    /// Replaces the values with the same keys, which must exist when the context is saved.
    @inlinable
    public func update<Value: Model & Identifiable>(_ values: some Sequence<Value>) {
        enqueue(.update, values)
    }

    /// Removes the value with the same key, if there is one, when the context is saved.
    @inlinable
    public func delete<Value: Model & Identifiable>(_ value: Value) {
        enqueue(.delete, CollectionOfOne(value))
    }

    /// Removes the values with the same keys, as far as there are any, when the context is saved.
    @inlinable
    public func delete<Value: Model & Identifiable>(_ values: some Sequence<Value>) {
        enqueue(.delete, values)
    }

    /// Removes all values for which a predicate holds when the context is saved.
    ///
    /// - Throws: ``QueryError`` for predicates that no store understands.
    public func delete<Value: Model & Identifiable>(
        model: Value.Type,
        where predicate: Predicate<Value>? = nil
    ) throws {
        let entity = try container.schema.entity(model)
        let filter = try predicate.map { try QueryTranslator(entity).filter($0) }
        let query = Query(entity, filter: filter)
        let writes = PendingWrites(nil, model, values: PendingValues([Value]())) { connection, _ in
            _ = try connection.delete(query)
        }
        pending.append(writes)
    }

    /// Removes the rows with the given keys when the context is saved.
    package func delete(rowsOf entity: EntitySchema, keys: [[QueryValue]]) {
        guard !keys.isEmpty else { return }
        let writes = PendingWrites(nil, entity.type, values: PendingValues(keys)) {
            connection,
            entity in
            let writer = try connection.writer(.delete, into: entity)
            for key in keys {
                for (column, value) in zip(entity.keyColumns, key) {
                    try value.set(column, of: writer)
                }
                try writer.finishRow()
            }
        }
        pending.append(writes)
    }

    /// Adds values to what waits; a run of the same verb and model is written in one go.
    @inlinable
    func enqueue<Value: Model>(_ verb: WriteVerb, _ values: some Sequence<Value>) {
        if pending.count > sealed, let last = pending.last, last.verb == verb,
            last.model == Value.self
        {
            // The verb is only set below, where `values` is of this type.
            unsafeDowncast(last.values, to: PendingValues<Value>.self).array
                .append(contentsOf: values)
            return
        }
        let box = PendingValues(Array(values))
        if box.array.isEmpty { return }
        pending.append(
            PendingWrites(verb, Value.self, values: box) { connection, entity in
                let writer = try connection.writer(verb, into: entity)
                try ModelWriter.writeRows(box.array, to: writer) { _ in try writer.finishRow() }
            }
        )
    }
}
