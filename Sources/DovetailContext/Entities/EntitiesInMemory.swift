import DovetailModel
public import Foundation

/// Entities in a dictionary, without a store: for tests, previews and drafts.
///
/// ```swift
/// let drafts = EntitiesInMemory()
/// let task = try Task.findOrCreate(id: 7, in: drafts)
/// ```
///
/// Predicates are asked of the objects themselves. Nothing is saved, and nothing sees to unique values.
/// It belongs to whoever made it, like a ``ModelContext``.
public final class EntitiesInMemory: EntityContext {
    /// The objects by ``Entity/entityName``, in the order in which they came; those of a class with those
    /// of its subclasses.
    private var objects: [String: [any Entity]] = [:]

    /// What has happened, which ``save()`` publishes.
    public let events = DomainEvents()

    /// Makes a place without objects.
    public init() {}

    /// The name by which the objects of a class are kept: that of the highest class above it that is an
    /// entity.
    private func name(of entity: any Entity.Type) -> String {
        var highest = entity
        while let above = highest.modelSuperclass as? any Entity.Type { highest = above }
        return highest.entityName
    }

    /// The objects that a predicate takes, in the order in which they came.
    ///
    /// - Complexity: linear in the number of objects of the class.
    /// - Throws: what the predicate throws.
    public func find<Found: Entity>(
        _ entity: Found.Type,
        where predicate: Predicate<Found>?,
        limit: Int?
    ) throws -> [Found] {
        var found: [Found] = []
        for case let object as Found in objects[name(of: entity)] ?? [] {
            if found.count >= limit ?? .max { break }
            if try predicate?.evaluate(object) ?? true { found.append(object) }
        }
        return found
    }

    /// The object with an identifier; nil where there is none.
    ///
    /// - Complexity: linear in the number of objects of the class.
    public func find<Found: Entity>(_ entity: Found.Type, id: Found.ID) -> Found? {
        for case let object as Found in objects[name(of: entity)] ?? [] where object.id == id {
            return object
        }
        return nil
    }

    /// Adds an object, if it is not there already.
    ///
    /// - Complexity: linear in the number of objects of the class.
    public func insertIfNew<New: Entity>(_ object: New) {
        let isKnown = objects[name(of: New.self)]?.contains { $0 === object } ?? false
        if !isKnown { objects[name(of: New.self), default: []].append(object) }
    }

    /// Removes an object, if it is there.
    ///
    /// - Complexity: linear in the number of objects of the class.
    public func remove<Old: Entity>(_ object: Old) {
        objects[name(of: Old.self)]?.removeAll { $0 === object }
    }

    /// Publishes what has happened. The objects are kept as they are.
    public func save() {
        events.publish()
    }
}
