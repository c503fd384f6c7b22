import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Turns an endpoint and a base URL into a request, or says why it cannot be sent.
///
/// `Router.urlRequest(headers:)` makes one for each request. It is the only place that
/// percent-encodes, so nothing is encoded twice.
struct RequestBuilder {
    let endpoint: Endpoint
    let baseURL: URL

    /// The request. Its own fields win over `headers`, and `Accept` and `Content-Type` are JSON
    /// unless one of them says otherwise.
    ///
    /// - Throws: ``RemoteError`` of kind `invalidRequest`.
    func request(headers: [String: String]) throws(RemoteError) -> URLRequest {
        try check()
        var request = URLRequest(url: try url())
        request.httpMethod = endpoint.method.rawValue
        // Sorted, so that two spellings of one name give the same request in every process.
        for fields in [headers, endpoint.headers] {
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                try check(field: name, value: value)
                request.setValue(value, forHTTPHeaderField: name)
            }
        }
        if request.value(forHTTPHeaderField: "Accept") == nil {
            request.setValue("application/json", forHTTPHeaderField: "Accept")
        }
        if let body = endpoint.body {
            request.httpBody = body
            if request.value(forHTTPHeaderField: "Content-Type") == nil {
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            }
        }
        return request
    }

    /// The base URL with the path appended to its path, and the query to its query.
    ///
    /// - Throws: ``RemoteError`` of kind `invalidRequest`.
    private func url() throws(RemoteError) -> URL {
        guard var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = parts.host, !host.isEmpty
        else { throw invalid("the base URL is not http or https with a host") }

        if !endpoint.segments.isEmpty {
            var base = parts.percentEncodedPath
            if base.hasSuffix("/") { base.removeLast() }
            let path = endpoint.segments.map { $0.percentEncoded(except: .segment) }
            parts.percentEncodedPath = base + "/" + path.joined(separator: "/")
        }
        let query = endpoint.query.items.map { item in
            item.name.percentEncoded(except: .unreserved) + "="
                + item.value.percentEncoded(except: .unreserved)
        }
        let pieces = [parts.percentEncodedQuery].compactMap { $0 } + query
        parts.percentEncodedQuery = pieces.isEmpty ? nil : pieces.joined(separator: "&")
        parts.fragment = nil  // never sent (RFC 9110, 7.1)
        guard let url = parts.url else { throw invalid("base URL and path do not make a URL") }
        return url
    }

    /// What `URLSession` would change or refuse in silence is refused here with a explanation.
    private func check() throws(RemoteError) {
        guard endpoint.method.rawValue.isToken else { throw invalid("the method is not a token") }
        // URLSession removes dot segments even when they are percent-encoded.
        guard !endpoint.segments.contains(where: { $0 == "." || $0 == ".." }) else {
            throw invalid("a path segment is '.' or '..'")
        }
        // URLSession refuses such a request, on Linux with a message on stderr.
        if endpoint.body != nil, endpoint.method == .get || endpoint.method == .head {
            throw invalid("a \(endpoint.method.rawValue) request has a body")
        }
    }

    /// RFC 9110, 5.1 and 5.5: a line break in a value would begin another header field.
    private func check(field name: String, value: String) throws(RemoteError) {
        guard name.isToken else { throw invalid("a header field's name is not a token") }
        guard !value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else {
            throw invalid("the header field \(name) contains a line break or NUL")
        }
    }

    private func invalid(_ explanation: String) -> RemoteError {
        RemoteError(
            .invalidRequest,
            method: endpoint.method.rawValue,
            url: baseURL,
            explanation: explanation
        )
    }
}

extension String {
    fileprivate func percentEncoded(except allowed: CharacterSet) -> String {
        // nil only for text that is not Unicode, which a Swift string cannot hold.
        addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }

    /// RFC 9110, 5.6.2.
    fileprivate var isToken: Bool {
        !isEmpty && unicodeScalars.allSatisfy(CharacterSet.token.contains)
    }
}

extension CharacterSet {
    private static let alphanumeric =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    /// `unreserved` of RFC 3986, 2.3.
    fileprivate static let unreserved = CharacterSet(charactersIn: alphanumeric + "-._~")

    /// `pchar` of RFC 3986, 3.3 without the percent sign.
    fileprivate static let segment = unreserved.union(CharacterSet(charactersIn: "!$&'()*+,;=:@"))

    /// `tchar` of RFC 9110, 5.6.2.
    fileprivate static let token = CharacterSet(charactersIn: alphanumeric + "!#$%&'*+-.^_`|~")
}
