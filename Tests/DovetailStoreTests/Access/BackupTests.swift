import Dovetail
import StoreTestSupport
import Testing

@Suite struct BackupTests {
    private let folder: TemporaryFolder
    private let copy: URL

    init() throws {
        folder = try TemporaryFolder()
        copy = folder.file("copy.sqlite")
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test(arguments: [true, false])
    func `a backup holds what was saved, and nothing that came later`(inMemory: Bool) throws {
        let container =
            try inMemory
            ? StoreKind.sqlite.container(Pet.self) : ModelContainer.file(folder.file(), Pet.self)
        let context = ModelContext(container)
        context.insert(contentsOf: Pet.four)
        try context.save()
        context.insert(Pet(99, "waits"))
        try container.store.backup(to: copy)
        try context.save()
        #expect(try names().contains("copy.sqlite"))
        #expect(try !names().contains { $0.contains("part") })
        let restored = ModelContext(try .file(copy, Pet.self))
        let sorted = FetchDescriptor<Pet>(sortBy: [SortDescriptor(\.id)])
        #expect(try restored.fetch(sorted) == Pet.four.sorted { $0.id < $1.id })
    }

    @Test func `a backup while another thread writes is one state`() async throws {
        let container = try ModelContainer.file(folder.file(), Pet.self, busyTimeout: .seconds(20))
        let writer = Task {
            for round in 0..<100 {
                try await container.perform { context in
                    try context.delete(model: Pet.self)
                    context.insert(contentsOf: (0..<50).map { Pet($0, "\(round)") })
                    try context.save()
                }
            }
        }
        for number in 0..<5 {
            let copy = folder.file("copy\(number).sqlite")
            try container.store.backup(to: copy)
            let context = ModelContext(try .file(copy, Pet.self))
            let pets = try context.fetch(FetchDescriptor<Pet>())
            #expect([0, 50].contains(pets.count))
            #expect(Set(pets.map(\.name)).count <= 1)
        }
        try await writer.value
    }

    @Test func `inside of a transaction a database in memory has no backup, a file has`() throws {
        let memory = ModelContext(try StoreKind.sqlite.container(Pet.self))
        let error = #expect(throws: StoreError.self) {
            try memory.transaction {
                memory.insert(contentsOf: Pet.four)
                try memory.save()
                try memory.container.store.backup(to: copy)
            }
        }
        #expect(error?.kind == .unsupported)
        #expect(try memory.fetchCount(FetchDescriptor<Pet>()) == 0)
        #expect(try names() == [])
        let file = ModelContext(try .file(folder.file(), Pet.self))
        try file.transaction {
            file.insert(contentsOf: Pet.four)
            try file.save()
            try file.container.store.backup(to: copy)
        }
        #expect(try ModelContext(.file(copy, Pet.self)).fetchCount(FetchDescriptor<Pet>()) == 0)
    }

    @Test func `a file that exists is left alone`() throws {
        try Data("kept".utf8).write(to: copy)
        let container = try StoreKind.sqlite.container(Pet.self)
        let error = #expect(throws: StoreError.self) { try container.store.backup(to: copy) }
        #expect(error?.kind == .cannotOpen)
        #expect(try Data(contentsOf: copy) == Data("kept".utf8))
        let missing = folder.file("missing").appendingPathComponent("copy.sqlite")
        #expect(throws: StoreError.self) { try container.store.backup(to: missing) }
        #expect(try names() == ["copy.sqlite"])
    }

    @Test func `a store without backups says so`() throws {
        let container = try ModelContainer(
            for: Pet.self,
            configurations: CountingStore.Configuration()
        )
        let error = #expect(throws: StoreError.self) { try container.store.backup(to: copy) }
        #expect(error?.kind == .unsupported)
        #expect(container.store.capabilities.reason(against: .backup) != nil)
    }
}
