public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The requests that a backend answers, most often an enum with a case for each.
///
/// ```swift
/// enum Shop: Router {
///     case users, user(id: Int)
///     static let baseURL = URL(string: "http://www.example.com/api")!
///     var endpoint: Endpoint {
///         switch self {
///         case .users: .get("users")
///         case .user(let id): .get("user/\(id)")
///         }
///     }
/// }
/// ```
public protocol Router: Sendable {
    /// Where the paths of all endpoints begin: `http` or `https`, with a host.
    ///
    /// Its own path and query are kept, so `http://host/api?key=1` leads to
    /// `http://host/api/users?key=1`. It may be computed, for a host known only at run time.
    static var baseURL: URL { get }

    /// The request of this route.
    ///
    /// An implementation that has nothing to throw leaves `throws` out; one that encodes a model
    /// into the body keeps it. What it throws reaches the caller of the fetch unchanged.
    var endpoint: Endpoint { get throws }
}

extension Router {
    /// The request as Foundation takes it, for tests and for code that sends it otherwise. Costs no
    /// I/O.
    ///
    /// ```swift
    /// try Shop.products(limit: 5, offset: 10).urlRequest()
    /// // GET http://www.example.com/api/products?limit=5&offset=10, Accept: application/json
    /// ```
    ///
    /// Each segment of the path is percent-encoded by RFC 3986, 3.3. In the query everything but
    /// the unreserved characters of RFC 3986, 2.3 is, so that `+` and `&` arrive as they are.
    ///
    /// - Parameter headers: Header fields of every request. The endpoint's own win over them,
    ///   whatever the case of their names (RFC 9110, 5.1).
    /// - Throws: ``RemoteError`` of kind ``RemoteError/Kind/invalidRequest`` when the request
    ///   cannot be sent as it is meant: a base URL that is not `http(s)` with a host, a segment `.`
    ///   or `..` (it would leave the path), a method or header field outside RFC 9110, a `GET` or
    ///   `HEAD` with a body. Also whatever ``endpoint`` throws.
    public func urlRequest(headers: [String: String] = [:]) throws -> URLRequest {
        try RequestBuilder(endpoint: endpoint, baseURL: Self.baseURL).request(headers: headers)
    }
}
