import Dovetail
import Testing

@Suite struct StatusCodeTests {
    @Test(arguments: [200, 201, 206, 299])
    func `2xx is success`(status: Int) async throws {
        let session = RemoteSession.answering(#"{"id": 1, "name": "Ann"}"#, status: status)
        #expect(try await User.fetchOne(Shop.user(id: 1), using: session).name == "Ann")
        #expect(try await session.send(Shop.user(id: 1)).status == status)
    }

    /// A body that can be read does not make an error a success.
    @Test(arguments: [100, 199, 300, 304, 400, 401, 404, 418, 429, 500, 503, 599])
    func `everything else is an error, even with a body that decodes`(status: Int) async throws {
        let body = #"{"id": 1, "name": "Ann"}"#
        let session = RemoteSession.answering(body, status: status)
        let route = Shop.user(id: 1)
        let errors = [
            try await remoteError { try await User.fetch(route, using: session) },
            try await remoteError { try await User.fetchOne(route, using: session) },
            try await remoteError { try await User.fetchAll(route, using: session) },
            try await remoteError { try await session.send(route) },
        ]
        for error in errors {
            #expect(error.kind == .status(status))
            #expect(error.status == status)
            #expect(error.body == Data(body.utf8))
            #expect(error.url.absoluteString == "http://www.example.com/api/user/1")
        }
    }

    @Test func `only the first part of a long body is kept`() async throws {
        let session = RemoteSession.answering(String(repeating: "é", count: 100_000), status: 500)
        let error = try await remoteError { try await session.send(Shop.users) }
        #expect(error.body.count == RemoteError.keptBodySize)
    }

    @Test func `an answer without a body is a response`() async throws {
        let session = RemoteSession.answering("", status: 204, type: nil)
        let response = try await session.send(Shop.users)
        #expect(response.status == 204)
        #expect(response.body.isEmpty)
        #expect(response.header("Content-Type") == nil)
        #expect(response.method == "GET")
    }
}
