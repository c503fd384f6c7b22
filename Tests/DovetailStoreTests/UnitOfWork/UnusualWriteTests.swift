import Dovetail
import StoreTestSupport
import Testing

/// Shapes that a program outside of the suite has met.
@Suite struct UnusualWriteTests {
    @Test func `finding or creating by key asks the store once for each`() throws {
        let container = try ModelContainer(
            for: [Pet.self],
            configuration: CountingStore.Configuration()
        )
        let store = try #require(container.store as? CountingStore)
        let context = ModelContext(container)
        for round in 0..<2 {
            for id in 0..<300 {
                let one = FetchDescriptor<Pet>(predicate: #Predicate { $0.id == id })
                let found = try context.fetch(one)
                #expect(found.count == round)
                if found.isEmpty { context.insert(Pet(id, "\(id)")) }
            }
        }
        // Nothing was written to see what waits.
        #expect(store.takeCounts() == CountingStore.Counts(queries: 600))
        try context.save()
        #expect(store.takeCounts() == CountingStore.Counts(writers: [.insert: 1]))
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Pet>()) == 300)
    }

    @Test(arguments: StoreKind.allCases)
    func `a value that no column can hold is deleted by its key`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Pet.self))
        var pet = Pet(1, "One")
        context.insert(pet)
        try context.save()
        pet.weight = .nan
        context.delete(pet)
        #expect(try context.fetch(FetchDescriptor<Pet>()).isEmpty)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Pet>()) == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `a model that writes a wrong number of columns is refused`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Sloppy.self))
        for columns in [1, 3] {
            context.insert(contentsOf: [
                Sloppy(id: 1, text: "one", columns: 2),
                Sloppy(id: 2, text: "two", columns: columns),
            ])
            #expect(throws: ModelEncodingError.self) { try context.save() }
            #expect(throws: ModelEncodingError.self) {
                try context.fetch(FetchDescriptor<Sloppy>())
            }
            context.rollback()
            #expect(try context.fetchCount(FetchDescriptor<Sloppy>()) == 0)
        }
        context.insert(Sloppy(id: 1, text: "one", columns: 2))
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Sloppy>()).map(\.text) == ["one"])
    }

    @Test func `a column with points in its name is named whole`() throws {
        let folder = try TemporaryFolder()
        let database = try RawDatabase(folder.file())
        try database.execute(
            """
            CREATE TABLE Portrait (
                id INTEGER NOT NULL PRIMARY KEY, "profile.avatar.url" TEXT UNIQUE
            )
            """
        )
        let context = ModelContext(try .file(folder.file(), Portrait.self))
        context.insert(contentsOf: [Portrait(id: 1, url: "a"), Portrait(id: 2, url: "a")])
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
        #expect(error?.table == "Portrait")
        #expect(error?.column == "profile.avatar.url")
    }

    @Test func `a table that requires what may be nil does not open`() throws {
        let folder = try TemporaryFolder()
        try RawDatabase(folder.file()).execute(
            """
            CREATE TABLE Portrait (
                id INTEGER NOT NULL PRIMARY KEY, "profile.avatar.url" TEXT NOT NULL DEFAULT 'none'
            )
            """
        )
        let error = #expect(throws: StoreError.self) {
            try ModelContainer.file(folder.file(), Portrait.self)
        }
        #expect(error?.kind == .invalidSchema)
        #expect(error?.column == "profile.avatar.url")
    }

    @Test func `a column that another program renamed is an error and no text`() throws {
        let folder = try TemporaryFolder()
        let context = ModelContext(try .file(folder.file(), Pet.self))
        context.insert(Pet(1, "One"))
        try context.save()
        try RawDatabase(folder.file()).execute("ALTER TABLE Pet RENAME COLUMN name TO title")
        #expect(throws: StoreError.self) { try context.fetch(FetchDescriptor<Pet>()) }
        context.insert(Pet(2, "Two"))
        #expect(throws: StoreError.self) { try context.save() }
    }

    @Test(arguments: StoreKind.allCases)
    func `what a hook inserts while its model is saved is saved too`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Purchase.self, Receipt.self))
        context.insert(Purchase(id: 7))
        let all = FetchDescriptor<Purchase>()
        let receipts = FetchDescriptor<Receipt>()
        try Purchase.$target.withValue(ReceiptTarget { context.insert(Receipt(id: $0)) }) {
            try context.save()
            try #expect(context.fetch(receipts).map(\.id) == [7])
            context.insert(Purchase(id: 8))
            // The hook runs for the fetch, and not again for the save.
            try #expect(context.fetchCount(all) == 2)
            try context.save()
        }
        #expect(try context.fetchCount(receipts) == 2)
        #expect(!context.hasChanges)
    }

    @Test(arguments: StoreKind.allCases)
    func `a save that fails runs the hooks again, and nothing twice`(kind: StoreKind) throws {
        let container = try kind.container(Purchase.self, Receipt.self)
        let context = ModelContext(container)
        let other = ModelContext(container)
        other.insert(Receipt(id: 9))
        try other.save()
        context.insert(Purchase(id: 9))
        try Purchase.$target.withValue(ReceiptTarget { context.insert(Receipt(id: $0)) }) {
            #expect(throws: StoreError.self) { try context.save() }
            other.delete(Receipt(id: 9))
            try other.save()
            try context.save()
        }
        #expect(try context.fetchCount(FetchDescriptor<Receipt>()) == 1)
    }
}

