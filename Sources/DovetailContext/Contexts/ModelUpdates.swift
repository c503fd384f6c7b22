public import DovetailModel
import DovetailStore
public import Foundation

/// What `ModelContext.update(_:where:_:)` changes of each row.
public struct ModelUpdates<Source: Model> {
    let translator: QueryTranslator
    private(set) var assignments: [QueryAssignment] = []

    init(_ translator: QueryTranslator) {
        self.translator = translator
    }

    /// Sets a property to a constant, whatever was added to it before in the same update. One of an optional that is
    /// flattened is set where that is not nil.
    ///
    /// ```swift
    /// $0.set(\.isActive, false)       // "isActive" = ?1
    /// ```
    ///
    /// - Throws: ``QueryError`` for what is no stored attribute, the key, and a value that has no form
    ///   in a column.
    public mutating func set<Value: ModelValue>(
        _ keyPath: KeyPath<Source, Value>,
        _ value: Value
    ) throws {
        let column = try translator.settable(keyPath)
        if QueryTranslator.isNaN(value) {
            throw QueryError(expression: "\(keyPath)", explanation: "a column has no form for NaN")
        }
        try put(translator.constant(value, in: keyPath, for: column), in: column, at: keyPath)
    }

    /// Sets a property of a type that is only `Codable` to a constant: what its document is, or its raw value.
    ///
    /// - Throws: the same.
    @_disfavoredOverload
    public mutating func set<Value: Codable>(
        _ keyPath: KeyPath<Source, Value>,
        _ value: Value
    ) throws {
        let column = try translator.settable(keyPath)
        try put(translator.codedConstant(value, in: keyPath, for: column), in: column, at: keyPath)
    }

    /// Adds to a number, as the lines before it leave that.
    ///
    /// ```swift
    /// $0.increment(\.visits, by: 1)   // "visits" = "visits" + ?1
    /// ```
    ///
    /// A sum that has no value of the property's type is a ``StoreError`` of kind `outOfRange` when the context is
    /// saved. Where several numbers are added to, rows that have none are counted first, once for each.
    ///
    /// - Throws: ``QueryError`` for what is no stored number, and the key; ``StoreError`` of kind `outOfRange` where
    ///   the number was set before, and the sum has no value of its type.
    public mutating func increment<Value: ModelValue & AdditiveArithmetic>(
        _ keyPath: KeyPath<Source, Value>,
        by value: Value
    ) throws {
        try increment(anyOf: keyPath, by: value)
    }

    /// Adds to a number that may be nil. What is nil stays nil.
    ///
    /// - Throws: the same.
    public mutating func increment<Value: ModelValue & AdditiveArithmetic>(
        _ keyPath: KeyPath<Source, Value?>,
        by value: Value
    ) throws {
        try increment(anyOf: keyPath, by: value)
    }

    private mutating func increment(
        anyOf keyPath: AnyKeyPath,
        by value: some ModelValue & AdditiveArithmetic
    ) throws {
        let column = try translator.settable(keyPath)
        let stored = try QueryValue(value)
        let before = assignments.first { $0.column == column }
        let own = try translator.number(at: keyPath)
        let number = before?.value ?? own
        let sum = QueryExpression.arithmetic(.add, number, .value(stored))
        let refused = Self.refusal(of: value, stored, to: number, sum)
        if case .value = number {
            // It was set before.
            let evaluator = QueryEvaluator(translator.entity, row: RowImage([]))
            let sums = try evaluator.values(of: [QueryAssignment(column, sum, refused: refused)])
            return put(QueryAssignment(column, .value(sums[0])))
        }
        let all = before?.refused.map { first in refused.map { .or(first, $0) } ?? first }
        put(QueryAssignment(column, sum, refused: all ?? refused))
    }

    /// What a row may not say to which a number is added; nil where a sum has a value of the type whatever it
    /// says, or the database tells.
    private static func refusal<Value>(
        of value: Value,
        _ stored: QueryValue,
        to number: QueryExpression,
        _ sum: QueryExpression
    ) -> QueryExpression? {
        if let type = Value.self as? any FixedWidthInteger.Type, case .integer(let added) = stored {
            // Of more than 64 bits a column has 64.
            let (least, most) = Self.bounds(of: type)
            return added < 0
                ? .comparison(.less, number, .value(.integer(least - added)))
                : .comparison(.greater, number, .value(.integer(most - added)))
        }
        guard Value.self == Float.self else { return nil }
        let most = Double(Float.greatestFiniteMagnitude)
        return .or(
            .comparison(.less, sum, .value(.double(-most))),
            .comparison(.greater, sum, .value(.double(most)))
        )
    }

    private static func bounds<Number: FixedWidthInteger>(
        of _: Number.Type
    ) -> (least: Int64, most: Int64) {
        (Int64(clamping: Number.min), Int64(clamping: Number.max))
    }

