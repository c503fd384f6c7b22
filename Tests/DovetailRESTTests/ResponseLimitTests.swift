import Dovetail
import Testing

@Suite struct ResponseLimitTests {
    private let body = #"{"id": 1, "name": "Ann"}"#

    @Test(arguments: [0, 1, 23])
    func `a larger body is an error, also when the transport does not look`(limit: Int) async throws
    {
        var session = RemoteSession.answering(body)
        session.maximumResponseSize = limit
        let error = try await remoteError { [session] in
            try await User.fetchOne(Shop.users, using: session)
        }
        #expect(error.kind == .tooLarge(limit: limit))
    }

    @Test func `a body of exactly the limit is taken`() async throws {
        var session = RemoteSession.answering(body)
        session.maximumResponseSize = body.utf8.count
        #expect(try await User.fetchOne(Shop.users, using: session).id == 1)
    }
}
