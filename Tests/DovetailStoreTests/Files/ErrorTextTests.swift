import Dovetail
import StoreTestSupport
import Testing

/// What errors print never holds stored data; only `debugDescription` may.
@Suite struct ErrorTextTests {
    private static let secret = "s3cret"
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func expectDiscretion(_ error: (any Error)?, _ column: String) throws {
        let error = try #require(error)
        #expect(!"\(error)".contains(Self.secret))
        #expect(!String(describing: error).contains(Self.secret))
        #expect(!error.localizedDescription.contains(Self.secret))
        #expect("\(error)".contains(column))
    }

    private func database(_ columns: String) throws -> (RawDatabase, ModelContext) {
        let database = try RawDatabase(folder.file())
        try database.execute("CREATE TABLE Product (\(columns))")
        return (database, ModelContext(try .file(folder.file(), Product.self)))
    }

    private func save(_ context: ModelContext) -> StoreError? {
        context.insert(Product(title: Self.secret, sku: Self.secret))
        return #expect(throws: StoreError.self) { try context.save() }
    }

    @Test func `a key that is taken`() throws {
        let (_, context) = try database("title TEXT, sku TEXT PRIMARY KEY")
        context.insert(Product(title: "a", sku: Self.secret))
        let error = save(context)
        #expect(error?.kind == .uniqueViolation)
        #expect(error?.column == "sku")
        #expect(error?.code != 0)
        try expectDiscretion(error, "Product.sku")
        #expect(error?.debugDescription.contains("UNIQUE constraint failed") == true)
    }

    @Test func `another unique column`() throws {
        let (_, context) = try database("title TEXT UNIQUE, sku TEXT PRIMARY KEY")
        context.insert(Product(title: Self.secret, sku: "a"))
        let error = save(context)
        #expect(error?.kind == .uniqueViolation)
        #expect(error?.column == "title")
        try expectDiscretion(error, "Product.title")
    }

    @Test func `a check of the table`() throws {
        let (_, context) = try database("title TEXT CHECK (length(title) < 3), sku PRIMARY KEY")
        let error = save(context)
        #expect(error?.kind == .constraintViolation)
        try expectDiscretion(error, "Product")
    }

    @Test func `a trigger that says what it saw`() throws {
        let (database, context) = try database("title TEXT, sku TEXT PRIMARY KEY")
        try database.execute(
            "CREATE TRIGGER t BEFORE INSERT ON Product BEGIN "
                + "SELECT RAISE(ABORT, 'failed: \(Self.secret)'); END"
        )
        let error = save(context)
        #expect(error?.kind == .constraintViolation)
        try expectDiscretion(error, "Product")
        #expect(error.map { String(reflecting: $0) }?.contains(Self.secret) == true)
    }

    @Test func `a required column of the table`() throws {
        let context = ModelContext(try .file(folder.file(), Cat.self))
        // Another program makes the table stricter while it is in use.
        try RawDatabase(folder.file()).execute(
            "DROP TABLE Cat; CREATE TABLE Cat (id TEXT PRIMARY KEY, note TEXT NOT NULL)"
        )
        context.insert(Cat(id: Self.secret, note: nil))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .notNullViolation)
        #expect(error?.column == "note")
        try expectDiscretion(error, "Cat.note")
    }

    @Test func `an update of what does not exist`() throws {
        let (_, context) = try database("title TEXT, sku TEXT PRIMARY KEY")
        context.update(Product(title: Self.secret, sku: Self.secret))
        try expectDiscretion(#expect(throws: StoreError.self) { try context.save() }, "Product")
    }
}

@Model
struct Cat: Identifiable, Sendable {
    let id: String
    var note: String?
}
