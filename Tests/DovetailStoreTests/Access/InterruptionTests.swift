import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Suite struct InterruptionTests {
    private let folder: TemporaryFolder
    private let container: ModelContainer
    private let all = FetchDescriptor<Pet>()

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer.file(folder.file(), Pet.self, busyTimeout: .seconds(20))
        let context = ModelContext(container)
        context.insert(contentsOf: (0..<5000).map { Pet($0, "x") })
        try context.save()
    }

    private func expect(
        _ kind: StoreError.Kind,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        let error = await #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
            try await body()
        }
        #expect(error?.kind == kind, sourceLocation: sourceLocation)
    }

    @Test func `a query ends when its deadline is over`() async throws {
        let all = all
        for isRead in [true, false] {
            await expect(.deadlineExceeded) {
                let deadline = ContinuousClock.now + .milliseconds(20)
                let fetch = { @Sendable (context: ModelContext) throws -> Int in
                    Thread.sleep(forTimeInterval: 0.03)
                    return try context.fetch(all).count
                }
                if isRead {
                    _ = try await container.read(deadline: deadline) { try fetch($0) }
                } else {
                    _ = try await container.perform(deadline: deadline) { try fetch($0) }
                }
            }
        }
        let deadline = ContinuousClock.now + .seconds(600)
        #expect(try await container.read(deadline: deadline) { try $0.fetch(all).count } == 5000)
    }

    @Test func `a snapshot is read no longer than the configuration says`() async throws {
        var configuration = ModelConfiguration(url: folder.file("snapshot.sqlite"))
        configuration.longestSnapshot = .milliseconds(1)
        let container = try ModelContainer(for: Pet.self, configurations: configuration)
        let context = ModelContext(container)
        context.insert(contentsOf: (0..<5000).map { Pet($0, "y") })
        try context.save()
        let all = all
        await expect(.deadlineExceeded) {
            try await container.read { context in
                // Each fetch takes more than a thousand steps.
                while true { _ = try context.fetch(all) }
            }
        }
        #expect(try await container.perform { try $0.fetchCount(all) } == 5000)
    }

    @Test func `a query ends on a connection that served who has no deadline`() async throws {
        let all = all
        for _ in 0..<3 {
            #expect(try ModelContext(container).fetch(all).count == 5000)
            await expect(.deadlineExceeded) {
                try await container.read(deadline: .now + .milliseconds(5)) { context in
                    while true { _ = try context.fetch(all) }
                }
            }
            await expect(.deadlineExceeded) {
                try await container.perform(deadline: .now + .milliseconds(5)) { context in
                    try context.transaction { while true { _ = try context.fetch(all) } }
                }
            }
        }
    }

    @Test func `a deadline that is over is found before anything is done`() async throws {
        let called = Gate()
        await expect(.deadlineExceeded) {
            try await container.perform(deadline: .now - .seconds(1)) { _ in called.open() }
        }
        #expect(!called.isOpen)
    }

    @Test func `a save that is cancelled stores nothing, and the next call works`() async throws {
        let started = Gate()
        let cancelled = Gate()
        let container = container
        let task = Task {
            try await container.perform { context in
                try context.transaction {
                    context.insert(contentsOf: (5000..<9000).map { Pet($0, "y") })
                    try context.save()
                    started.open()
                    cancelled.wait()
                    context.insert(contentsOf: (9000..<12_000).map { Pet($0, "z") })
                }
            }
        }
        try await started.wait()
        task.cancel()
        cancelled.open()
        await expect(.cancelled) { try await task.value }
        let all = all
        #expect(try await container.perform { try $0.fetchCount(all) } == 5000)
        try await container.perform { context in
            context.insert(Pet(-1, "next"))
            try context.save()
        }
        #expect(try await container.read { try $0.fetchCount(all) } == 5001)
    }

    /// Few statements, which are over before SQLite looks at the clock.
    @Test(arguments: StoreKind.allCases)
    func `a transaction that ends too late stores nothing`(_ kind: StoreKind) async throws {
        let container = try kind.container(Pet.self)
        for reads in [false, true] {
            await expect(.deadlineExceeded) {
                try await container.transaction(deadline: .now + .milliseconds(20)) { context in
                    context.insert(Pet(1, "a"))
                    try context.save()
                    Thread.sleep(forTimeInterval: 0.05)
                    if reads { _ = try context.fetchCount(FetchDescriptor<Pet>()) }
                    context.insert(Pet(2, "b"))
                }
            }
            #expect(try await container.perform { try $0.fetchCount(FetchDescriptor<Pet>()) } == 0)
        }
        let (started, cancelled) = (Gate(), Gate())
        let task = Task {
            try await container.transaction { context in
                context.insert(Pet(1, "a"))
                try context.save()
                started.open()
                cancelled.wait()
                context.insert(Pet(2, "b"))
            }
        }
        try await started.wait()
        task.cancel()
        cancelled.open()
        await expect(.cancelled) { try await task.value }
        #expect(try await container.perform { try $0.fetchCount(FetchDescriptor<Pet>()) } == 0)
    }

    @Test func `a cancelled call does not touch the one after it`() async throws {
        let all = all
        for _ in 0..<20 {
            let task = Task { [container] in try await container.read { try $0.fetch(all).count } }
            task.cancel()
            #expect(try await container.read { try $0.fetch(all).count } == 5000)
            _ = await task.result
        }
    }

    @Test func `a task that a call leaves behind has no deadline`() async throws {
        let over = Gate()
        let (all, container) = (all, container)
        let left = try await container.perform(deadline: .now + .seconds(600)) { _ in
            // The task inherits what interrupts the call.
            Task {
                try await over.wait()
                return (StoreInterruption.current, try ModelContext(container).fetch(all).count)
            }
        }
        over.open()
        let (interruption, count) = try await left.value
        interruption?.cancel()
        #expect(interruption != nil)
        #expect(interruption?.reason == nil)
        #expect(count == 5000)
        let ended = StoreInterruption(deadline: .now - .seconds(1))
        #expect(ended.reason == .deadlineExceeded)
        ended.end()
        #expect(ended.reason == nil)
    }

    @Test(.enabled(if: FileLock.isAvailable, "no python3 with sqlite3"))
    func `waiting for another process ends with the deadline`() async throws {
        let lock = try FileLock(folder.file())
        await expect(.deadlineExceeded) {
            try await container.perform(deadline: .now + .milliseconds(50)) { context in
                context.insert(Pet(-1, "late"))
                try context.save()
            }
        }
        lock.release()
    }
}
