import Dovetail

/// The backend's addresses.
enum Shop: Router {
    case users
    case products(limit: Int, offset: Int)
    case library
    /// Lets the backend change its data, once.
    case change
    /// Answers that are wrong in one way each.
    case broken(String)

    /// Where `Scripts/demo` started the backend.
    static var baseURL: URL {
        let address = ProcessInfo.processInfo.environment["SHOP_URL"] ?? "http://127.0.0.1:8080"
        return URL(string: address) ?? URL(fileURLWithPath: "/")
    }

    var endpoint: Endpoint {
        switch self {
        case .users: .get("api/users")
        case .products(let limit, let offset):
            .get("api/products", query: ["limit": limit, "offset": offset])
        case .library: .get("api/library")
        case .change: .post("admin/change")
        case .broken(let kind): .get("broken/\(kind)")
        }
    }
}
