import Dovetail
import StoreTestSupport
import Testing

/// Reading beside a writer. That a read waits for no writer and sees one state is in the contract of
/// stores with concurrent reads.
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

    @Test func `a store in a file has concurrent reads, one in memory has not`() throws {
        #expect(container.store.capabilities.contains(.concurrentReads))
        let memory = try StoreKind.sqlite.container(Pet.self)
        #expect(!memory.store.capabilities.contains(.concurrentReads))
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
