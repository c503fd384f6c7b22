public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why a request brought no result.
///
/// A cancelled task is not among the reasons: that is Swift's `CancellationError`.
///
/// ```swift
/// do {
///     user = try await User.fetchOne(Shop.user(id: 150))
/// } catch let error as RemoteError where error.kind == .status(404) {
///     user = nil
/// }
/// ```
public struct RemoteError: Error, Sendable {
    /// What went wrong, by what a caller can do about it.
    public enum Kind: Hashable, Sendable {
        /// The request cannot be sent as it is meant; `reason` says why. Nothing was sent.
        case invalidRequest
        /// No complete answer came: no such host, refused, TLS, or cut off in the middle.
        case connectionFailed
        /// The backend was silent for longer than ``RemoteSession/timeout``.
        case timedOut
        /// What answered does not speak HTTP.
        case notHTTP
        /// The status code is outside 200-299; `body` holds what the backend says about it.
        case status(Int)
        /// The body is larger than ``RemoteSession/maximumResponseSize``, in bytes.
        case tooLarge(limit: Int)
        /// The body is not the expected JSON; `underlying` is the error of the decoding.
        case undecodable
        /// A page of ``Fetchable/pages(from:using:)`` is the page before it once more: the backend
        /// ignores the offset, or the route does.
        case repeatedPage
    }

    /// The most that is kept of a body, in bytes.
    public static let keptBodySize = 64 << 10

    /// What went wrong.
    public let kind: Kind

    /// The request method, such as `GET`.
    public let method: String

    /// The URL that was asked, or the one that answered after a redirect; the base URL when the
    /// request is invalid.
    public let url: URL

    /// The status code of the answer, nil when none came.
    public let status: Int?

    /// The head of the answer, nil when none came.
    private let head: HTTPURLResponse?

    /// The `Content-Type` of the answer, nil when there is none.
    public var contentType: String? { header("Content-Type") }

    /// The first ``keptBodySize`` bytes of the answer's body, empty when none came.
    public let body: Data

    /// What the layer below says, in words; empty when there is nothing to add.
    public let explanation: String

    /// The error this one was made of: of the transport, or of the decoding.
    public let underlying: (any Error)?

    /// Makes an error without an answer. Transports throw such ones as ``Kind/notHTTP`` and
    /// ``Kind/tooLarge(limit:)``.
    ///
    /// ```swift
    /// throw RemoteError(.notHTTP, method: "GET", url: url)
    /// ```
    public init(
        _ kind: Kind,
        method: String,
        url: URL,
        explanation: String = "",
        underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.method = method
        self.url = url
        self.status = nil
        self.head = nil
        self.body = Data()
        self.explanation = explanation
        self.underlying = underlying
    }

    /// An error about an answer, with the beginning of its body.
    init(_ kind: Kind, _ response: RemoteResponse, underlying: (any Error)? = nil) {
        self.kind = kind
        self.method = response.method
        self.url = response.url
        self.status = response.status
        self.head = response.head
        // A copy: a slice would keep the whole body alive.
        self.body = Data(response.body.prefix(Self.keptBodySize))
        self.explanation = underlying.map { String(describing: $0) } ?? ""
        self.underlying = underlying
    }

    /// The value of a header field of the answer, by its name in any case; nil when it has none, or none came.
    ///
    /// ```swift
    /// } catch let error as RemoteError where error.kind == .status(429) {
    ///     let seconds = error.header("Retry-After").flatMap(Int.init) ?? 60
    /// ```
    public func header(_ name: String) -> String? { head?.value(forHTTPHeaderField: name) }
}
