public import DovetailModel

extension Fetchable where Self: Model {
    /// Fetches without waiting: ``fetch(_:using:)`` for callers that are not asynchronous.
    ///
    /// ```swift
    /// User.fetch(Shop.user(id: 150), onSuccess: { result in … }, onError: { error in … })
    /// User.fetch(Shop.users, onSuccess: { @MainActor result in … }, onError: { _ in … })
    /// ```
    ///
    /// Exactly one of the two is called, once: on the actor that the closure names, or on no
    /// particular thread when it names none.
    ///
    /// - Returns: The task that fetches. It ends after the callback has returned; cancelling it
    ///   leads to `onError` with a `CancellationError`.
    @discardableResult
    public static func fetch(
        _ route: some Router,
        using session: RemoteSession = .shared,
        onSuccess: @escaping @Sendable @isolated(any) (sending MappingResult<Self>) -> Void,
        onError: @escaping @Sendable @isolated(any) (any Error) -> Void
    ) -> Task<Void, Never> {
        Task {
            do {
                let result = try await fetch(route, using: session)
                await onSuccess(result)
            } catch {
                await onError(error)
            }
        }
    }
}
