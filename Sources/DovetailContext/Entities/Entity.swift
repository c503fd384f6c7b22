import DovetailModel
import DovetailStore
public import Foundation

/// A class of objects that can be found or created in any ``EntityContext``: the same code of a program
/// runs over a ``ModelContext`` and over ``EntitiesInMemory``.
///
/// ```swift
/// extension Task: Entity {}
///
/// func close(_ number: Int, in context: some EntityContext) throws {
///     try Task.object(in: context, where: #Predicate { $0.number == number })?.close()
/// }
/// ```
public protocol Entity: PersistentModel {
    /// The name of the entity, which need not be that of the class. It is the class's name in documents
    /// unless the class says otherwise.
    static var entityName: String { get }
}

extension Entity {
    /// The name of the class in documents.
    public static var entityName: String { typeName }

    /// The one object that a predicate takes; nil where there is none.
    ///
    /// ```swift
    /// let task = try Task.object(in: context, where: #Predicate { $0.id == 7 })
    /// ```
    ///
    /// - Parameters:
    ///   - context: Where it is looked for.
    ///   - predicate: What it has to be; nil for any object.
    /// - Complexity: that of a fetch of two objects.
    /// - Throws: ``QueryError`` where there are several, and what the context throws.
    @_disfavoredOverload
    public static func object(
        in context: some EntityContext,
        where predicate: Predicate<Self>? = nil
    ) throws -> Self? {
        let found = try context.find(Self.self, where: predicate, limit: 2)
        guard found.count < 2 else {
            throw QueryError(
                expression: "\(entityName).object(in:where:)",
                explanation: "there is more than one; ask for a unique value, or fetch all of them"
            )
        }
        return found.first
    }

    /// The one object that a predicate takes, or a new one, which is inserted.
    ///
    /// ```swift
    /// let inbox = try TaskList.findOrCreate(in: context, where: #Predicate { $0.name == "inbox" }) {
    ///     TaskList(name: "inbox")
    /// }
    /// ```
    ///
    /// Where others may do the same at once, what the predicate asks for has to be a unique value: then
    /// the object becomes the one that others have saved before, as
    /// ``EntityContext/insertIfNew(_:)`` says: what is set in the new object counts, also where others have set the
    /// same attribute, as they do who create and raise a counter at once.
    ///
    /// - Throws: ``QueryError`` where there are several, and what `create` and the context throw.
    @_disfavoredOverload
    public static func findOrCreate(
        in context: some EntityContext,
        where predicate: Predicate<Self>? = nil,
        create: () throws -> Self
    ) throws -> Self {
        if let known = try object(in: context, where: predicate) { return known }
        let new = try create()
        try context.insertIfNew(new)
        return new
    }
}

/// An ``Entity`` that is found by its `id`, and can be made of one.
///
/// ```swift
/// @Model final class Task {
///     @Attribute(.unique) var id: Int
///     var title = ""
///     init(id: Int) { self.id = id }
/// }
/// extension Task: EntityWithID {}
///
/// let task = try Task.findOrCreate(id: 7, in: context)
/// ```
public protocol EntityWithID: Entity {
    /// Makes an object of its identifier; `required` in a class that is not final.
    init(id: ID)
}

extension EntityWithID {
    /// The object with an identifier; nil where there is none.
    ///
    /// - Complexity: that of a look into an index.
    /// - Throws: ``StoreError`` of kind `invalidSchema` where `id` is not declared as unique, and what the
    ///   context throws.
    public static func object(id: ID, in context: some EntityContext) throws -> Self? {
        try requireUniqueID()
        return try context.find(Self.self, id: id)
    }

    /// The object with an identifier, or a new one, which is inserted.
    ///
    /// Several contexts may do that at once with the same identifier: there is one object in the end.
    ///
    /// - Complexity: that of a look into an index.
    /// - Throws: ``StoreError`` of kind `invalidSchema` where `id` is not declared as unique, and what the
    ///   context throws.
    public static func findOrCreate(id: ID, in context: some EntityContext) throws -> Self {
        if let known = try object(id: id, in: context) { return known }
        let new = Self(id: id)
        try context.insertIfNew(new)
        return new
    }

    private static func requireUniqueID() throws {
        if ObjectShape.of(Self.self).hasUniqueID { return }
        throw StoreError(
            .invalidSchema,
            table: modelTable,
            column: "id",
            explanation:
                "has to be unique to find or create objects by it: write @Attribute(.unique) "
                + "or @Attribute(.primaryKey)"
        )
    }
}
