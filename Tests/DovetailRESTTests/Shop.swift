import Dovetail
import Testing

extension User: Fetchable {}
extension Product: Fetchable {}

/// The routes of a shop's backend, as far as these tests ask for them.
enum Shop: Router {
    case users, user(id: Int), products(limit: Int, offset: Int), product(sku: String)

    static let baseURL = constantURL("http://www.example.com/api")

    var endpoint: Endpoint {
        switch self {
        case .users: .get("users")
        case .user(let id): .get("user/\(id)")
        case .products(let limit, let offset):
            .get("products", query: ["limit": limit, "offset": offset])
        case .product(let sku): .get("product").appending(segment: sku)
        }
    }
}

/// A route around any endpoint, below a base URL that the test chooses.
struct Route: Router {
    @TaskLocal static var baseURL = constantURL("http://host/api")
    var endpoint: Endpoint

    init(_ endpoint: Endpoint) { self.endpoint = endpoint }
}

/// The URL of a text that is known to be one.
func constantURL(_ text: StaticString) -> URL {
    // swift-format-ignore: NeverForceUnwrap
    URL(string: "\(text)")!
}

/// Runs the test's body with its own base URL for every ``Route``.
func below<Result>(_ base: String, _ body: () async throws -> Result) async throws -> Result {
    try await Route.$baseURL.withValue(try #require(URL(string: base)), operation: body)
}
