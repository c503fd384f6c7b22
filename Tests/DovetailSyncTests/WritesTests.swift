import Dovetail
import StoreTestSupport
import Testing

/// What is really written, seen by triggers and by a second connection.
@Suite struct WritesTests {
    private let folder: TemporaryFolder
    private let context: ModelContext
    private let database: RawDatabase

    init() throws {
        folder = try TemporaryFolder()
        context = ModelContext(try .file(folder.file(), User.self))
        try context.store((1...100).map { User($0, "\($0)") })
        database = try RawDatabase(folder.file())
        try database.execute(
            """
            CREATE TABLE Log (what TEXT, id);
            CREATE TRIGGER i AFTER INSERT ON User BEGIN INSERT INTO Log VALUES ('+', new.id); END;
            CREATE TRIGGER u AFTER UPDATE ON User BEGIN INSERT INTO Log VALUES ('~', new.id); END;
            CREATE TRIGGER d AFTER DELETE ON User BEGIN INSERT INTO Log VALUES ('-', old.id); END;
            """
        )
    }

    @Test func `only what differs is written, deletions first`() throws {
        var given = (2...101).map { User($0, "\($0)") }
        given[8].age = 5
        try context.synchronize(given)
        try context.save()
        #expect(
            try database.rows("SELECT what, id FROM Log")
                == [["-", "1"], ["~", "10"], ["+", "101"]]
        )
    }

    @Test func `when nothing differs, the file is not touched`() throws {
        let before = try database.value("PRAGMA data_version")
        let files = try contents()
        try context.synchronize((1...100).map { User($0, "\($0)") })
        try context.save()
        #expect(try database.value("PRAGMA data_version") == before)
        #expect(try contents() == files)
    }

    private func contents() throws -> [Data] {
        try ["test.sqlite", "test.sqlite-wal"].map { try Data(contentsOf: folder.file($0)) }
    }

    @Test func `a failure in the middle leaves what was there`() throws {
        try database.execute(
            "CREATE TRIGGER full BEFORE INSERT ON User WHEN new.id = 150 BEGIN "
                + "SELECT RAISE(ABORT, 'full'); END"
        )
        let before = try database.rows("SELECT * FROM User")
        try context.synchronize((50...200).map { User($0, "new") })
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .constraintViolation)
        #expect(try database.rows("SELECT * FROM User") == before)
        #expect(try database.value("SELECT count(*) FROM Log") == "0")
        #expect(context.hasChanges)
        try database.execute("DROP TRIGGER full")
        try context.save()
        #expect(try context.users() == (50...200).map { User($0, "new") })
    }

    @Test func `columns that the model does not have are kept`() throws {
        try database.execute("ALTER TABLE User ADD COLUMN secret TEXT; UPDATE User SET secret = id")
        try context.synchronize((1...2).map { User($0, "changed") })
        try context.save()
        #expect(try database.rows("SELECT secret FROM User") == [["1"], ["2"]])
    }
}
