import Dovetail
import StoreTestSupport
import Testing

@Suite struct ReadOnlyFileTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
    }

    private func fill() throws {
        let context = ModelContext(try .file(file, Pet.self))
        context.insert(contentsOf: Pet.four)
        try context.save()
    }

    @Test func `a file that may not be written is read`() throws {
        try fill()
        let before = try Data(contentsOf: file)
        let context = ModelContext(try .file(file, Pet.self, allowsSave: false))
        #expect(try context.fetch(FetchDescriptor<Pet>()) == Pet.four)
        context.insert(Pet(5, "Five"))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .readOnly)
        #expect(context.hasChanges)
        context.rollback()
        #expect(try context.fetchCount(FetchDescriptor<Pet>()) == 4)
        #expect(try Data(contentsOf: file) == before)
    }

    @Test func `a file that does not exist is not made`() throws {
        let error = #expect(throws: StoreError.self) {
            try ModelContainer.file(file, Pet.self, allowsSave: false)
        }
        #expect(error?.kind == .cannotOpen)
        #expect(error?.location == file.path)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a table that is missing is not made`() throws {
        try RawDatabase(file).execute("CREATE TABLE Other (id)")
        let before = try Data(contentsOf: file)
        let error = #expect(throws: StoreError.self) {
            try ModelContainer.file(file, Pet.self, allowsSave: false)
        }
        #expect(error?.kind == .readOnly)
        #expect(error?.table == "Pet")
        #expect(error?.location == file.path)
        #expect(try Data(contentsOf: file) == before)
    }

    @Test func `a file of another journal mode keeps it`() throws {
        try fill()
        try RawDatabase(file).execute("PRAGMA journal_mode = DELETE")
        let before = try Data(contentsOf: file)
        let context = ModelContext(try .file(file, Pet.self, allowsSave: false))
        #expect(try context.fetchCount(FetchDescriptor<Pet>()) == 4)
        #expect(try Data(contentsOf: file) == before)
    }

    /// Modes do not bind root, so the file is made immutable.
    @Test(
        .enabled(if: SystemAbility.protectsFiles, "files cannot be made immutable here")
    )
    func `a file that the system protects`() throws {
        try fill()
        try RawDatabase(file).execute("PRAGMA journal_mode = DELETE")
        let before = try Data(contentsOf: file)
        #expect(SystemAbility.protect(file, true))
        defer { SystemAbility.protect(file, false) }
        let context = ModelContext(try .file(file, Pet.self))
        #expect(try context.fetchCount(FetchDescriptor<Pet>()) == 4)
        context.insert(Pet(5, "Five"))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .readOnly)
        #expect(error?.location == file.path)
        #expect(try Data(contentsOf: file) == before)
    }
}
