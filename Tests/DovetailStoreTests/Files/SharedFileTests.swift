import Dovetail
import StoreTestSupport
import Testing

@Suite struct SharedFileTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let all = FetchDescriptor<Pet>(sortBy: [SortDescriptor(\.id)])

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
    }

    @Test func `two containers on one file see each other's saves`() throws {
        let first = ModelContext(try .file(file, Pet.self))
        let second = ModelContext(try .file(file, Pet.self, Seat.self))
        first.insert(Pet(1, "One"))
        #expect(try second.fetch(all).isEmpty)
        try first.save()
        #expect(try second.fetch(all) == [Pet(1, "One")])
        second.upsert(Pet(1, "Eins"))
        second.insert(Pet(2, "Zwei"))
        try second.save()
        #expect(try first.fetch(all) == [Pet(1, "Eins"), Pet(2, "Zwei")])
    }

    @Test func `the file survives closing, and holds everything alone`() throws {
        for id in 1...3 {
            let context = ModelContext(try .file(file, Pet.self))
            #expect(try context.fetchCount(all) == id - 1)
            context.insert(Pet(id, "\(id)"))
            try context.save()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names == ["test.sqlite"])
    }

    @Test func `models may join later`() throws {
        _ = try ModelContainer.file(file, Pet.self)
        _ = try ModelContainer.file(file, Seat.self)
        let tables = try RawDatabase(file).rows("SELECT entity FROM dovetail_schema")
        #expect(tables == [["Pet"], ["Seat"]])
    }

    @Test func `tables, indexes and triggers of others are left alone`() throws {
        let database = try RawDatabase(file)
        try database.execute(
            """
            CREATE TABLE Log (id INTEGER PRIMARY KEY, text);
            INSERT INTO Log VALUES (1, 'kept');
            CREATE TABLE Pet (id INTEGER PRIMARY KEY, name TEXT, age, weight, isTame, species,
                              nickname, owner);
            CREATE INDEX names ON Pet (name);
            CREATE TRIGGER grown AFTER INSERT ON Pet BEGIN
                INSERT INTO Log (text) VALUES (new.name);
            END;
            """
        )
        let before = try database.rows("SELECT name, sql FROM sqlite_schema")
        let context = ModelContext(try .file(file, Pet.self))
        context.insert(Pet(1, "Rex"))
        context.update(Pet(1, "Rey"))
        try context.save()
        try context.delete(model: Pet.self)
        try context.save()
        #expect(try database.rows("SELECT name, sql FROM sqlite_schema") == before)
        #expect(try database.rows("SELECT text FROM Log") == [["kept"], ["Rex"]])
    }

    @Test(.enabled(if: FileLock.isAvailable, "no python3 with sqlite3"))
    func `a file whose write lock another process holds is read, but not written`() throws {
        let context = ModelContext(try .file(file, Pet.self))
        context.insert(Pet(1, "One"))
        try context.save()
        let lock = try FileLock(file)
        #expect(try context.fetch(all).map(\.id) == [1])
        context.insert(Pet(2, "Two"))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .locked)
        #expect(error?.location == file.path)
        #expect(context.hasChanges)
        lock.release()
        try context.save()
        #expect(try context.fetch(all).map(\.id) == [1, 2])
    }

    @Test(.enabled(if: FileLock.isAvailable, "no python3 with sqlite3"))
    func `a file that another process holds whole cannot be opened`() throws {
        try RawDatabase(file).execute("CREATE TABLE Log (id)")
        let before = try Data(contentsOf: file)
        let lock = try FileLock(file)
        let clock = ContinuousClock()
        let start = clock.now
        let error = #expect(throws: StoreError.self) {
            try ModelContainer.file(file, Pet.self, busyTimeout: .milliseconds(50))
        }
        #expect(error?.kind == .locked)
        #expect(error?.location == file.path)
        #expect(clock.now - start >= .milliseconds(50))
        #expect(try Data(contentsOf: file) == before)
        lock.release()
        _ = try ModelContainer.file(file, Pet.self)
    }

    @Test func `a writer waits for another one as long as it was granted`() async throws {
        let containers = try (0..<2).map { _ in
            try ModelContainer.file(file, Pet.self, busyTimeout: .seconds(20))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, container) in containers.enumerated() {
                group.addTask {
                    try await container.perform { context in
                        for index in 0..<40 {
                            context.insert(Pet(number * 100 + index, "\(number)"))
                            try context.save()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try ModelContext(containers[0]).fetchCount(all) == 80)
    }
}
