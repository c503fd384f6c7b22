import Dovetail
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A backend inside the test: a function from request to answer, which remembers what it was asked.
final class FakeTransport: RemoteTransport {
    struct Answer: Sendable {
        var status = 200
        var headers = ["Content-Type": "application/json"]
        var body: Data

        init(
            _ text: String,
            status: Int = 200,
            type: String? = "application/json",
            fields: [String: String] = [:]
        ) {
            self.body = Data(text.utf8)
            self.status = status
            self.headers = fields
            headers["Content-Type"] = type
        }
    }

    private let answer: @Sendable (URLRequest) async throws -> Answer
    private let received = Mutex<[URLRequest]>([])

    init(_ answer: @escaping @Sendable (URLRequest) async throws -> Answer) {
        self.answer = answer
    }

    var requests: [URLRequest] { received.withLock { $0 } }
    var urls: [String] { requests.map { $0.url?.absoluteString ?? "" } }

    func send(
        _ request: URLRequest,
        upTo maximumBytes: Int
    ) async throws -> (Data, HTTPURLResponse) {
        received.withLock { $0.append(request) }
        let answer = try await self.answer(request)
        let response = HTTPURLResponse(
            url: try #require(request.url),
            statusCode: answer.status,
            httpVersion: "HTTP/1.1",
            headerFields: answer.headers
        )
        return (answer.body, try #require(response))
    }
}

extension RemoteSession {
    /// A session whose backend gives the same answer to every request.
    static func answering(
        _ text: String,
        status: Int = 200,
        type: String? = "application/json",
        fields: [String: String] = [:]
    ) -> RemoteSession {
        RemoteSession(
            transport: FakeTransport { _ in
                .init(text, status: status, type: type, fields: fields)
            }
        )
    }

    /// A session whose requests all fail with an error.
    static func failing(_ error: any Error) -> RemoteSession {
        RemoteSession(transport: FakeTransport { _ in throw error })
    }
}

/// The `RemoteError` that a piece of work ends in.
func remoteError(_ work: () async throws -> some Any) async throws -> RemoteError {
    try await #require(throws: RemoteError.self) { _ = try await work() }
}

extension FakeTransport {
    /// A backend that never answers, and a function that returns once it has been asked.
    static func untilCancelled() -> (FakeTransport, started: () async -> Void) {
        let (asked, tell) = AsyncStream<Void>.makeStream()
        let transport = FakeTransport { _ in
            tell.finish()
            let (never, open) = AsyncStream<Void>.makeStream()
            for await _ in never {}  // ends when the task is cancelled
            withExtendedLifetime(open) {}
            throw URLError(.cancelled)
        }
        return (transport, { for await _ in asked {} })
    }
}
