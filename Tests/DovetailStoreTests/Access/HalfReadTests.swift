import Dovetail
import Foundation
import StoreTestSupport
import Synchronization
import Testing

@Model private final class HalfCrate {
    @Attribute(.primaryKey) var id: Int
    var parts: [HalfCratePart] = []

    init(_ id: Int) { self.id = id }
}

@Model private final class HalfCratePart {
    var weight: Int
    var crate: HalfCrate?

    init(_ weight: Int) { self.weight = weight }
}

/// A relationship that could not be read is empty, and what is made of it is no result.
@Suite struct HalfReadTests {
    private struct NotFound: Error {}
    private static let count = 5000

    /// What several threads share.
    private final class Shared<Value: Sendable>: Sendable {
        let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }
    }

    private let folder: TemporaryFolder
    private let container: ModelContainer

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer.file(folder.file(), HalfCrate.self)
        let context = ModelContext(container)
        let crate = HalfCrate(1)
        context.insert(crate)
        // Enough for SQLite to look at the clock while it reads them.
        crate.parts = (0..<Self.count).map { _ in HalfCratePart(1) }
        try context.save()
    }

    private func expectDeadline(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        let error = await #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
            try await body()
        }
        #expect(error?.kind == .deadlineExceeded, sourceLocation: sourceLocation)
    }

    private static func weigh(_ context: ModelContext) throws -> Int {
        let crates = try context.fetch(FetchDescriptor<HalfCrate>())
        Thread.sleep(forTimeInterval: 0.15)
        return crates.reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.weight } }
    }

    private static func require(_ context: ModelContext) throws -> Int {
        guard try weigh(context) == count else { throw NotFound() }
        return count
    }

    private var soon: ContinuousClock.Instant { .now + .milliseconds(100) }

    @Test func `a deadline in the middle is an error of the call`() async throws {
        await expectDeadline { _ = try await container.read(deadline: soon) { try Self.weigh($0) } }
        await expectDeadline {
            _ = try await container.perform(deadline: soon) { try Self.weigh($0) }
        }
        await expectDeadline {
            _ = try await container.transaction(deadline: soon) { try Self.weigh($0) }
        }
        #expect(try await container.read { try Self.weigh($0) } == Self.count)
        #expect(try await container.perform { try Self.weigh($0) } == Self.count)
    }

    @Test func `what was concluded from it is not thrown instead`() async throws {
        await expectDeadline {
            _ = try await container.read(deadline: soon) { try Self.require($0) }
        }
        await expectDeadline {
            _ = try await container.perform(deadline: soon) { try Self.require($0) }
        }
        await expectDeadline {
            _ = try await container.transaction(deadline: soon) { try Self.require($0) }
        }
        await #expect(throws: NotFound.self) {
            try await container.read { (_) -> Int in throw NotFound() }
        }
        #expect(try await container.transaction { try Self.require($0) } == Self.count)
    }

    @Test func `a task that is cancelled gets no half of the rows`() async throws {
        let begun = AsyncStream.makeStream(of: Void.self)
        let isCancelled = Shared(false)
        func read() async throws -> Int {
            try await container.read { context in
                let crates = try context.fetch(FetchDescriptor<HalfCrate>())
                begun.continuation.finish()
                while !isCancelled.value.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.002) }
                return crates[0].parts.count
            }
        }
        let task = Task { try await read() }
        for await _ in begun.stream {}
        task.cancel()
        isCancelled.value.withLock { $0 = true }
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
    }

    /// Reads that wait for what a task does: they hold none of the threads that it needs.
    @Test func `reads do not hold the threads of tasks`() async throws {
        let isOpen = Shared(false)
        let counts = Shared<[Int]>([])
        try await withThrowingTaskGroup { group in
            for _ in 0..<40 {
                group.addTask { [container] in
                    let count = try await container.read { context in
                        while !isOpen.value.withLock({ $0 }) {
                            Thread.sleep(forTimeInterval: 0.002)
                        }
                        return try context.fetchCount(FetchDescriptor<HalfCratePart>())
                    }
                    counts.value.withLock { $0.append(count) }
                }
            }
            group.addTask {
                // Long enough for the reads to take all threads that they can get.
                try await Task.sleep(for: .milliseconds(50))
                isOpen.value.withLock { $0 = true }
            }
            try await group.waitForAll()
        }
        #expect(counts.value.withLock { $0 } == Array(repeating: Self.count, count: 40))
    }

    @Test func `calls of perform run one at a time`() async throws {
        let numbers = Shared<[Int]>([])
        let running = Shared(0)
        try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask { [container] in
                    try await container.perform { _ in
                        let count = running.value.withLock { count in
                            count += 1
                            return count
                        }
                        #expect(count == 1)
                        numbers.value.withLock { $0.append(number) }
                        running.value.withLock { $0 -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(numbers.value.withLock { $0.sorted() } == Array(0..<200))
    }
}
