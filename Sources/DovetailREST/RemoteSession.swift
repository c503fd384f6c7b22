import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What requests to a backend share: how they travel, their header fields and their limits.
///
/// A session is a value: change a copy and pass it on as `using:`. Copies share the transport, and
/// with it the connections.
///
/// ```swift
/// var session = RemoteSession.shared
/// session.headers["Accept-Language"] = "de"
/// let user = try await User.fetchOne(Shop.user(id: 150), using: session)
/// ```
public struct RemoteSession: Sendable {
    /// The session that fetches use when they are given none, with the default of every setting.
    public static let shared = RemoteSession()

    /// What carries the requests.
    public var transport: any RemoteTransport

    /// Header fields of every request; those of an ``Endpoint`` win over them.
    public var headers: [String: String]

    /// The longest wait without a byte from the backend, 30 seconds unless set.
    public var timeout: Duration

    /// The largest body that is taken, in bytes after decompression, 256 MiB unless set.
    public var maximumResponseSize: Int

    /// Makes a session, over the connections that all sessions share unless another transport is
    /// given.
    ///
    /// ```swift
    /// let headers = ["Authorization": "Bearer \(token)"]
    /// let session = RemoteSession(headers: headers, timeout: .seconds(10))
    /// let users = try await User.fetchAll(Shop.users, using: session)
    /// ```
    public init(
        transport: any RemoteTransport = URLSessionTransport.shared,
        headers: [String: String] = [:],
        timeout: Duration = .seconds(30),
        maximumResponseSize: Int = 256 << 20
    ) {
        self.transport = transport
        self.headers = headers
        self.timeout = timeout
        self.maximumResponseSize = maximumResponseSize
    }

    /// Sends a route's request once and gives the answer as it came, for requests whose answer is
    /// not a model.
    ///
    /// ```swift
    /// let response = try await session.send(Shop.remove(id: 7))       // DELETE …/users/7
    /// print(response.status)                                          // 204
    /// ```
    ///
    /// The body is held in memory. Redirects are the transport's business; ``URLSessionTransport``
    /// follows them.
    ///
    /// - Throws: ``RemoteError``, also for every status code outside 200-299; `CancellationError`
    ///   when the task is cancelled; whatever the route's `endpoint` throws.
    public func send(_ route: some Router) async throws -> RemoteResponse {
        try Task.checkCancellation()
        var request = try route.urlRequest(headers: headers)
        request.timeoutInterval = timeout.inSeconds
        let response = try await answer(to: request, at: request.url ?? type(of: route).baseURL)
        guard response.body.count <= maximumResponseSize else {
            throw RemoteError(.tooLarge(limit: maximumResponseSize), response)
        }
        guard (200...299).contains(response.status) else {
            throw RemoteError(.status(response.status), response)
        }
        return response
    }

    /// Calls the transport and turns its errors into those of the session.
    private func answer(to request: URLRequest, at url: URL) async throws -> RemoteResponse {
        let method = request.httpMethod ?? "GET"
        do {
            let (body, http) = try await transport.send(request, upTo: maximumResponseSize)
            return RemoteResponse(http, method: method, url: http.url ?? url, body: body)
        } catch let error as RemoteError {
            throw error
        } catch {
            // A transport may report the cancellation in words of its own.
            if error is CancellationError || Task.isCancelled { throw CancellationError() }
            let isTimeout = (error as? URLError)?.code == .timedOut
            throw RemoteError(
                isTimeout ? .timedOut : .connectionFailed,
                method: method,
                url: url,
                explanation: isTimeout
                    ? "nothing received for \(timeout)" : error.localizedDescription,
                underlying: error
            )
        }
    }
}

extension Duration {
    /// In seconds, from a millisecond to a year: what Foundation's timers can take.
    fileprivate var inSeconds: TimeInterval {
        let parts = components
        let seconds = Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
        return min(max(seconds, 0.001), 365 * 86_400)
    }
}
