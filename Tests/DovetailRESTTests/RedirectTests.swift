import Dovetail
import DovetailREST
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a request takes along when the backend sends it elsewhere.
@Suite(.timeLimit(.minutes(10))) struct RedirectTests {
    private static let secrets = [
        "Authorization": "Bearer 1", "Cookie": "a=b", "Proxy-Authorization": "Basic x",
    ]

    /// Where a redirect leads to.
    enum Hop: Sendable {
        case same, otherPort, otherHost
    }

    /// Two servers that lead a request over some hops, and what each request was.
    private final class Trail: Sendable {
        let bases = Mutex<(own: String, other: String)>(("", ""))
        let heads = Mutex<[String]>([])
        let hops: [Hop]

        init(_ hops: [Hop]) { self.hops = hops }

        func reply(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
            let hop = heads.withLock { heads in
                heads.append(request.head)
                return heads.count - 1
            }
            guard hop < hops.count else { return .http("{}") }
            let (own, other) = bases.withLock { $0 }
            let base =
                switch hops[hop] {
                case .same: own
                case .otherPort: other
                case .otherHost: own.replacing("127.0.0.1", with: "localhost")
                }
            let location = "Location: \(base)/\(hop + 1)"
            return .http("", status: "307 Temporary Redirect", headers: [location])
        }
    }

    /// Sends a request over the hops; gives what its last form kept of the secrets.
    private func kept(
        over hops: [Hop],
        by session: RemoteSession = RemoteSession(headers: secrets.merging(["X-App": "a"]) { $1 })
    ) async throws -> [String] {
        let trail = Trail(hops)
        try await LoopbackServer.serving {
            trail.reply($0)
        } during: { other in
            try await LoopbackServer.serving {
                trail.reply($0)
            } during: { own in
                trail.bases.withLock { $0 = (own.base, other.base) }
                let response = try await session.send(Route(.get("0")))
                #expect(response.status == 200)
            }
        }
        let heads = trail.heads.withLock { $0.map { $0.lowercased() } }
        #expect(heads.count == hops.count + 1)
        func fields(_ head: String) -> [String] {
            Self.secrets.keys.filter { head.contains("\r\n\($0.lowercased()):") }.sorted()
        }
        #expect(fields(heads[0]) == Self.secrets.keys.sorted())
        let withOwnField = heads.count { $0.contains("\r\nx-app: a") }
        #expect(withOwnField == heads.count)
        return fields(heads[hops.count])
    }

    @Test(arguments: [[Hop.same], [.same, .same]])
    func `credentials stay on the host they are for`(hops: [Hop]) async throws {
        #expect(try await kept(over: hops) == Self.secrets.keys.sorted())
    }

    @Test(arguments: [
        [Hop.otherPort], [.otherHost], [.same, .otherPort], [.otherPort, .otherPort],
        [.otherHost, .otherHost], [.otherPort, .same],
    ])
    func `credentials do not follow to another host or port`(hops: [Hop]) async throws {
        #expect(try await kept(over: hops) == [])
    }

    @Test(arguments: [([Hop.same], 3), ([.otherPort], 0), ([.otherHost, .same], 0)])
    func `credentials of the configuration do not follow either`(
        hops: [Hop],
        count: Int
    )
        async throws
    {
        let configuration = URLSessionTransport.plainConfiguration
        configuration.httpAdditionalHeaders = Self.secrets.merging(["X-App": "a"]) { $1 }
        let transport = URLSessionTransport(configuration: configuration)
        #expect(try await kept(over: hops, by: RemoteSession(transport: transport)).count == count)
        #expect(configuration.httpAdditionalHeaders?.count == 4)
    }

    @Test(arguments: [
        ("https://host/a", "https://HOST:443/b", true), ("http://host:80", "http://host/b", true),
        ("http://host/a", "https://host/a", true), ("https://host/a", "http://host/a", false),
        ("https://host:8443/a", "http://host:8443/a", false),
        ("http://host:8080/a", "https://host:8080/a", false),
        ("http://host/a", "https://host:8443/a", false), ("https://a.host", "https://host", false),
        ("https://host", "https://a.host", false), ("https://host", "https://host.org", false),
        ("https://host/a", "https://host:444/a", false), ("https://host/a", "ftp://host/a", false),
        ("https://host/a", "https://user@other/a", false), ("https://host/a", "file:///a", false),
    ])
    func `credentials follow to the same origin and to its https`(
        from: String,
        to: String,
        isKept: Bool
    ) throws {
        var request = URLRequest(url: try #require(URL(string: to)))
        request.allHTTPHeaderFields = ["AUTHORIZATION": "Bearer 1", "cookie": "a=b", "X-App": "a"]
        let sent = request.redirected(from: URL(string: from))
        #expect(sent.url == request.url)
        let fields = Set((sent.allHTTPHeaderFields ?? [:]).keys.map { $0.lowercased() })
        #expect(fields == (isKept ? ["authorization", "cookie", "x-app"] : ["x-app"]))
    }

    /// Whoever keeps the method keeps the content (RFC 9110, 15.4).
    @Test(
        arguments: ["307 Temporary Redirect", "308 Permanent Redirect"],
        ["POST", "PUT", "PATCH"]
    )
    func `the content follows a redirect`(status: String, method: String) async throws {
        let body = Data(#"{"id":1}"#.utf8)
        let endpoint =
            switch method {
            case "POST": Endpoint.post("0", body: body)
            case "PUT": Endpoint.put("0", body: body)
            default: Endpoint.patch("0", body: body)
            }
        let requests = Mutex<[LoopbackServer.Request]>([])
        try await LoopbackServer.serving { request in
            let count = requests.withLock { requests in
                requests.append(request)
                return requests.count
            }
            if count > 2 { return .http("{}") }
            return .http("", status: status, headers: ["Location: /api/\(count)"])
        } during: { _ in
            _ = try await RemoteSession().send(Route(endpoint))
        }
        let received = requests.withLock { $0 }
        #expect(received.count == 3)
        for request in received {
            #expect(request.body == body && request.line.hasPrefix(method))
        }
    }
}
