public import DovetailModel

/// A model that can be fetched from a backend: `extension User: Fetchable {}` is all it takes.
///
/// Every fetch sends one request, holds the body in memory and decodes it on the calling task, in
/// time linear in its length. Nothing is sent again after an error. Each throws
/// ``RemoteError`` when no answer came, when its status code is outside 200-299 or when the body is
/// too large, `CancellationError` when the task is cancelled, and whatever the route's `endpoint`
/// throws. ``pages(from:using:)`` sends one request for each page.
public protocol Fetchable {}

extension Fetchable where Self: Model {
    /// Fetches a body whose shape the caller leaves open.
    ///
    /// ```swift
    /// switch try await User.fetch(Shop.user(id: 1200)) {          // GET …/user/1200
    /// case .asSelf(let user): …
    /// case .asDictionary(let byKey): …
    /// case .asArray(let users): …
    /// case .raw(let data): …
    /// }
    /// ```
    ///
    /// A body that does not map into the model is ``MappingResult/raw(_:)``; use
    /// ``fetchOne(_:using:)`` or ``fetchAll(_:using:)`` where that is an error.
    public static func fetch(
        _ route: some Router,
        using session: RemoteSession = .shared
    ) async throws -> sending MappingResult<Self> {
        MappingResult(mapping: try await session.send(route).body)
    }

    /// Fetches a body that is one value.
    ///
    /// ```swift
    /// let user = try await User.fetchOne(Shop.user(id: 150))       // GET …/user/150
    /// ```
    ///
    /// - Throws: In addition ``RemoteError`` of kind ``RemoteError/Kind/undecodable``, whose
    ///   `underlying` is the error of the decoding with path, line and column.
    public static func fetchOne(
        _ route: some Router,
        using session: RemoteSession = .shared
    ) async throws -> sending Self {
        let response = try await session.send(route)
        do {
            return try Self(decoding: response.body, as: .json)
        } catch {
            throw RemoteError(.undecodable, response, underlying: error)
        }
    }

    /// Fetches a body that is an array.
    ///
    /// ```swift
    /// let users = try await User.fetchAll(Shop.users)              // GET …/users
    /// ```
    ///
    /// One element that does not decode fails the call; the path in the error begins with its
    /// index.
    ///
    /// - Throws: In addition ``RemoteError`` of kind ``RemoteError/Kind/undecodable``, as
    ///   ``fetchOne(_:using:)`` does.
    public static func fetchAll(
        _ route: some Router,
        using session: RemoteSession = .shared
    ) async throws -> sending [Self] {
        try array(in: try await session.send(route))
    }

    /// Decodes the body of an answer that is an array.
    ///
    /// - Throws: ``RemoteError`` of kind `undecodable`.
    static func array(in response: RemoteResponse) throws -> sending [Self] {
        do {
            return try [Self](decoding: response.body, as: .json)
        } catch {
            throw RemoteError(.undecodable, response, underlying: error)
        }
    }
}
