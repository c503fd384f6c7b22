import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// The calls that make containers in programs for SwiftData.
@Suite struct ContainerShapeTests {
    private let folder: TemporaryFolder
    private let memory = ModelConfiguration(isStoredInMemoryOnly: true)

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Every model is there.
    private func works(_ container: ModelContainer) throws -> Bool {
        let context = ModelContext(container)
        context.insert(Shelf(id: 1, name: "top"))
        context.insert(Book(id: 1, title: "Emma", year: 1815, shelfID: 1))
        try context.save()
        return try context.fetchCount(FetchDescriptor<Book>()) == 1
            && context.fetchCount(FetchDescriptor<Loan>()) == 0
    }

    @Test func `a schema with configurations in every shape`() throws {
        let schema = Schema([Shelf.self, Book.self, Loan.self])
        let withSchema = ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
        let all = [
            try ModelContainer(for: schema, configurations: [withSchema]),
            try ModelContainer(for: schema, configurations: withSchema),
            try ModelContainer(for: schema, configurations: [.init(isStoredInMemoryOnly: true)]),
            try ModelContainer(for: schema, configurations: .init(isStoredInMemoryOnly: true)),
            try ModelContainer(
                for: Schema([Shelf.self, Book.self, Loan.self]),
                configurations: memory
            ),
            try ModelContainer(
                for: Schema(versionedSchema: LatestLibrary.self),
                migrationPlan: LibraryPlan.self,
                configurations: [memory]
            ),
            try ModelContainer(for: schema, migrationPlan: nil, configurations: memory),
            try ModelContainer(
                for: Schema(LatestLibrary.models, version: LatestLibrary.versionIdentifier),
                migrationPlan: EmptyPlan.self,
                configurations: memory
            ),
            try ModelContainer(for: schema, configurations: [MemoryConfiguration()]),
            try ModelContainer(for: schema, configurations: MemoryConfiguration()),
        ]
        for container in all { #expect(try works(container)) }
        #expect(all[5].schema.version == Schema.Version(2, 0, 0))
        #expect(all[5].migrationPlan == LibraryPlan.self && all[6].migrationPlan == nil)
    }

    @Test func `models with configurations in every shape`() throws {
        let models: [any Model.Type] = [Shelf.self, Book.self, Loan.self]
        let all = [
            try ModelContainer(
                for: Shelf.self,
                Book.self,
                Loan.self,
                configurations: memory
            ),
            try ModelContainer(for: Shelf.self, Book.self, Loan.self, configurations: [memory]),
            try ModelContainer(
                for: Loan.self,
                migrationPlan: LibraryPlan.self,
                configurations: ModelConfiguration(isStoredInMemoryOnly: true)
            ),
            try ModelContainer(for: models, configurations: memory),
            try ModelContainer(for: models, configurations: [memory]),
            try ModelContainer(for: models, configuration: MemoryConfiguration()),
            try ModelContainer(for: models, configurations: [MemoryConfiguration()]),
            try ModelContainer(for: Loan.self, configurations: MemoryConfiguration()),
            try ModelContainer(for: Loan.self, configurations: [MemoryConfiguration()]),
        ]
        for container in all { #expect(try works(container)) }
        #expect(all[2].schema.version == Schema.Version(2, 0, 0))
        #expect(all[0].schema.version == Schema.Version(1, 0, 0))
        #expect(all[0] == all[0] && all[0] != all[1])
    }

    @Test(arguments: [false, true])
    func `a plan that is nil by a ternary`(hasPlan: Bool) throws {
        let container = try ModelContainer(
            for: Loan.self,
            migrationPlan: hasPlan ? LibraryPlan.self : nil,
            configurations: memory
        )
        #expect((container.migrationPlan != nil) == hasPlan)
        #expect(container.schema.version.major == (hasPlan ? 2 : 1))
    }

    @Test func `the default file with and without a list of configurations`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            setenv("XDG_DATA_HOME", folder.url.path, 1)
            let first = ModelContext(try ModelContainer(for: Pet.self))
            first.insert(Pet(1, "Rex"))
            try first.save()
            let schema = Schema([Pet.self])
            let others = [
                try ModelContainer(for: schema),
                try ModelContainer(for: schema, configurations: []),
                try ModelContainer(for: [Pet.self]),
                try ModelContainer(for: Pet.self, migrationPlan: EmptyPlan.self),
                try ModelContainer(for: Pet.self, configurations: ModelConfiguration("default")),
            ]
            for container in others {
                try #require(try ModelContext(container).fetchCount(FetchDescriptor<Pet>()) == 1)
                try #require(container.configurations.first?.name == "default")
                try #require(container.configurations.count == 1)
            }
        }
    }

