import Dovetail
import Testing

@Suite struct RemoteErrorTests {
    private let route = Route(.get("users", query: ["token": "secret"]))

    private func error(
        _ session: RemoteSession,
        below base: String = "http://ann:pass@host/api"
    ) async throws -> RemoteError {
        try await below(base) {
            try await remoteError { try await User.fetchOne(route, using: session) }
        }
    }

    @Test func `the description is one line without secrets`() async throws {
        let sessions: [(RemoteSession, String)] = [
            (.answering("secret body", status: 503), "status 503"),
            (.failing(URLError(.timedOut)), "timed out: nothing received for 30.0 seconds"),
            (.answering("{}"), "undecodable body: "),
            (
                .answering("<html>", type: "text/html; charset=utf-8"),
                "expected JSON, got text/html; charset=utf-8: "
            ),
            (.answering("{}", type: "application/problem+json; a=b"), "undecodable body: "),
            (.answering("{}", type: nil), "undecodable body: "),
        ]
        for (session, event) in sessions {
            let error = try await error(session)
            #expect(error.description.hasPrefix("GET http://host/api/users?…: \(event)"))
            #expect(!error.description.contains("\n"))
            #expect(!error.description.contains("secret"))
            #expect(!error.description.contains("pass"))
            #expect(error.localizedDescription == error.description)
        }
    }

    @Test func `HTML instead of JSON says so, with the position`() async throws {
        let error = try await error(.answering("<html></html>", type: "text/html"))
        let position = try #require(error.underlying as? ModelDecodingError)
        #expect(error.contentType == "text/html")
        #expect(
            error.description
                == "GET http://host/api/users?…: expected JSON, got text/html: \(position)"
        )
    }

    @Test func `the debug description shows the body, bounded and on one line`() async throws {
        let body = "line\n" + String(repeating: "x", count: 10_000)
        let text = try await error(.answering(body, status: 500, type: "text/plain"))
            .debugDescription
        #expect(text.contains("http://ann:pass@host/api/users?token=secret"))
        #expect(text.contains("content type: text/plain"))
        #expect(text.contains(#"body: "line\nxxx"#))
        #expect(text.count < 400)
    }

    @Test func `the header of an answer that is an error can be asked`() async throws {
        let error = try await error(.answering("busy", status: 429, fields: ["Retry-After": "17"]))
        #expect(error.header("retry-after") == "17" && error.header("Retry-After") == "17")
        #expect(error.header("ETag") == nil)
        #expect(try await self.error(.failing(URLError(.timedOut))).header("Retry-After") == nil)
    }

    private struct Unplugged: Error, CustomStringConvertible { let description = "no cable" }

    @Test func `a transport's error is kept`() async throws {
        let error = try await error(.failing(Unplugged()))
        #expect(error.kind == .connectionFailed)
        #expect(error.underlying is Unplugged)
        #expect(error.status == nil)
        #expect(error.body.isEmpty)
    }

    @Test func `a transport may throw a RemoteError itself`() async throws {
        let url = try #require(URL(string: "http://host"))
        let thrown = RemoteError(.notHTTP, method: "GET", url: url)
        let error = try await error(.failing(thrown))
        #expect(error.kind == .notHTTP)
        #expect(error.description == "GET http://host: the answer is not HTTP")
    }
}
