public import Foundation

/// One request to a backend as a value: what is asked, of which path, with which query and body.
///
/// An endpoint knows no host; a ``Router`` adds that. Everything in it is plain text: what has to
/// be percent-encoded is encoded when the request is built, so nothing is ever encoded twice.
///
/// ```swift
/// .get("products", query: ["limit": 100, "offset": 200])   // GET …/products?limit=100&offset=200
/// .post("users", body: try user.encoded(as: .json))        // POST …/users
/// .get("product").appending(segment: sku)                  // GET …/product/A%2F7
/// ```
public struct Endpoint: Hashable, Sendable {
    /// The request method.
    public var method: Method

    /// The path below the base URL: its segments as plain text, in order.
    ///
    /// A slash inside a segment belongs to the segment and is sent as `%2F`.
    public var segments: [String]

    /// The query, in the order in which it was written.
    public var query: Query

    /// Header fields of this request. They win over those of the ``RemoteSession``, whatever the
    /// case of their names.
    public var headers: [String: String]

    /// The body, or nil for a request without one.
    ///
    /// A request with a body and without a `Content-Type` field is sent as `application/json`.
    public var body: Data?

    /// Makes an endpoint; ``get(_:query:headers:)`` and its siblings are shorter.
    ///
    /// - Parameter path: Segments separated by slashes, as plain text. A slash in front means
    ///   nothing (the path is always below the base URL), one at the end is kept.
    public init(
        _ method: Method,
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:],
        body: Data? = nil
    ) {
        self.method = method
        self.segments = Self.segments(of: path)
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The path as plain text, relative to the base URL: the segments with slashes between them.
    public var path: String { segments.joined(separator: "/") }

    /// The same endpoint, one segment deeper. The segment may hold anything but `.` and `..`; a
    /// slash in it is sent as `%2F`, so this is the way to send an identifier.
    ///
    /// ```swift
    /// Endpoint.get("product").appending(segment: "A/7")        // GET …/product/A%2F7
    /// ```
    public func appending(segment: String) -> Endpoint {
        var longer = self
        longer.segments.append(segment)
        return longer
    }

    /// A slash in front is dropped. An empty segment at the end stays, so that `users/` is sent
    /// with its slash.
    private static func segments(of path: String) -> [String] {
        guard !path.isEmpty else { return [] }
        let relative = path.hasPrefix("/") ? path.dropFirst() : path[...]
        return relative.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }
}

extension Endpoint {
    /// A `GET` request (RFC 9110, 9.3.1).
    ///
    /// ```swift
    /// .get("products", query: ["limit": 100])     // GET …/products?limit=100
    /// ```
    public static func get(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:]
    ) -> Endpoint {
        Endpoint(.get, path, query: query, headers: headers)
    }

    /// A `POST` request (RFC 9110, 9.3.3).
    ///
    /// ```swift
    /// .post("users", body: try user.encoded(as: .json))
    /// // POST …/users, Content-Type: application/json
    /// ```
    public static func post(
        _ path: String,
        body: Data? = nil,
        query: Query = [:],
        headers: [String: String] = [:]
    ) -> Endpoint {
        Endpoint(.post, path, query: query, headers: headers, body: body)
    }

    /// A `PUT` request (RFC 9110, 9.3.4).
    ///
    /// ```swift
    /// .put("users/7", body: try user.encoded(as: .json))       // PUT …/users/7
    /// ```
    public static func put(
        _ path: String,
        body: Data? = nil,
        query: Query = [:],
        headers: [String: String] = [:]
    ) -> Endpoint {
        Endpoint(.put, path, query: query, headers: headers, body: body)
    }

    /// A `PATCH` request (RFC 5789). A format of its own needs its type.
    ///
    /// ```swift
    /// .patch("users/7", body: patch, headers: ["Content-Type": "application/merge-patch+json"])
    /// ```
    public static func patch(
        _ path: String,
        body: Data? = nil,
        query: Query = [:],
        headers: [String: String] = [:]
    ) -> Endpoint {
        Endpoint(.patch, path, query: query, headers: headers, body: body)
    }

    /// A `DELETE` request (RFC 9110, 9.3.5).
    ///
    /// ```swift
    /// .delete("users/7")                          // DELETE …/users/7
    /// ```
    public static func delete(
        _ path: String,
        query: Query = [:],
        headers: [String: String] = [:]
    ) -> Endpoint {
        Endpoint(.delete, path, query: query, headers: headers)
    }
}
