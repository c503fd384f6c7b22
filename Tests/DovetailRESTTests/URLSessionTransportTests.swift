import Dovetail
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The default transport against a real server.
@Suite(.timeLimit(.minutes(10))) struct URLSessionTransportTests {
    private let session = RemoteSession()
    private let ann = #"{"id": 1, "name": "Ann"}"#

    @Test func `200 is decoded`() async throws {
        try await LoopbackServer.serving { [ann] _ in
            .http(ann)
        } during: { server in
            let route = Route(.get("user/ä b", query: ["q": "1+1"]))
            #expect(try await User.fetchOne(route) == User(id: 1, name: "Ann"))
            let request = try await #require(server.requests.first { _ in true })
            #expect(request.line == "GET /api/user/%C3%A4%20b?q=1%2B1 HTTP/1.1")
            #expect(request.head.contains("Accept: application/json"))
        }
    }

    @Test func `a long body arrives whole`() async throws {
        let users = (0..<20_000).map { #"{"id": \#($0), "name": "user \#($0)"}"# }
        let body = "[" + users.joined(separator: ",") + "]"
        try await LoopbackServer.serving { _ in
            .http(body)
        } during: { _ in
            let fetched = try await User.fetchAll(Route(.get("users")), using: session)
            #expect(fetched.count == 20_000)
            #expect(fetched.last == User(id: 19_999, name: "user 19999"))
        }
    }

    @Test func `a request's body and header fields arrive`() async throws {
        let endpoint = Endpoint.post("users", body: Data(ann.utf8), headers: ["X-App": "shop"])
        let reply = LoopbackServer.Reply.http("", status: "204 No Content")
        try await LoopbackServer.serving { _ in
            reply
        } during: { server in
            #expect(try await session.send(Route(endpoint)).status == 204)
            let request = try await #require(server.requests.first { _ in true })
            #expect(request.line == "POST /api/users HTTP/1.1")
            #expect(request.body == Data(ann.utf8))
            #expect(request.head.contains("Content-Type: application/json"))
            #expect(request.head.contains("X-App: shop"))
        }
    }

    @Test(arguments: [
        ("404 Not Found", []), ("500 Internal Server Error", []), ("304 Not Modified", []),
        ("401 Unauthorized", []), ("401 Unauthorized", ["WWW-Authenticate: Bearer"]),
        ("401 Unauthorized", [#"WWW-Authenticate: Basic realm="shop""#]),
        ("302 Found", []), ("999 Odd", []),
    ])
    func `a status code outside 2xx is an error`(status: String, headers: [String]) async throws {
        let code = try #require(Int(status.prefix(3)))
        let body = code == 304 ? "" : ann
        let error = try await failure(.http(body, status: status, headers: headers))
        #expect(error.kind == .status(code))
        // Foundation does not hand over the body of a redirect that leads nowhere.
        #expect(error.body == Data((code == 302 ? "" : body).utf8))
    }

    @Test func `HTML is not JSON`() async throws {
        let error = try await failure(.http("<html></html>", type: "text/html"))
        #expect(error.kind == .undecodable)
        #expect(error.description.contains("expected JSON, got text/html: "))
    }

    @Test(arguments: [
        LoopbackServer.Reply.http(#"{"id": 1, "name": "Ann"}"#, length: 1_000),
        .bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n18\r\n{\"id\": 1"),
        .bytes(""), .bytes("this is not HTTP\r\n\r\n"),
    ])
    func `a truncated answer is a failed connection`(reply: LoopbackServer.Reply) async throws {
        let error = try await failure(reply)
        #expect(error.kind == .connectionFailed)
        #expect(error.underlying is URLError)
        #expect(!error.explanation.isEmpty)
    }

    @Test func `a refused connection is a failed connection`() async throws {
        let (socket, port) = try LoopbackServer.bound()  // held, so that nobody else listens there
        defer { close(socket) }
        let error = try await below("http://127.0.0.1:\(port)") {
            try await remoteError { try await session.send(Route(.get("x"))) }
        }
        #expect(error.kind == .connectionFailed)
        #expect(error.description.hasPrefix("GET http://127.0.0.1:\(port)/x: connection failed: "))
    }

    @Test func `silence is a timeout`() async throws {
        var session = session
        session.timeout = .milliseconds(200)
        #expect(try await failure(.silence, using: session).kind == .timedOut)
    }

    @Test func `cancelling the task closes the connection`() async throws {
        try await LoopbackServer.serving { _ in
            .silence
        } during: { server in
            let task = Task { [session] in try await session.send(Route(.get("x"))) }
            _ = await server.requests.first { _ in true }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let hungUp: Void? = await server.hangUps.first { _ in true }
            #expect(hungUp != nil)
        }
    }

    @Test(arguments: [
        (1_000, RemoteError.Kind.tooLarge(limit: 1_000)), (999_999, .tooLarge(limit: 999_999)),
        (1_000_000, .undecodable),
    ])
    func `a body above the limit is given up`(limit: Int, kind: RemoteError.Kind) async throws {
        var session = session
        session.maximumResponseSize = limit
        let body = String(repeating: " ", count: 1_000_000)
        #expect(try await failure(.http(body), using: session).kind == kind)
    }

    @Test func `a redirect is followed`() async throws {
        try await LoopbackServer.serving { [ann] request in
            request.line.contains("/old")
                ? .http("moved", status: "302 Found", headers: ["Location: /api/new"]) : .http(ann)
        } during: { server in
            let response = try await session.send(Route(.get("old")))
            #expect(response.url.absoluteString == server.base + "/new")
            #expect(response.body == Data(ann.utf8))
        }
    }

    @Test func `nothing is remembered between requests`() async throws {
        let headers = ["Set-Cookie: a=b; Path=/", "Cache-Control: max-age=3600"]
        try await LoopbackServer.serving { _ in
            .http("{}", headers: headers)
        } during: { server in
            var requests = server.requests.makeAsyncIterator()
            for _ in 1...2 {
                _ = try await session.send(Route(.get("x")))
                let request = try #require(await requests.next())
                #expect(!request.head.contains("Cookie"))
            }
        }
    }

    private func failure(
        _ reply: LoopbackServer.Reply,
        using session: RemoteSession = RemoteSession()
    ) async throws -> RemoteError {
        try await LoopbackServer.serving { _ in
            reply
        } during: { _ in
            try await remoteError { try await User.fetchOne(Route(.get("x")), using: session) }
        }
    }
}
