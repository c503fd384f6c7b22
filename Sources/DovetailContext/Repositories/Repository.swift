import DovetailModel
import DovetailStore
public import Foundation

/// All objects of one class, as a program asks for them: a program adds functions in its own words, and
/// need not say where the objects are.
///
/// ```swift
/// struct Boxes: Repository {
///     typealias Stored = Box
///     let context: any EntityContext      // a ModelContext, EntitiesInMemory, or your own
///
///     func heavy() throws -> [Box] { try all(where: #Predicate { $0.weight > 100 }) }
/// }
/// ```
///
/// It belongs to whoever the context belongs to.
public protocol Repository<Stored> {
    /// The class of the objects.
    associatedtype Stored: Entity

    /// Where the objects are.
    var context: any EntityContext { get }
}

extension Repository {
    /// The objects that a predicate takes, or all of them without one, in no order that is promised.
    ///
    /// - Complexity: that of a fetch.
    /// - Throws: what the context throws.
    @_disfavoredOverload
    public func all(where predicate: Predicate<Stored>? = nil) throws -> [Stored] {
        try context.find(Stored.self, where: predicate, limit: nil)
    }

    /// The one object that a predicate takes; nil where there is none.
    ///
    /// - Complexity: that of a fetch of two objects.
    /// - Throws: ``QueryError`` where there are several, and what the context throws.
    @_disfavoredOverload
    public func object(where predicate: Predicate<Stored>) throws -> Stored? {
        try Stored.object(in: context, where: predicate)
    }

    /// The object with an identifier; nil where there is none.
    ///
    /// - Complexity: that of a look into an index where `id` is unique.
    /// - Throws: what the context throws.
    public func object(id: Stored.ID) throws -> Stored? {
        try context.find(Stored.self, id: id)
    }

    /// Adds an object, as ``EntityContext/insertIfNew(_:)`` does.
    ///
    /// - Throws: what the context throws.
    public func add(_ object: Stored) throws {
        try context.insertIfNew(object)
    }

    /// Deletes an object.
    ///
    /// - Throws: what the context throws.
    public func remove(_ object: Stored) throws {
        try context.remove(object)
    }

    /// Keeps what was changed in the context, and publishes the events that wait there.
    ///
    /// - Throws: what the context throws.
    public func save() throws {
        try context.save()
    }

    /// An identifier that no object has, neither a stored one nor one that waits to be saved.
    ///
    /// ```swift
    /// var numbers = SequentialIdentifiers<Int64>()
    /// let box = Box(id: try boxes.nextID(from: &numbers))
    /// ```
    ///
    /// It asks a generator again while what it gives is taken. Two contexts that do so before either is
    /// saved can get the same one from two sequences; ``UUIDv7Identifiers`` do not meet.
    ///
    /// - Parameters:
    ///   - generator: What makes identifiers.
    ///   - attempts: How many of them are tried.
    /// - Complexity: that of a look into an index for each that is taken.
    /// - Throws: ``StoreError`` of kind `uniqueViolation` where all of them are taken, or the generator has
    ///   no more, and what the context throws.
    public func nextID<Generator: IdentifierGenerator>(
        from generator: inout Generator,
        attempts: Int = 10_000
    ) throws -> Stored.ID where Generator.Identifier == Stored.ID {
        for _ in 0..<max(attempts, 0) {
            guard let id = generator.next() else {
                throw noIdentifier("the generator has no more identifiers")
            }
            if try context.find(Stored.self, id: id) == nil { return id }
        }
        throw noIdentifier("all identifiers that were tried are taken: \(attempts)")
    }

    private func noIdentifier(_ explanation: String) -> StoreError {
        StoreError(
            .uniqueViolation,
            table: Stored.modelTable,
            column: "id",
            explanation: explanation
        )
    }
}