    @Test func `configurations with a schema keep its models`() throws {
        let file = ModelConfiguration("Pets", schema: Schema([Pet.self]), url: folder.file("p"))
        let rest = ModelConfiguration(
            schema: Schema(versionedSchema: LibraryV1.self),
            isStoredInMemoryOnly: true
        )
        let container = try ModelContainer(
            for: Schema([Pet.self, LibraryV1.Book.self]),
            configurations: file,
            rest
        )
        #expect(container.configurations == [file, rest])
        let context = ModelContext(container)
        context.insert(Pet(1, "Rex"))
        try context.save()
        context.insert(LibraryV1.Book(id: 1, title: "Emma"))
        try context.save()
        let again = try ModelContainer(
            for: Pet.self,
            LibraryV1.Book.self,
            configurations: [
                file, ModelConfiguration(for: LibraryV1.Book.self, isStoredInMemoryOnly: true),
            ]
        )
        #expect(try ModelContext(again).fetchCount(FetchDescriptor<Pet>()) == 1)
        #expect(try ModelContext(again).fetchCount(FetchDescriptor<LibraryV1.Book>()) == 0)
        let both = #expect(throws: StoreError.self) {
            try ModelContainer(for: Pet.self, configurations: file, file)
        }
        #expect(both?.kind == .invalidSchema)
    }

    @Test func `a configuration brings the models of its schema`() throws {
        let pets = ModelConfiguration(schema: Schema([Pet.self]), isStoredInMemoryOnly: true)
        let container = try ModelContainer(for: LibraryV1.Book.self, configurations: pets)
        #expect(container.schema.bindings.map(\.table) == ["Book", "Pet"])
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Pet>()) == 0)
    }

    @MainActor private static let preview: ModelContainer? = {
        let schema = Schema([Pet.self])
        let configuration = ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
        guard let container = try? ModelContainer(for: schema, configurations: [configuration])
        else { return nil }
        container.mainContext.insert(Pet(1, "Rex"))
        return container
    }()

    @MainActor @Test func `a container for previews, and its main context`() throws {
        let container = try #require(Self.preview)
        #expect(try container.mainContext.fetch(FetchDescriptor<Pet>()).map(\.name) == ["Rex"])
        #expect(container.mainContext === container.mainContext)
    }

    @Test(arguments: StoreKind.allCases)
    func `all data is deleted, whatever refers to it`(kind: StoreKind) throws {
        let container = try kind.container(Loan.self)
        let context = ModelContext(container)
        func fill() throws {
            context.insert(Shelf(id: 1, name: "top"))
            context.insert(Book(id: 1, title: "Emma", shelfID: 1))
            context.insert(Loan(id: 1, bookID: 1, renewed: 2))
            context.insert(Loan(id: 2, bookID: 1, renewed: 1))
            try context.save()
        }
        func count() throws -> Int {
            try context.fetchCount(FetchDescriptor<Shelf>())
                + context.fetchCount(FetchDescriptor<Book>())
                + context.fetchCount(FetchDescriptor<Loan>())
        }
        try fill()
        #expect(try count() == 4)
        container.deleteAllData()
        #expect(try count() == 0)
        try fill()
        try container.erase()
        #expect(try count() == 0)
        try container.deleteAllData().get()
        // What waits is not touched.
        context.insert(Shelf(id: 9, name: "low"))
        try container.erase()
        try context.save()
        #expect(try count() == 1)
        try context.transaction {
            let error = #expect(throws: StoreError.self) { try container.erase() }
            #expect(error?.kind == .wouldDeadlock)
            #expect(throws: StoreError.self) { try container.deleteAllData().get() }
        }
        #expect(try count() == 1)
    }

    @Test func `erasing makes the file small`() throws {
        let url = folder.file("large")
        let container = try ModelContainer(
            for: Pet.self,
            configurations: ModelConfiguration(url: url)
        )
        let context = ModelContext(container)
        context.insert(contentsOf: (0..<5000).map { Pet($0, String(repeating: "x", count: 200)) })
        try context.save()
        try container.store.checkpoint()
        func size() throws -> Int {
            try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
        }
        #expect(try size() > 1_000_000)
        container.deleteAllData()
        #expect(try size() > 1_000_000)
        try container.erase()
        #expect(try size() < 100_000)
        #expect(try context.fetchCount(FetchDescriptor<Pet>()) == 0)
        #expect(throws: StoreError.self) {
            try container.store.withConnection { connection in
                try connection.transaction(keeping: true) { try container.store.compact() }
            }
        }
    }

    @Test func `two stores are erased one after the other, and a read-only one is not`() throws {
        let url = folder.file("pets")
        do {
            let both = try ModelContainer(
                for: Pet.self,
                Shelf.self,
                configurations: ModelConfiguration(schema: Schema([Pet.self]), url: url),
                MemoryConfiguration().keeping(Shelf.self)
            )
            let context = ModelContext(both)
            context.insert(Pet(1, "Rex"))
            try context.save()
            context.insert(Shelf(id: 1, name: "top"))
            try context.save()
            #expect(both.configurations.count == 1 && both.storeConfigurations.count == 2)
            try both.erase()
            #expect(try context.fetchCount(FetchDescriptor<Pet>()) == 0)
            #expect(try context.fetchCount(FetchDescriptor<Shelf>()) == 0)
            context.insert(Pet(2, "Max"))
            try context.save()
        }
        let container = try ModelContainer(
            for: Pet.self,
            configurations: ModelConfiguration(url: url, allowsSave: false)
        )
        let error = #expect(throws: StoreError.self) { try container.erase() }
        #expect(error?.kind == .readOnly)
        #expect(throws: StoreError.self) { try container.deleteAllData().get() }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Pet>()) == 1)
    }
}
