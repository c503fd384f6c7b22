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

    /// Sets a property to a constant.
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
        try put(column, .value(try translator.constant(value, in: keyPath, for: column)))
    }

    /// Adds to a number. What is nil stays nil.
    ///
    /// ```swift
    /// $0.increment(\.visits, by: 1)   // "visits" = "visits" + ?1
    /// ```
    ///
    /// - Throws: ``QueryError`` for what is no stored number, and the key.
    public mutating func increment<Value: ModelValue & AdditiveArithmetic>(
        _ keyPath: KeyPath<Source, Value>,
        by value: Value
    ) throws {
        let column = try translator.settable(keyPath)
        let constant = QueryExpression.value(try QueryValue(value))
        try put(column, .arithmetic(.add, try translator.number(at: keyPath), constant))
    }

    /// The last assignment to a column counts.
    private mutating func put(_ column: Int, _ value: QueryExpression) throws {
        assignments.removeAll { $0.column == column }
        assignments.append(QueryAssignment(column, value))
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
        enqueue(PredicateBatch(updating: model, where: filter, setting: updates.assignments))
    }
}
