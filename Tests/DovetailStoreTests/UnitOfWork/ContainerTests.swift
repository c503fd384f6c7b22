import Dovetail
import StoreTestSupport
import Synchronization
import Testing

@Suite struct ContainerTests {
    private struct Stop: Error {}
    private let all = FetchDescriptor<Pet>(sortBy: [SortDescriptor(\.id)])

    @Test func `two contexts see each other's saves and nothing else`() throws {
        let container = try ModelContainer.inMemory(Pet.self)
        let (first, second) = (ModelContext(container), ModelContext(container))
        first.insert(Pet(1, "One"))
        second.insert(Pet(2, "Two"))
        #expect(try first.fetch(all).map(\.id) == [1])
        #expect(try second.fetch(all).map(\.id) == [2])
        try first.save()
        #expect(try second.fetch(all).map(\.id) == [1, 2])
        second.rollback()
        #expect(try second.fetch(all).map(\.id) == [1])
        #expect(first.container === container)
    }

    @Test func `two containers in memory share nothing`() throws {
        let contexts = try (0..<2).map { _ in ModelContext(try .inMemory(Pet.self)) }
        contexts[0].insert(Pet(1, "One"))
        try contexts[0].save()
        #expect(try contexts[1].fetch(all).isEmpty)
    }

    @Test func `perform saves nothing by itself and hands out what it returns`() async throws {
        let container = try ModelContainer.inMemory(Pet.self)
        let forgotten = try await container.perform { context in
            context.insert(Pet(1, "One"))
            return try context.fetch(FetchDescriptor<Pet>())
        }
        #expect(forgotten == [Pet(1, "One")])
        let count = try await container.read { try $0.fetchCount(FetchDescriptor<Pet>()) }
        #expect(count == 0)
        try await container.perform { context in
            context.insert(Pet(1, "One"))
            try context.save()
        }
        let saved = try await container.read { try $0.fetch(FetchDescriptor<Pet>()) }
        #expect(saved == forgotten)
    }

    @Test func `perform throws what its closure throws`() async throws {
        let container = try ModelContainer.inMemory(Pet.self)
        await #expect(throws: Stop.self) {
            try await container.perform { context in
                context.insert(Pet(1, "One"))
                throw Stop()
            }
        }
        await #expect(throws: QueryError.self) {
            try await container.read { context in
                try context.fetch(
                    FetchDescriptor<Pet>(predicate: #Predicate { $0.name.hashValue == 1 })
                )
            }
        }
    }

    @Test func `many tasks write and read at once`() async throws {
        let folder = try TemporaryFolder()
        for container in [
            try ModelContainer.inMemory(Pet.self),
            try .file(folder.file(), Pet.self, busyTimeout: .seconds(5)),
        ] {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for task in 0..<20 {
                    group.addTask {
                        try await container.perform { context in
                            for index in 0..<10 {
                                context.insert(Pet(task * 10 + index, "\(task)"))
                            }
                            try context.save()
                            let name = "\(task)"
                            return try context.fetchCount(
                                FetchDescriptor<Pet>(predicate: #Predicate { $0.name == name })
                            )
                        }
                    }
                    group.addTask {
                        let pets = try await container.read {
                            try $0.fetch(FetchDescriptor<Pet>())
                        }
                        // A read sees all of a save or nothing of it.
                        return pets.count.isMultiple(of: 10) ? 10 : pets.count
                    }
                }
                for try await count in group { #expect(count == 10) }
            }
            let pets = try await container.read {
                try $0.fetch(FetchDescriptor<Pet>(sortBy: [SortDescriptor(\.id)]))
            }
            #expect(pets == (0..<200).map { Pet($0, "\($0 / 10)") })
        }
    }

    @Test func `contexts on threads of their own`() async throws {
        let container = try ModelContainer.inMemory(Pet.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    let context = ModelContext(container)
                    for index in 0..<25 {
                        context.upsert(Pet(task * 100 + index, "\(index)"))
                        _ = try context.fetchCount(FetchDescriptor<Pet>())
                        if index % 5 == 4 { try context.save() }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try ModelContext(container).fetchCount(all) == 200)
    }

    @Test @MainActor func `the main context is one and keeps what waits`() throws {
        let container = try ModelContainer.inMemory(Pet.self)
        container.mainContext.insert(Pet(1, "One"))
        #expect(container.mainContext === container.mainContext)
        #expect(container.mainContext.hasChanges)
        #expect(try ModelContext(container).fetch(all).isEmpty)
        try container.mainContext.save()
        #expect(try ModelContext(container).fetch(all).map(\.id) == [1])
    }
}
