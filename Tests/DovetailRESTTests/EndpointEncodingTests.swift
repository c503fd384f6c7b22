import Dovetail
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct EndpointEncodingTests {
    private func url(_ endpoint: Endpoint, below base: String) async throws -> String? {
        try await below(base) { try Route(endpoint).urlRequest().url?.absoluteString }
    }

    @Test(arguments: [
        ("http://host/api", "users", "http://host/api/users"),
        ("http://host/api", "/users", "http://host/api/users"),
        ("http://host/api/", "users", "http://host/api/users"),
        ("http://host/api/", "/users", "http://host/api/users"),
        ("http://host", "users", "http://host/users"),
        ("http://host/", "users", "http://host/users"),
        ("http://host/api/v%202", "users", "http://host/api/v%202/users"),
        ("https://user@host:8443/api#part", "users", "https://user@host:8443/api/users"),
        ("http://[::1]:80/api", "users", "http://[::1]:80/api/users"),
        ("http://host/api", "", "http://host/api"),
        ("http://host", "", "http://host"),
        ("http://host/api", "/", "http://host/api/"),
        ("http://host/api", "users/", "http://host/api/users/"),
        ("http://host/api", "a//b", "http://host/api/a//b"),
        ("http://host/api", "http://other/x", "http://host/api/http://other/x"),
        ("http://host/api", "//other/x", "http://host/api//other/x"),
    ])
    func `a path is joined onto the base URL`(
        base: String,
        path: String,
        joined: String
    ) async throws {
        #expect(try await url(.get(path), below: base) == joined)
    }

    @Test(arguments: [
        ("a b", "a%20b"), ("ä", "%C3%A4"), ("100%", "100%25"), ("%20", "%2520"),
        ("what?", "what%3F"), ("#1", "%231"), ("a+b", "a+b"), ("a:b@c", "a:b@c"),
        ("[x]", "%5Bx%5D"), ("\"<>\\^`{|}", "%22%3C%3E%5C%5E%60%7B%7C%7D"), ("-._~", "-._~"),
        ("👩‍🚀", "%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80"), ("a\r\nb", "a%0D%0Ab"), ("...", "..."),
        ("e\u{301}", "e%CC%81"),
    ])
    func `a segment is percent-encoded once`(segment: String, encoded: String) async throws {
        let base = "http://host/api"
        #expect(try await url(.get("x/\(segment)/y"), below: base) == "\(base)/x/\(encoded)/y")
        let appended = Endpoint.get("x").appending(segment: segment).appending(segment: "y")
        #expect(appended == .get("x/\(segment)/y"))
    }

    @Test func `a slash in an appended segment stays in the segment`() async throws {
        let endpoint = Endpoint.get("product").appending(segment: "A/7")
        let base = "http://host/api"
        #expect(try await url(endpoint, below: base) == base + "/product/A%2F7")
        #expect(endpoint.path == "product/A/7")
    }

    @Test(
        arguments: [
            (["limit": 100, "offset": 200], "limit=100&offset=200"),
            (["z": 1, "a": 2, "m": 3], "z=1&a=2&m=3"),
            (["tag": "new", "tag": "red"], "tag=new&tag=red"),
            (["q": "a b+c&d=e/?#ä%"], "q=a%20b%2Bc%26d%3De%2F%3F%23%C3%A4%25"),
            (["a[]": 1, "ö": 2], "a%5B%5D=1&%C3%B6=2"),
            (["empty": "", "none": nil], "empty="),
            (["none": nil], ""),
            ([:], ""),
        ] as [(Endpoint.Query, String)]
    )
    func `a query keeps its order and leaves nil out`(
        query: Endpoint.Query,
        encoded: String
    ) async throws {
        let suffix = encoded.isEmpty ? "" : "?" + encoded
        #expect(
            try await url(.get("p", query: query), below: "http://host") == "http://host/p" + suffix
        )
    }

    private enum Order: String, URLQueryValue { case name, price }
    private enum Level: Int, URLQueryValue { case low = 1 }

    @Test func `values of every kind stand side by side`() {
        let limit: Int? = 7
        let after: Date? = nil
        let query: Endpoint.Query = [
            "limit": limit, "after": after, "min": 0.1, "big": UInt64.max, "ok": true,
            "order": Order.price, "level": Level.low, "price": Decimal(string: "12.50"),
            "id": UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"),
            "part": "ab".dropFirst(), "float": Float(1.5),
        ]
        #expect(
            query.items.map { "\($0.name)=\($0.value)" } == [
                "limit=7", "min=0.1", "big=18446744073709551615", "ok=true", "order=price",
                "level=1", "price=12.5", "id=E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "part=b",
                "float=1.5",
            ]
        )
    }

    @Test(arguments: [
        (0, "2001-01-01T00:00:00Z"), (731_000_000.25, "2024-03-01T15:33:20.250Z"),
        (731_000_000.999, "2024-03-01T15:33:20.999Z"), (731_000_000.9999, "2024-03-01T15:33:21Z"),
        (-0.5, "2000-12-31T23:59:59.500Z"),
    ])
    func `a date is sent in UTC`(seconds: Double, text: String) {
        #expect(Date(timeIntervalSinceReferenceDate: seconds).queryText == text)
    }

    @Test func `the query of the base URL comes first`() async throws {
        let endpoint = Endpoint.get("users", query: ["limit": 1])
        #expect(
            try await url(endpoint, below: "http://host/api?key=a%20b")
                == "http://host/api/users?key=a%20b&limit=1"
        )
    }
}
