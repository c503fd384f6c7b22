public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The answer to a request, with a status code of 200-299.
public struct RemoteResponse: Sendable {
    /// The request method, such as `GET`.
    public let method: String

    /// The URL that answered: the one asked for, or where a redirect led.
    public let url: URL

    /// The status code (RFC 9110, 15).
    public let status: Int

    /// The body, empty when there was none.
    public let body: Data

    let head: HTTPURLResponse

    init(_ http: HTTPURLResponse, method: String, url: URL, body: Data) {
        self.method = method
        self.url = url
        self.status = http.statusCode
        self.body = body
        self.head = http
    }

    /// The value of a header field, by its name in any case; nil when the answer has none.
    public func header(_ name: String) -> String? { head.value(forHTTPHeaderField: name) }
}
