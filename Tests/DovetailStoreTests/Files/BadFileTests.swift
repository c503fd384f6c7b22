import Dovetail
import StoreTestSupport
import Testing

/// Files that cannot be opened: the typed error, its location, and not one byte changed.
@Suite struct BadFileTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
    }

    /// Expects the file not to open, and to be as it was.
    private func expectRefusal(
        _ kind: StoreError.Kind,
        allowsSave: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try? Data(contentsOf: file)
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
            try ModelContainer.file(file, Pet.self, allowsSave: allowsSave)
        }
        #expect(error?.kind == kind, sourceLocation: sourceLocation)
        #expect(error?.location == file.path, sourceLocation: sourceLocation)
        #expect(error?.description.contains(file.path) == true, sourceLocation: sourceLocation)
        #expect((try? Data(contentsOf: file)) == before, sourceLocation: sourceLocation)
    }

    @Test func `a text file`() throws {
        try Data("These are words and no database.\n".utf8).write(to: file)
        try expectRefusal(.notADatabase)
        try expectRefusal(.notADatabase, allowsSave: false)
        try Data(repeating: 0x20, count: 10_000).write(to: file)
        try expectRefusal(.notADatabase)
    }

    @Test func `an empty file is a new database`() throws {
        try Data().write(to: file)
        let context = ModelContext(try .file(file, Pet.self))
        context.insert(Pet(1, "Rex"))
        try context.save()
        #expect(try RawDatabase(file).value("SELECT name FROM Pet") == "Rex")
    }

    @Test func `a folder, and a file in a folder that does not exist`() throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        try expectRefusal(.cannotOpen)
        let missing = folder.file("missing").appendingPathComponent("test.sqlite")
        let error = #expect(throws: StoreError.self) { try ModelContainer.file(missing, Pet.self) }
        #expect(error?.kind == .cannotOpen)
        #expect(error?.location == missing.path)
        #expect(!FileManager.default.fileExists(atPath: folder.file("missing").path))
    }

    @Test func `an address that is no file`() throws {
        let url = try #require(URL(string: "https://example.com" + file.path))
        let error = #expect(throws: StoreError.self) { try ModelContainer.file(url, Pet.self) }
        #expect(error?.kind == .cannotOpen)
        #expect(error?.location == url.absoluteString)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    /// Makes a database of several pages.
    private func fill() throws {
        let context = ModelContext(try .file(file, Pet.self))
        context.insert(contentsOf: (0..<500).map { Pet($0, String(repeating: "x", count: 100)) })
        try context.save()
    }

    @Test(arguments: [50, 600, 4096, 8192, 20_000])
    func `a truncated database`(length: Int) throws {
        try fill()
        let whole = try Data(contentsOf: file)
        try whole.prefix(length).write(to: file)
        let error = #expect(throws: StoreError.self) {
            let context = ModelContext(try .file(file, Pet.self))
            _ = try context.fetch(FetchDescriptor<Pet>())
        }
        #expect([.corrupt, .notADatabase].contains(error?.kind))
        #expect(error?.location == file.path)
        #expect(try Data(contentsOf: file) == whole.prefix(length))
    }

    @Test func `a page that is overwritten`() throws {
        try fill()
        var bytes = try Data(contentsOf: file)
        // The first pages are about the tables.
        let page = bytes.count / 2 / 4096 * 4096
        bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xAA, count: 4096))
        try bytes.write(to: file)
        let context = ModelContext(try .file(file, Pet.self))
        let error = #expect(throws: StoreError.self) { try context.fetch(FetchDescriptor<Pet>()) }
        #expect(error?.kind == .corrupt)
        #expect(error?.description.contains("xxx") == false)
    }

    /// Tables that another program made, and the column that the error names.
    static let tables: [(String, String)] = [
        ("CREATE TABLE Pet (id INTEGER PRIMARY KEY)", "name"),
        (
            "CREATE TABLE Pet (id INTEGER, name, age, weight, isTame, species, nickname, owner)",
            "id"
        ),
        (
            "CREATE TABLE Pet (id INTEGER, name PRIMARY KEY, age, weight, isTame, species, "
                + "nickname, owner)", "id"
        ),
        (
            "CREATE TABLE pet (ID INTEGER PRIMARY KEY, name, age, weight, isTame, species, "
                + "nickname, owner, extra NOT NULL)", "extra"
        ),
        ("CREATE VIEW Pet AS SELECT 1 AS id", "name"),
    ]

    @Test(arguments: tables.indices)
    func `a table with other columns`(index: Int) throws {
        let (sql, column) = Self.tables[index]
        try RawDatabase(file).execute(sql)
        try expectRefusal(.invalidSchema)
        let error = #expect(throws: StoreError.self) { try ModelContainer.file(file, Pet.self) }
        #expect(error?.table == "Pet")
        #expect(error?.column == column)
    }

    @Test func `a table with columns that a row can do without`() throws {
        try RawDatabase(file).execute(
            "CREATE TABLE PET (extra, ID INTEGER PRIMARY KEY, NAME, age, weight, istame, species, "
                + "nickname, owner, other TEXT NOT NULL DEFAULT 'x')"
        )
        let context = ModelContext(try .file(file, Pet.self))
        context.insert(Pet(1, "Rex"))
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Pet>()) == [Pet(1, "Rex")])
        #expect(try RawDatabase(file).value("SELECT other FROM Pet") == "x")
    }
}
