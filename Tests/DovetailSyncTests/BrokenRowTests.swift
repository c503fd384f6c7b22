import Dovetail
import StoreTestSupport
import Testing

/// Stored rows that are no value of the model any more.
@Suite struct BrokenRowTests {
    private let folder: TemporaryFolder
    private let database: RawDatabase

    init() throws {
        folder = try TemporaryFolder()
        database = try RawDatabase(folder.file())
    }

    @Test func `one that is not given any more is deleted`() throws {
        let context = ModelContext(try .file(folder.file(), User.self))
        try context.store([User(1, "Ann"), User(2, "Bob")])
        try database.execute("UPDATE User SET role = 'gone', joined = 5 WHERE id = 1")
        #expect(throws: ModelDecodingError.self) { try context.users() }
        #expect(try context.synchronize([User(2, "Bob")]).deleted == [1])
        try context.save()
        #expect(try context.users() == [User(2, "Bob")])
    }

    @Test func `one that is given is repaired`() throws {
        let context = ModelContext(try .file(folder.file(), User.self))
        try context.store([User(1, "Ann"), User(2, "Bob")])
        try database.execute("UPDATE User SET role = 'gone', joined = 5, tags = '[' WHERE id = 1")
        #expect(try context.synchronize([User(1, "Ann"), User(2, "Bob")]).updated == [1])
        try context.save()
        #expect(try context.users() == [User(1, "Ann"), User(2, "Bob")])
    }

    @Test func `one with a key of several columns is deleted`() throws {
        let context = ModelContext(try .file(folder.file(), Membership.self))
        try context.store([
            Membership(team: "a", since: 1, user: 1), Membership(team: "b", since: 1, user: 1),
        ])
        try database.loosen("Membership")
        try database.execute("UPDATE Membership SET since = 'broken'")
        #expect(throws: ModelDecodingError.self) {
            try context.fetch(FetchDescriptor<Membership>())
        }
        let kept = Membership(team: "b", since: 2, user: 1)
        let changes = try context.synchronize([kept])
        #expect(changes.deleted == [Membership.ID(team: "a", user: 1)])
        #expect(changes.updated == [kept.id])
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Membership>()) == [kept])
    }

    @Test func `one with a key of transformed columns is deleted`() throws {
        let context = ModelContext(try .file(folder.file(), Digest.self))
        let id = Digest.ID(hash: Data([0xAB, 1]), part: 7)
        try context.store([Digest(hash: id.hash, part: id.part, size: 1)])
        try database.loosen("Digest")
        try database.execute("UPDATE Digest SET size = 'broken'")
        #expect(try context.synchronize([Digest]()).deleted == [id])
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Digest>()) == 0)
    }

    @Test func `a key of several columns that is none is an error`() throws {
        let context = ModelContext(try .file(folder.file(), Membership.self))
        try context.store([Membership(team: "a", since: 1, user: 1)])
        try database.loosen("Membership")
        try database.execute("UPDATE Membership SET user = 'broken'")
        let error = #expect(throws: ModelDecodingError.self) {
            try context.synchronize([Membership]())
        }
        #expect(error?.path == "user")
        #expect(!context.hasChanges)
    }

    @Test func `a key that is none is an error, and nothing waits`() throws {
        try database.execute("CREATE TABLE Country (code PRIMARY KEY, name)")
        let context = ModelContext(try .file(folder.file(), Country.self))
        try database.execute("INSERT INTO Country VALUES (x'00', 's3cret')")
        let error = #expect(throws: ModelDecodingError.self) {
            try context.synchronize([Country(code: "a", name: "b")])
        }
        #expect(error?.path == "code")
        #expect(!context.hasChanges)
    }
}
