/// An actor with a context of its own: a place for work with models that must not hold up the caller.
///
/// ```swift
/// @ModelActor actor Librarian {
///     func add(_ title: String) throws -> Int {
///         modelContext.insert(Book(id: nil, title: title))
///         try modelContext.save()
///         return try modelContext.fetchCount(FetchDescriptor<Book>())
///     }
/// }
/// let librarian = Librarian(modelContainer: container)
/// let count = try await librarian.add("Emma")
/// ```
///
/// `@ModelActor` writes everything that an actor needs for this; one with an initializer of its own may
/// also be written by hand, as ``DefaultSerialModelExecutor`` shows. Its functions run one at a time on
/// a queue of the actor's own. What leaves the actor has to be `Sendable`: values and keys.
public protocol ModelActor: Actor {
    /// The container whose values the actor reads and writes.
    nonisolated var modelContainer: ModelContainer { get }
    /// What runs the actor's functions.
    nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
    /// The executor as the runtime asks for it.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        modelExecutor.asUnownedSerialExecutor()
    }

    /// The context of the actor, in which nothing is saved that the actor does not save.
    public var modelContext: ModelContext { modelExecutor.modelContext }

    /// The object of the actor's context that has an identifier; nil where there is no row, or it is of
    /// another class.
    ///
    /// ```swift
    /// func title(of id: PersistentIdentifier) -> String? { self[id, as: Book.self]?.title }
    /// ```
    ///
    /// - Complexity: that of `ModelContext.model(for:)`.
    public subscript<Object: PersistentModel>(
        _ id: PersistentIdentifier,
        as type: Object.Type
    ) -> Object? {
        modelContext.model(for: id) as? Object
    }
}
