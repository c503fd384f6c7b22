public import Foundation

/// A place where entities are found and kept: a ``ModelContext``, ``EntitiesInMemory``, or one of your
/// own, such as one over a file.
///
/// ``Entity`` has the functions that programs call.
public protocol EntityContext: AnyObject {
    /// What has happened here, in the words of the program: published by ``save()``.
    var events: DomainEvents { get }
    /// The objects that a predicate takes, or all of the class without one, up to a number of them.
    ///
    /// - Throws: what the place throws that cannot be read.
    func find<Found: Entity>(
        _ entity: Found.Type,
        where predicate: Predicate<Found>?,
        limit: Int?
    ) throws -> [Found]
    /// The object with an identifier; nil where there is none.
    ///
    /// - Throws: what the place throws that cannot be read.
    func find<Found: Entity>(_ entity: Found.Type, id: Found.ID) throws -> Found?
    /// Adds an object, unless others have saved one with the same unique value until this one is saved:
    /// then it becomes that one, and what was changed in it after this call is all that it changes there.
    ///
    /// - Throws: what the place throws that cannot take it.
    func insertIfNew<New: Entity>(_ object: New) throws
    /// Deletes an object.
    ///
    /// - Throws: what the place throws that cannot delete it.
    func remove<Old: Entity>(_ object: Old) throws
    /// Keeps what was inserted, changed and deleted.
    ///
    /// - Throws: what the place throws that cannot be written to.
    func save() throws
}

extension ModelContext: EntityContext {
    /// Fetches objects.
    ///
    /// - Throws: what `fetch(_:)` throws.
    public func find<Found: Entity>(
        _ entity: Found.Type,
        where predicate: Predicate<Found>?,
        limit: Int?
    ) throws -> [Found] {
        var descriptor = FetchDescriptor(predicate: predicate)
        descriptor.fetchLimit = limit
        return try fetch(descriptor)
    }

    /// Fetches the object with an identifier.
    ///
    /// - Throws: what `fetch(_:id:)` throws.
    public func find<Found: Entity>(_ entity: Found.Type, id: Found.ID) throws -> Found? {
        try fetch(entity, id: id)
    }

    /// Inserts an object whose values count where nobody else has saved one with the same unique value
    /// before it is saved.
    ///
    /// ```swift
    /// let task = Task(id: 7)
    /// try context.insertIfNew(task)
    /// task.title = "paint"
    /// try context.save()          // of a task 7 that others have saved, sets the title only
    /// ```
    ///
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    public func insertIfNew<New: Entity>(_ object: New) throws {
        insert(object)
        let backing = object.persistentBacking
        if backing.state == .inserted { backing.base = try row(of: object) }
    }

    /// Deletes an object when the context is saved.
    public func remove<Old: Entity>(_ object: Old) {
        delete(object)
    }
}
