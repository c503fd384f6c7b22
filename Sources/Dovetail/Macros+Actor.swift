/// Makes an actor a ``ModelActor``: it gets a container, an executor and an initializer.
///
/// ```swift
/// @ModelActor actor Librarian {
///     func titles() throws -> [String] {
///         try modelContext.fetch(FetchDescriptor<Book>()).map(\.title)
///     }
/// }
/// let titles = try await Librarian(modelContainer: container).titles()
/// ```
///
/// The macro adds what the actor does not declare itself:
///
/// ```swift
/// nonisolated let modelExecutor: any ModelExecutor
/// nonisolated let modelContainer: ModelContainer
/// init(modelContainer: ModelContainer) { … }
/// ```
///
/// They take the actor's access level. An initializer of the actor's own sets the first two, with a
/// ``DefaultSerialModelExecutor`` over a new context, or calls `self.init(modelContainer:)`. That one is
/// left out when a stored property has neither a value nor an optional type, and when an initializer
/// of the actor takes `modelContainer:` alone.
@attached(
    member,
    names: named(modelExecutor),
    named(modelContainer),
    named(init(modelContainer:))
)
@attached(extension, conformances: ModelActor)
public macro ModelActor() =
    #externalMacro(module: "DovetailMacros", type: "ModelActorMacro")
