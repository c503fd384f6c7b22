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
    /// - Parameters:
    ///   - model: The model.
    ///   - predicate: What has to hold of a value; nil for all.
    ///   - includeSubclasses: Whether objects of classes that inherit from `model` are removed, too.
    /// - Throws: ``QueryError`` for predicates that no store understands, and ``StoreError`` when
    ///   the container was made without the model.
    @_disfavoredOverload
    public func delete<Value: Model & Identifiable>(
        model: Value.Type,
        where predicate: Predicate<Value>? = nil,
        includeSubclasses: Bool = true
    ) throws {
        var query = try query(FetchDescriptor(predicate: predicate))
        if !includeSubclasses, let isOwn = query.entity.ownClassFilter {
            query.filter = query.filter.map { .and($0, isOwn) } ?? isOwn
        }
        try delete(query)
    }

    /// Removes what a query takes: objects one by one, where this context has some or their rules ask
    /// for it, and everything else by the store.
    ///
    /// - Throws: what a fetch throws.
    func delete(_ query: Query) throws {
        try enter()
        defer { leave() }
        if let type = query.entity.type as? any PersistentModel.Type,
            try deleteObjects(type, of: query)
        {
            return
        }
        pending.append(PredicateBatch(deleting: query.entity.type, where: query.filter))
    }

    /// Writes rows when the context is saved, after what waits already.
    package func enqueue(_ batch: some ChangeBatch) {
        pending.append(batch)
    }

    /// Adds values to what waits. A run of one verb and model is kept in one list, so it is written
    /// with one statement; the order among different runs stays.
    @inlinable
    func enqueue<Value: Model>(_ verb: WriteVerb, _ values: some Sequence<Value>) {
        guard mayEnter() else { return }
        defer { leave() }
        if Value.self is AnyObject.Type, enqueueObjects(verb, values) { return }
        if pending.count > sealed, let last = pending.last as? ValueBatch,
            last.append(verb, values)
        {
            return
        }
        let values = Array(values)
        if !values.isEmpty { pending.append(ValueBatch(verb, values)) }
    }
}
