import Dovetail
import DovetailStore
import StoreTestSupport
import Testing

/// States that stay what they are. That a read waits for no writer is in the contract of stores with
/// concurrent reads.
@Suite struct MemoryReadTests {
    private let container: ModelContainer
    private static let all = FetchDescriptor<Pet>()

    init() throws {
        container = try StoreKind.memory.container(Pet.self)
        let context = ModelContext(container)
        context.insert(contentsOf: Pet.four)
        try context.save()
    }

    @Test func `a query sees what was committed when it began`() throws {
        let context = ModelContext(container)
        try container.store.withReadConnection { connection in
            let query = Query(EntityBinding(Pet.self))
            let cursor = try connection.rows(of: query)
            try #expect(cursor.next())
            try context.delete(model: Pet.self)
            try context.save()
            var ids = [cursor.integer(0)]
            while try cursor.next() { ids.append(cursor.integer(0)) }
            #expect(ids == [1, 2, 3, 4])
            #expect(try connection.count(of: query) == 0)
        }
    }

    @Test func `a snapshot is one state throughout`() throws {
        let context = ModelContext(container)
        try container.store.withSnapshot { snapshot in
            for id in 5..<200 {
                context.insert(Pet(id, "new"))
                context.update(Pet(1, "changed \(id)"))
                try context.save()
            }
            let cursor = try snapshot.rows(of: Query(EntityBinding(Pet.self)))
            var pets: [Pet] = []
            try ModelReader.readRows(
                of: Pet.self,
                from: cursor,
                fields: EntityBinding(Pet.self).fields,
                into: &pets
            ) { try cursor.next() }
            #expect(pets == Pet.four)
        }
        #expect(try ModelContext(container).fetchCount(Self.all) == 199)
    }

    @Test func `a call on the same thread joins the transaction`() throws {
        let query = Query(EntityBinding(Pet.self))
        try container.store.withConnection { outer in
            try outer.transaction(keeping: false) {
                #expect(try outer.delete(query) == 4)
                let inner = try container.store.withConnection { try $0.count(of: query) }
                #expect(inner == 0)
                #expect(try container.store.withSnapshot { try $0.count(of: query) } == 4)
            }
            #expect(try outer.count(of: query) == 4)
        }
    }

    @Test func `a cancelled caller reads and writes no further`() throws {
        let interruption = StoreInterruption()
        let context = ModelContext(container)
        try StoreInterruption.$current.withValue(interruption) {
            try #expect(context.fetchCount(Self.all) == 4)
            context.insert(Pet(5, "Five"))
            interruption.cancel()
            for error in [
                #expect(throws: StoreError.self) { try context.fetch(Self.all) },
                #expect(throws: StoreError.self) { try context.save() },
            ] {
                #expect(error?.kind == .cancelled)
            }
        }
        #expect(try ModelContext(container).fetchCount(Self.all) == 4)
        try context.save()
        #expect(try context.fetchCount(Self.all) == 5)
    }

    @Test func `what the store cannot do has a reason`() throws {
        let capabilities = container.store.capabilities
        #expect(capabilities.contains(.concurrentReads) && capabilities.contains(.interruption))
        let error = #expect(throws: StoreError.self) {
            try container.store.backup(to: URL(fileURLWithPath: "/dev/null"))
        }
        #expect(error?.kind == .unsupported)
        #expect(error?.explanation == capabilities.reason(against: .backup))
        #expect(throws: StoreError.self) { try ModelContext(container).history(since: 0) }
    }

    @Test func `readers and writers on many threads`() async throws {
        let container = container
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<3 {
                group.addTask {
                    for step in 0..<40 {
                        try await container.perform { context in
                            // Two rows at a time: no reader ever sees one of them alone.
                            let id = 1000 + (task * 40 + step) * 2
                            context.insert(contentsOf: [Pet(id, "a"), Pet(id + 1, "b")])
                            context.upsert(Pet(1, "changed \(id)"))
                            try context.save()
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<40 {
                        let (count, names) = try await container.read { context in
                            (
                                try context.fetchCount(Self.all),
                                try context.fetch(Self.all).map(\.name)
                            )
                        }
                        #expect(names.count == count && count.isMultiple(of: 2))
                        #expect(names.first?.hasPrefix("changed") == (count > 4))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try ModelContext(container).fetchCount(Self.all) == 244)
    }
}
