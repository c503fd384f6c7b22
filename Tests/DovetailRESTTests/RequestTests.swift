import Dovetail
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct RequestTests {
    private let body = Data("{}".utf8)

    @Test func `each maker has its method, body and content type`() throws {
        let made: [(Endpoint, String, Bool)] = [
            (.get("x"), "GET", false), (.delete("x"), "DELETE", false),
            (.post("x", body: body), "POST", true), (.put("x", body: body), "PUT", true),
            (.patch("x", body: body), "PATCH", true), (.post("x"), "POST", false),
            (Endpoint(.head, "x"), "HEAD", false),
            (Endpoint(.init(rawValue: "REPORT"), "x"), "REPORT", false),
        ]
        for (endpoint, method, hasBody) in made {
            let request = try Route(endpoint).urlRequest()
            #expect(request.httpMethod == method)
            #expect(request.httpBody == (hasBody ? body : nil))
            #expect(
                request.value(forHTTPHeaderField: "Content-Type")
                    == (hasBody ? "application/json" : nil)
            )
            #expect(request.value(forHTTPHeaderField: "Accept") == "application/json")
        }
    }

    @Test func `the endpoint's header fields win, in any case`() throws {
        let headers = ["content-TYPE": "text/csv", "A": "2"]
        let endpoint = Endpoint.post("x", body: body, headers: headers)
        let request = try Route(endpoint).urlRequest(headers: ["a": "1", "B": "3", "accept": "*/*"])
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "text/csv")
        #expect(request.value(forHTTPHeaderField: "A") == "2")
        #expect(request.value(forHTTPHeaderField: "b") == "3")
        #expect(request.value(forHTTPHeaderField: "Accept") == "*/*")
        #expect(request.allHTTPHeaderFields?.count == 4)
    }

    @Test(
        arguments: [
            (.get("a/../b"), "path segment"), (.get("."), "path segment"),
            (Endpoint.get("a").appending(segment: ".."), "path segment"),
            (.init(.get, "a", body: Data()), "has a body"),
            (.init(.init(rawValue: "GE T"), "a"), "method"),
            (.init(.init(rawValue: ""), "a"), "method"),
            (.get("a", headers: ["X": "1\r\nY: 2"]), "header field X"),
            (.get("a", headers: ["X\n": "1"]), "name"), (.get("a", headers: ["": "1"]), "name"),
        ] as [(Endpoint, String)]
    )
    func `what cannot be sent as it is meant is refused`(endpoint: Endpoint, reason: String) throws
    {
        let error = try #require(throws: RemoteError.self) { try Route(endpoint).urlRequest() }
        #expect(error.kind == .invalidRequest)
        #expect(error.explanation.contains(reason))
        #expect(error.description.contains("http://host/api"))
    }

    @Test(arguments: ["ftp://host/x", "file:///etc/passwd", "/api", "http:///api", "http:api"])
    func `a base URL is http with a host`(base: String) async throws {
        try await below(base) {
            let error = try await remoteError { try await User.fetchOne(Route(.get("x"))) }
            #expect(error.kind == .invalidRequest)
        }
    }

    @Test func `the session's header fields and time limit reach the transport`() async throws {
        let transport = FakeTransport { _ in .init("{}") }
        var session = RemoteSession(transport: transport, headers: ["X-App": "shop"])
        session.timeout = .milliseconds(1500)
        _ = try await session.send(Shop.users)
        session.timeout = .seconds(Int64.max)
        _ = try await session.send(Shop.users)
        let requests = transport.requests
        #expect(requests[0].value(forHTTPHeaderField: "x-app") == "shop")
        #expect(requests[0].timeoutInterval == 1.5)
        #expect(requests[1].timeoutInterval == 365 * 86_400)
    }

    private struct Unencodable: Error {}
    private struct Failing: Router {
        static let baseURL = constantURL("http://host")
        var endpoint: Endpoint { get throws { throw Unencodable() } }
    }

    @Test func `what a route throws reaches the caller, and nothing is sent`() async {
        let transport = FakeTransport { _ in .init("{}") }
        await #expect(throws: Unencodable.self) {
            try await User.fetchOne(Failing(), using: RemoteSession(transport: transport))
        }
        #expect(transport.requests.isEmpty)
    }
}
