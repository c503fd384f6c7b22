import Dovetail
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct CallbackTests {
    private final class Calls: Sendable {
        let made = Mutex<[String]>([])
        func add(_ call: String) { made.withLock { $0.append(call) } }
        var all: [String] { made.withLock { $0 } }
    }

    @Test func `success calls onSuccess once`() async {
        let calls = Calls()
        let session = RemoteSession.answering(#"{"id": 1, "name": "Ann"}"#)
        let task = User.fetch(
            Shop.user(id: 1200),
            using: session,
            onSuccess: { result in
                if case .asSelf(let user) = result { calls.add(user.name) }
            },
            onError: { error in calls.add("\(error)") }
        )
        await task.value
        #expect(calls.all == ["Ann"])
    }

    @Test func `an error calls onError once`() async {
        let calls = Calls()
        let session = RemoteSession.answering("{}", status: 404)
        let task = User.fetch(
            Shop.user(id: 150),
            using: session,
            onSuccess: { _ in calls.add("success") },
            onError: { error in calls.add("\((error as? RemoteError)?.status ?? 0)") }
        )
        await task.value
        #expect(calls.all == ["404"])
    }

    @MainActor @Test func `a callback runs on the actor it names`() async {
        var name = ""
        let session = RemoteSession.answering(#"{"id": 1, "name": "Ann"}"#)
        let task = User.fetch(
            Shop.user(id: 1),
            using: session,
            onSuccess: { @MainActor result in
                MainActor.assertIsolated()
                if case .asSelf(let user) = result { name = user.name }
            },
            onError: { @MainActor error in name = "\(error)" }
        )
        await task.value
        #expect(name == "Ann")
    }

    @Test func `cancelling the handle leads to onError`() async {
        let calls = Calls()
        let (transport, started) = FakeTransport.untilCancelled()
        let task = User.fetch(
            Shop.users,
            using: RemoteSession(transport: transport),
            onSuccess: { _ in calls.add("success") },
            onError: { error in calls.add("\(type(of: error))") }
        )
        await started()
        task.cancel()
        await task.value
        #expect(calls.all == ["CancellationError"])
    }
}
