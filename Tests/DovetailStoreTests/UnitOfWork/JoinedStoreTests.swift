import Dovetail
import StoreTestSupport
import Testing

@Model final class JoinedDish {
    var name: String

    init(_ name: String) { self.name = name }
}

@Model final class JoinedWish {
    var text: String

    init(_ text: String) { self.text = text }
}

/// Containers with several configurations.
@Suite struct JoinedStoreTests {
    private let folder: TemporaryFolder
    private let container: ModelContainer
    private let context: ModelContext
    private let pets = FetchDescriptor<Pet>(sortBy: [SortDescriptor(\.id)])
    private let memos = FetchDescriptor<Memo>(sortBy: [SortDescriptor(\.id)])

    init() throws {
        folder = try TemporaryFolder()
        container = try Self.container(folder)
        context = ModelContext(container)
    }

    private static func container(_ folder: TemporaryFolder) throws -> ModelContainer {
        try ModelContainer(
            for: Pet.self,
            Memo.self,
            configurations: ModelConfiguration(url: folder.file()),
            MemoryConfiguration().keeping(Memo.self)
        )
    }

    private func expectRefusal(
        _ kind: StoreError.Kind,
        _ names: String...,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try body() }
        #expect(error?.kind == kind, sourceLocation: sourceLocation)
        for name in names {
            #expect(error?.description.contains(name) == true, sourceLocation: sourceLocation)
        }
    }

    /// A transaction of both would wait for itself.
    @Test func `two configurations with one file are refused`() throws {
        let file = folder.file("both.sqlite")
        try Data().write(to: file)
        try FileManager.default.createSymbolicLink(
            at: folder.file("link.sqlite"),
            withDestinationURL: file
        )
        for other in [file, folder.file("./both.sqlite"), folder.file("link.sqlite")] {
            expectRefusal(.invalidSchema, "two configurations name the file") {
                _ = try ModelContainer(
                    for: Pet.self,
                    Memo.self,
                    configurations: ModelConfiguration(schema: Schema([Pet.self]), url: file),
                    ModelConfiguration(schema: Schema([Memo.self]), url: other).keeping(Memo.self)
                )
            }
        }
    }

    @Test func `each model is in its own store`() throws {
        context.insert(contentsOf: Pet.four)
        try context.save()
        context.insert(contentsOf: [Memo(id: nil, text: "a"), Memo(id: nil, text: "b")])
        try context.save()
        #expect(context.lastCommit.keys(of: Memo.self) == [1, 2])
        #expect(try context.fetchCount(pets) == 4)
        #expect(try context.fetch(memos).map(\.text) == ["a", "b"])
        let again = ModelContext(try Self.container(folder))
        #expect(try again.fetch(pets) == context.fetch(pets))
        #expect(try again.fetchCount(memos) == 0)
        #expect(
            try RawDatabase(folder.file()).rows("SELECT entity FROM dovetail_schema") == [["Pet"]]
        )
    }

    @Test func `one save does not write to both`() throws {
        context.insert(Pet(1, "Rex"))
        context.insert(Memo(id: nil, text: "a"))
        #expect(try context.fetchCount(pets) == 1)
        #expect(try context.fetchCount(memos) == 1)
        expectRefusal(.unsupported, "Pet", "Memo") { try context.save() }
        #expect(context.hasChanges)
        context.rollback()
        #expect(try context.fetchCount(pets) == 0)
        expectRefusal(.unsupported, "Pet", "Memo") {
            try context.transaction {
                context.insert(Memo(id: nil, text: "a"))
                try context.save()
                context.insert(Pet(1, "Rex"))
            }
        }
        #expect(try context.fetchCount(memos) == 0)
        // What failed inside counts no more.
        try context.transaction {
            try? context.transaction {
                context.insert(Memo(id: nil, text: "a"))
                try context.save()
                throw CancellationError()
            }
            context.insert(Pet(1, "Rex"))
        }
        #expect(try context.fetchCount(pets) == 1)
    }

    @Test func `a read sees one state of each`() async throws {
        context.insert(Pet(1, "Rex"))
        try context.save()
        let (pets, memos, container) = (pets, memos, container)
        let counts = try await container.read { context in
            let other = ModelContext(container)
            other.insert(Memo(id: nil, text: "new"))
            try other.save()
            return [try context.fetchCount(pets), try context.fetchCount(memos)]
        }
        #expect(counts == [1, 0])
        #expect(try context.fetchCount(memos) == 1)
    }

    @Test func `a copy goes from and to several stores`() async throws {
        context.insert(contentsOf: Pet.four)
        try context.save()
        context.insert(Memo(id: nil, text: "a"))
        try context.save()
        let one = try ModelContainer.inMemory(Pet.self, Memo.self)
        let report = try await container.copy(to: one)
        #expect(report.tables.map(\.rows) == [4, 1])
        let other = try TemporaryFolder()
        #expect(try await one.copy(to: Self.container(other)) == report)
    }

    @Test func `a model has one configuration, and so has what it refers to`() throws {
        let memory = MemoryConfiguration()
        expectRefusal(.invalidSchema, "Pet", "two configurations") {
            _ = try ModelContainer(
                for: Pet.self,
                configurations: memory.keeping(Pet.self),
                memory.keeping(Pet.self)
            )
        }
        expectRefusal(.invalidSchema, "Memo", "no configuration") {
            _ = try ModelContainer(
                for: Pet.self,
                Memo.self,
                configurations: memory.keeping(Pet.self),
                memory.keeping(Seat.self)
            )
        }
        expectRefusal(.invalidSchema, "Pet", "two configurations") {
            _ = try ModelContainer(for: Pet.self, configurations: memory, MemoryConfiguration())
        }
        expectRefusal(.invalidSchema, "Worker", "Team") {
            _ = try ModelContainer(
                for: Worker.self,
                configurations: memory,
                memory.keeping(Team.self)
            )
        }
    }

    @Test func `what has no meaning over several stores says so`() throws {
        expectRefusal(.unsupported) { try container.store.backup(to: folder.file("copy")) }
        expectRefusal(.historyDisabled) { _ = try context.history(since: 0) }
        try container.store.checkpoint()
        for capability in [StoreCapability.backup, .history] {
            #expect(container.store.capabilities.reason(against: capability) != nil)
        }
    }

    /// A catalogue that comes with the program, and what its user writes.
    @Test(arguments: [false, true])
    func `a store that is only read lets others be written`(_ isFirst: Bool) throws {
        let (catalogue, own) = (folder.file("catalogue"), folder.file("own"))
        let filling = ModelContext(try .file(catalogue, Pet.self))
        filling.insert(contentsOf: Pet.four)
        try filling.save()
        let configurations = [
            ModelConfiguration(schema: Schema([Pet.self]), url: catalogue, allowsSave: false),
            ModelConfiguration(schema: Schema([Memo.self]), url: own),
        ]
        let container = try ModelContainer(
            for: [Pet.self, Memo.self],
            configurations: isFirst ? configurations : configurations.reversed()
        )
        let context = ModelContext(container)
        context.insert(Memo(text: "a"))
        try context.save()
        try context.transaction {
            let count = try context.fetchCount(pets)
            #expect(count == 4)
            context.insert(Memo(text: "b"))
        }
        #expect(try ModelContext(container).fetchCount(memos) == 2)
        context.insert(Pet(9, "Nine"))
        expectRefusal(.readOnly) { try context.save() }
        context.rollback()
        context.insert(Memo(text: "c"))
        try context.save()
        #expect(try ModelContext(container).fetchCount(memos) == 3)
        #expect(try context.fetchCount(pets) == 4)
    }

    /// Objects have keys that the container gives.
    @Test func `objects are saved beside a store that is only read`() throws {
        let (catalogue, own) = (folder.file("catalogue"), folder.file("own"))
        let filling = ModelContext(try .file(catalogue, JoinedDish.self))
        filling.insert(JoinedDish("soup"))
        try filling.save()
        for name in ["a", "b"] {
            let container = try ModelContainer(
                for: [JoinedDish.self, JoinedWish.self],
                configurations: [
                    ModelConfiguration(
                        schema: Schema([JoinedDish.self]),
                        url: catalogue,
                        allowsSave: false
                    ),
                    ModelConfiguration(schema: Schema([JoinedWish.self]), url: own),
                ]
            )
            let context = ModelContext(container)
            context.insert(JoinedWish(name))
            try context.save()
            let dish = try #require(try context.fetch(FetchDescriptor<JoinedDish>()).first)
            dish.name = "stew"
            expectRefusal(.readOnly) { try context.save() }
            context.rollback()
            #expect(dish.name == "soup")
        }
        let wishes = ModelContext(try .file(own, JoinedWish.self))
        let found = try wishes.fetch(FetchDescriptor<JoinedWish>())
        #expect(found.map(\.text).sorted() == ["a", "b"])
    }

    @Test func `a save is in the way of its own store only`() throws {
        let urls = [folder.file("dishes.sqlite"), folder.file("wishes.sqlite")]
        let joined = ModelContext(
            try ModelContainer(
                for: JoinedDish.self,
                JoinedWish.self,
                Pet.self,
                configurations: ModelConfiguration(url: urls[0], busyTimeout: .milliseconds(10)),
                ModelConfiguration(url: urls[1], busyTimeout: .milliseconds(10))
                    .keeping(JoinedWish.self)
            )
        )
        joined.insert(JoinedDish("soup"))
        try joined.save()
        joined.insert(JoinedWish("tea"))
        try joined.save()
        let wishes = ModelContext(
            try ModelContainer(
                for: JoinedWish.self,
                configurations: ModelConfiguration(url: urls[1])
            )
        )
        try wishes.transaction {
            wishes.insert(JoinedWish("cake"))
            try wishes.save()
            // The dishes are in another file.
            let dish = try #require(joined.fetch(FetchDescriptor<JoinedDish>()).first)
            dish.name = "salad"
            joined.insert(JoinedDish("bread"))
            try joined.save()
            joined.insert(Pet(1, "One"))
            try joined.save()
            joined.delete(dish)
            try joined.save()
            joined.insert(JoinedWish("milk"))
            expectRefusal(.locked, "wishes.sqlite") { try joined.save() }
        }
        try joined.save()
        #expect(try joined.fetchCount(FetchDescriptor<JoinedDish>()) == 1)
        #expect(try joined.fetchCount(FetchDescriptor<JoinedWish>()) == 3)
        joined.insert(JoinedDish("rice"))
        joined.insert(JoinedWish("jam"))
        expectRefusal(.unsupported, "another store") { try joined.save() }
    }
}
