public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The transport over Foundation's `URLSession`.
///
/// It keeps nothing between requests but open connections: no cookies, no cache, no credentials.
/// Compressed bodies arrive decompressed. Redirects are followed, with the content of the request where its
/// method stays. `Authorization`,
/// `Proxy-Authorization` and cookies do not follow a redirect to another host, port or scheme,
/// except from `http` on port 80 to `https` on port 443 of the same host. All other header fields
/// do follow, so a secret in a field of the backend's own name is only safe with a backend that
/// redirects to nobody else.
///
/// A transport is meant to be kept; its `URLSession` ends with it, after the requests that are
/// under way.
///
/// On Linux a time limit is rounded up to whole seconds, because that is what Foundation takes
/// there. Known there with Swift 6.3.1: a connection that breaks off inside the header of an answer
/// ends the process (<https://github.com/swiftlang/swift-corelibs-foundation/issues/5285>).
public final class URLSessionTransport: RemoteTransport {
    /// The transport of ``RemoteSession/shared`` and of every session that is given none.
    public static let shared = URLSessionTransport()

    private let session: URLSession
    private let exchanges: URLSessionExchanges
    /// Credentials of the configuration, which are set on each request instead: Foundation would
    /// add those of a configuration again after every redirect.
    private let credentials: [String: String]

    /// A configuration that remembers nothing: no cookies, no cache, no credentials.
    public static var plainConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        return configuration
    }

    /// Makes a transport with connections of its own.
    ///
    /// ```swift
    /// let configuration = URLSessionTransport.plainConfiguration
    /// configuration.httpMaximumConnectionsPerHost = 2
    /// let session = RemoteSession(transport: URLSessionTransport(configuration: configuration))
    /// ```
    ///
    /// - Parameter configuration: For a proxy or TLS settings; change ``plainConfiguration``. It is
    ///   copied.
    public init(configuration: URLSessionConfiguration = URLSessionTransport.plainConfiguration) {
        let fields = configuration.httpAdditionalHeaders ?? [:]
        let secret = fields.filter {
            URLRequest.credentialFields.contains("\($0.key)".lowercased())
        }
        // A copy, which `copy()` gives as `Any`: the caller's own stays as it is.
        let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
        configuration.httpAdditionalHeaders = fields.filter { secret[$0.key] == nil }
        credentials = Dictionary(
            secret.map { ("\($0.key)", "\($0.value)") },
            uniquingKeysWith: { first, _ in first }
        )
        exchanges = URLSessionExchanges()
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends the request; see ``RemoteTransport/send(_:upTo:)``.
    ///
    /// - Throws: `CancellationError`, `URLError`, or ``RemoteError`` of kind
    ///   ``RemoteError/Kind/tooLarge(limit:)`` or ``RemoteError/Kind/notHTTP``.
    public func send(
        _ request: URLRequest,
        upTo maximumBytes: Int
    ) async throws -> (Data, HTTPURLResponse) {
        var request = prepared(request)
        // As many as Foundation follows by itself.
        for _ in 0...20 {
            switch try await exchange(request, upTo: maximumBytes) {
            case .answer(let body, let response): return (body, response)
            case .redirect(let next): request = next
            }
        }
        throw URLError(.httpTooManyRedirects)
    }

    /// Sends a request, without following a redirect that takes its content along.
    private func exchange(
        _ request: URLRequest,
        upTo maximumBytes: Int
    ) async throws -> URLSessionExchanges.Outcome {
        try Task.checkCancellation()
        let task = session.dataTask(with: request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.start(task, upTo: maximumBytes, continuation)
                // Cancelled before the exchange was known: the handler below found nothing.
                if Task.isCancelled { exchanges.cancel(task) }
            }
        } onCancel: {
            exchanges.cancel(task)
        }
    }

    /// The request with the credentials of the configuration, and with a time limit that Foundation
    /// takes.
    private func prepared(_ request: URLRequest) -> URLRequest {
        var request = request
        for (field, value) in credentials where request.value(forHTTPHeaderField: field) == nil {
            request.setValue(value, forHTTPHeaderField: field)
        }
        #if canImport(FoundationNetworking)
            request.timeoutInterval = request.timeoutInterval.rounded(.up)
        #endif
        return request
    }
}
