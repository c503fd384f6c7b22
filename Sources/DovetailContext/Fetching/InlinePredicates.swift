public import DovetailModel
public import DovetailStore
public import Foundation

// The functions that take a predicate, for one that is written in the call. Each does what its sister of
// the same name does; `InlinePredicate` says what it is for.

extension FetchDescriptor where T: Model & Sendable {
    /// Describes a page of the values for which the predicate that is written here holds: what comes after
    /// a value in the order.
    ///
    /// - Parameter last: The last value of the page before; nil for the first page.
    public init(
        predicate: InlinePredicate<T>,
        sortBy: [SortDescriptor<T>] = [],
        after last: T?
    ) {
        self.init(predicate: predicate.predicate, sortBy: sortBy, after: last)
    }
}

extension ModelContext {
    /// Removes all values for which the predicate that is written here holds, when the context is saved.
    ///
    /// - Throws: ``QueryError`` for predicates that no store understands, and ``StoreError`` when
    ///   the container was made without the model.
    public func delete<Value: Model & Identifiable>(
        model: Value.Type,
        where predicate: InlinePredicate<Value>,
        includeSubclasses: Bool = true
    ) throws {
        try delete(
            model: model,
            where: predicate.predicate,
            includeSubclasses: includeSubclasses
        )
    }

    /// Changes all values for which the predicate that is written here holds, when the context is saved.
    ///
    /// - Throws: ``QueryError`` for predicates that no store understands, ``StoreError`` when the
    ///   container was made without the model, and what `changes` throws.
    public func update<Value: Model & Identifiable>(
        _ model: Value.Type,
        where predicate: InlinePredicate<Value>,
        _ changes: (inout ModelUpdates<Value>) throws -> Void
    ) throws {
        try update(model, where: predicate.predicate, changes)
    }
}

extension Entity {
    /// The one object that the predicate which is written here takes; nil where there is none.
    ///
    /// - Complexity: that of a fetch of two objects.
    /// - Throws: ``QueryError`` where there are several, and what the context throws.
    public static func object(
        in context: some EntityContext,
        where predicate: InlinePredicate<Self>
    ) throws -> Self? {
        try object(in: context, where: predicate.predicate)
    }

    /// The one object that the predicate which is written here takes, or a new one, which is inserted.
    ///
    /// - Throws: ``QueryError`` where there are several, and what `create` and the context throw.
    public static func findOrCreate(
        in context: some EntityContext,
        where predicate: InlinePredicate<Self>,
        create: () throws -> Self
    ) throws -> Self {
        try findOrCreate(in: context, where: predicate.predicate, create: create)
    }
}

extension Repository {
    /// The objects that the predicate which is written here takes, in no order that is promised.
    ///
    /// - Complexity: that of a fetch.
    /// - Throws: what the context throws.
    public func all(where predicate: InlinePredicate<Stored>) throws -> [Stored] {
        try all(where: predicate.predicate)
    }

    /// The one object that the predicate which is written here takes; nil where there is none.
    ///
    /// - Complexity: that of a fetch of two objects.
    /// - Throws: ``QueryError`` where there are several, and what the context throws.
    public func object(where predicate: InlinePredicate<Stored>) throws -> Stored? {
        try object(where: predicate.predicate)
    }
}