    private mutating func put(
        _ constant: QueryValue,
        in column: Int,
        at keyPath: AnyKeyPath
    ) throws {
        put(QueryAssignment(column, try translator.assigned(constant, to: column, at: keyPath)))
    }

    /// There is one assignment to a column.
    private mutating func put(_ assignment: QueryAssignment) {
        assignments.removeAll { $0.column == assignment.column }
        assignments.append(assignment)
    }
}

extension ModelContext {
    /// Changes all values for which a predicate holds, or all of the model without one, when the
    /// context is saved: in the store, without fetching them.
    ///
    /// ```swift
    /// try context.update(User.self, where: #Predicate { $0.age < 18 }) { $0.set(\.isActive, false) }
    /// try context.save()      // UPDATE "User" SET "isActive" = ?1 WHERE ("age" < ?2)
    /// ```
    ///
    /// The predicate is asked then, so it also meets values that were inserted before this call. A
    /// model's hooks do not run. Until it is saved, a fetch of the model writes what waits in a
    /// transaction that is rolled back.
    ///
    /// Of a class whose objects this context has, those for which the predicate holds now are fetched and set one
    /// by one, so that each of them knows; a sum outside of its type is an error here then, and nothing is set.
    ///
    /// - Throws: ``QueryError`` for predicates that no store understands, ``StoreError`` when the
    ///   container was made without the model, and what `changes` throws.
    @_disfavoredOverload
    public func update<Value: Model & Identifiable>(
        _ model: Value.Type,
        where predicate: Predicate<Value>? = nil,
        _ changes: (inout ModelUpdates<Value>) throws -> Void
    ) throws {
        let translator = QueryTranslator(try container.schema.entity(model), in: container.schema)
        let filter = try predicate.map { try translator.filter($0) }
        var updates = ModelUpdates<Value>(translator)
        try changes(&updates)
        guard !updates.assignments.isEmpty else { return }
        if let type = model as? any PersistentModel.Type,
            try updateObjects(type, where: predicate, updates)
        {
            return
        }
        enqueue(
            PredicateBatch(
                updating: model,
                where: filter,
                setting: updates.assignments
            )
        )
    }
}

extension ModelContext {
    /// Sets attributes of the objects for which a predicate holds, so that each of them knows; false where this
    /// context has none of the class, and the store can do it alone.
    private func updateObjects<Object: PersistentModel, Value: Model>(
        _ type: Object.Type,
        where predicate: Predicate<Value>?,
        _ updates: ModelUpdates<Value>
    ) throws -> Bool {
        try enter()
        defer { leave() }
        guard madeRegistry?.maps[type.rootIdentifier]?.objects.isEmpty == false else {
            return false
        }
        try beginUse()
        let query = try query(FetchDescriptor(predicate: predicate))
        // All of them before the first one changes: a sum may be refused.
        var changed: [(object: Object, new: any PersistentModel)] = []
        for object in try objects(of: query) as [Object] {
            // It may be of a class below that of the property.
            let type: any PersistentModel.Type = Swift.type(of: object as any PersistentModel)
            let entity = try entity(of: type)
            let row = try row(of: object)
            var all = try entity.values(of: row)
            try QueryEvaluator(entity, row: row).set(updates.assignments, in: &all)
            changed.append((object, try newObject(type, from: RowImage(all), entity)))
        }
        let attributes = try entity(of: type).attributes
        let paths = updates.assignments.map { attributes[$0.column].keyPath }
        for (object, new) in changed { object.takeAttributes(of: new, changing: paths) }
        return true
    }

    /// Notes that what waits is forgotten. Lists were read without what it deletes, and objects with what it sets in
    /// their rows: both are read again.
    func noteForgotten() {
        guard let registry = madeRegistry, !pending.isEmpty else { return }
        for batch in pending where batch.verb == nil || batch.verb == .delete {
            let mayDelete = registry.maps.values.contains { map in
                container.schema.isDeletion(of: batch.model, seenIn: map.shape.type)
            }
            if mayDelete { registry.moved.noteAny() }
            if let rows = rowsUpdated(by: batch) { registry.besides.add(rows) }
        }
    }

    /// Notes that a batch sets columns of objects in the store, if it does: their rows are read again, and once more
    /// where the transaction throws that is open.
    func noteUpdated(by batch: any ChangeBatch) {
        if let rows = rowsUpdated(by: batch) { registry.takeRows(rows, gone: []) }
    }

    /// The rows of objects whose columns a batch sets in the store; nil for other batches.
    private func rowsUpdated(by batch: any ChangeBatch) -> TouchedRows? {
        guard let batch = batch as? PredicateBatch, batch.assignments != nil,
            batch.model is any PersistentModel.Type,
            let entity = try? container.schema.entity(batch.model)
        else { return nil }
        var rows = TouchedRows()
        try? rows.add(batch, of: entity, in: container.schema, isFollowed: false)
        return rows
    }
}
