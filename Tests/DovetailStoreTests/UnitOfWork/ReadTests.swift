import Dispatch
import Dovetail
import StoreTestSupport
import Testing

/// Reading beside a writer, and one state of the store for all that is read.
@Suite struct ReadTests {
    private let folder: TemporaryFolder
    private let container: ModelContainer
    private static let all = FetchDescriptor<Pet>(sortBy: [SortDescriptor(\.id)])

    init() throws {
        folder = try TemporaryFolder()
        container = try .file(folder.file(), Pet.self)
        let context = ModelContext(container)
        context.insert(contentsOf: Pet.four)
        try context.save()
    }

    @Test func `a read does not wait for a writer`() async throws {
        let isWriting = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let container = container
        async let written: Void = container.perform { context in
            try context.transaction {
                context.insert(Pet(5, "Five"))
                try context.save()
                isWriting.signal()
                // Ends when the reads have ended, so this hangs if they wait.
                mayEnd.wait()
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                isWriting.wait()
                continuation.resume()
            }
        }
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 {
                group.addTask { try await container.read { try $0.fetchCount(Self.all) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 4, count: 6))
        mayEnd.signal()
        try await written
        #expect(try await container.read { try $0.fetchCount(Self.all) } == 5)
    }

    @Test func `all that is read is of one state`() async throws {
        let container = container
        let counts = try await container.read { context in
            let before = try context.fetchCount(Self.all)
            let other = ModelContext(container)
            other.insert(Pet(5, "Five"))
            try other.save()
            let after = try context.fetch(Self.all).count
            return try [before, after, other.fetchCount(Self.all)]
        }
        #expect(counts == [4, 4, 5])
    }

    @Test func `a context that reads sees what it inserts, and saves nothing`() async throws {
        let error = await #expect(throws: StoreError.self) {
            try await container.read { context in
                context.insert(Pet(5, "Five"))
                #expect((try? context.fetchCount(Self.all)) == 5)
                try context.save()
            }
        }
        #expect(error?.kind == .writeInsideRead)
        await #expect(throws: StoreError.self) {
            try await container.read { try $0.transaction {} }
        }
        #expect(try ModelContext(container).fetch(Self.all) == Pet.four)
    }

    @Test func `a transaction reads its own writes and others do not`() throws {
        let context = ModelContext(container)
        let other = ModelContext(container)
        try context.transaction {
            context.delete(Pet.four[0])
            try context.save()
            try #expect(context.fetchCount(Self.all) == 3)
            try #expect(other.fetchCount(Self.all) == 4)
        }
        #expect(try other.fetchCount(Self.all) == 3)
    }

    @Test func `reading and writing at once`() async throws {
        let container = container
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for step in 0..<25 {
                        try await container.perform { context in
                            // Two rows at a time: no reader ever sees one of them alone.
                            let id = 1000 + (task * 25 + step) * 2
                            context.insert(contentsOf: [Pet(id, "a"), Pet(id + 1, "b")])
                            try context.save()
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<25 {
                        let counts = try await container.read { context in
                            try [context.fetchCount(Self.all), context.fetch(Self.all).count]
                        }
                        #expect(counts[0] == counts[1])
                        #expect(counts[0].isMultiple(of: 2))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try ModelContext(container).fetchCount(Self.all) == 204)
    }

    @Test func `in memory a read is a turn of its own`() async throws {
        let memory = try ModelContainer.inMemory(Pet.self)
        try await memory.perform { context in
            context.insert(contentsOf: Pet.four)
            try context.save()
        }
        #expect(try await memory.read { try $0.fetch(Self.all).count } == 4)
    }
}
