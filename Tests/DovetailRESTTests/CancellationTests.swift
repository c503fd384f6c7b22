import Dovetail
import Testing

@Suite(.timeLimit(.minutes(10))) struct CancellationTests {
    @Test func `cancelling the task throws CancellationError, whatever the transport says`() async {
        let (transport, started) = FakeTransport.untilCancelled()
        let task = Task {
            try await User.fetchOne(Shop.users, using: RemoteSession(transport: transport))
        }
        await started()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a cancelled task sends nothing`() async {
        let transport = FakeTransport { _ in .init("[]") }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await User.fetchAll(Shop.users, using: RemoteSession(transport: transport))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(transport.requests.isEmpty)
    }

    @Test func `a transport's own cancellation is a failure of the connection`() async throws {
        let session = RemoteSession.failing(URLError(.cancelled))
        let error = try await remoteError { try await User.fetchOne(Shop.users, using: session) }
        #expect(error.kind == .connectionFailed)
    }
}