extension UnusualWriteTests {
    @Test(arguments: StoreKind.allCases)
    func `hooks that save, fetch and forget end`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Purchase.self, Receipt.self))
        let all = FetchDescriptor<Purchase>()
        for meddle in [
            { _ = try? context.save() }, { _ = try? context.fetch(all) },
            { try? context.transaction { _ = try? context.fetchCount(all) } },
        ] {
            context.insert(Purchase(id: 1))
            try Purchase.$target.withValue(ReceiptTarget { _ in meddle() }) {
                try context.save()
                context.delete(Purchase(id: 1))
                try context.save()
                context.insert(Purchase(id: 2))
                #expect((try? context.fetchCount(all)) == 1)
                context.rollback()
            }
        }
        context.insert(contentsOf: [Purchase(id: 3), Purchase(id: 3)])
        Purchase.$target.withValue(ReceiptTarget { _ in context.rollback() }) {
            #expect(throws: StoreError.self) { try context.save() }
        }
        #expect(!context.hasChanges)
    }
}

/// Where the hook of a purchase puts its receipt.
///
/// Invariant of the unchecked `Sendable`: used in the task that sets it.
private struct ReceiptTarget: @unchecked Sendable {
    let insert: (Int) -> Void

    init(_ insert: @escaping (Int) -> Void) {
        self.insert = insert
    }
}

@Model
struct Purchase: Identifiable {
    let id: Int

    @TaskLocal fileprivate static var target: ReceiptTarget?
}

extension Purchase: ModelLifecycle {
    mutating func willEncode() throws { Purchase.target?.insert(id) }
}

@Model
struct Receipt: Identifiable {
    let id: Int
}

@Model
struct Portrait: Identifiable {
    let id: Int
    @Attribute(name: "profile.avatar.url") var url: String?
}

/// A model by hand that may forget a column, or write one too many.
struct Sloppy: Model, Identifiable {
    var id: Int
    var text: String
    var columns: Int

    static var typeName: String { "Sloppy" }
    static var modelAttributes: [ModelAttribute] {
        [ModelAttribute("id", \Self.id, primaryKey: true), ModelAttribute("text", \Self.text)]
    }

    init(id: Int, text: String, columns: Int) {
        (self.id, self.text, self.columns) = (id, text, columns)
    }

    init(modelValue reader: inout ModelReader) throws {
        _ = try reader.beginObject()
        var (id, text): (Int?, String?)
        try reader.readColumn(&id)
        try reader.readColumn(&text)
        self.init(id: id ?? 0, text: text ?? "", columns: 2)
    }

    func encode(to writer: inout ModelWriter) throws {
        let object = try writer.beginObject()
        for column in 0..<columns {
            if column == 0 {
                try writer.field("\"id\":", id)
            } else {
                try writer.field("\"text\":", text)
            }
        }
        try writer.endObject(object)
    }
}
