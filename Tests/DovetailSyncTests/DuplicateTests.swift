import Dovetail
import StoreTestSupport
import Testing

@Suite struct DuplicateTests {
    private let context: ModelContext

    init() throws {
        context = ModelContext(try .inMemory(User.self, Country.self, Membership.self))
        try context.store([User(1, "Ann"), User(2, "Bob")])
    }

    @Test func `equal elements of one key count once`() throws {
        let result = try context.synchronize([
            User(1, "Ann"), User(3, "Cid"), User(3, "Cid"), User(1, "Ann"), User(2, "Rob"),
            User(3, "Cid"), User(2, "Rob"),
        ])
        #expect(result.inserted == [3])
        #expect(result.updated == [2])
        #expect(result.deleted.isEmpty)
        #expect(result.unchanged == 1)
        try context.save()
        #expect(try context.users() == [User(1, "Ann"), User(2, "Rob"), User(3, "Cid")])
    }

    @Test func `different elements of one key are an error with their positions`() throws {
        context.insert(User(9, "waits"))
        let error = #expect(throws: SynchronizeError.self) {
            try context.synchronize([
                User(1, "Ann"), User(5, "x"), User(1, "Ann"), User(5, "s3cret"),
            ])
        }
        #expect(error == SynchronizeError(table: "User", positions: [1, 3]))
        #expect(
            error?.description
                == "User: the elements at 1 and 3 have the same key and are not equal"
        )
        try context.save()
        #expect(try context.users().map(\.id) == [1, 2, 9])
    }

    @Test func `the first of several is the one that others are compared to`() throws {
        let error = #expect(throws: SynchronizeError.self) {
            try context.synchronize([User(5, "a"), User(5, "a"), User(5, "b")])
        }
        #expect(error?.positions == [0, 2])
    }

    @Test func `keys of several columns`() throws {
        let memberships = [
            Membership(team: "a", since: 1, user: 1), Membership(team: "a", since: 1, user: 2),
            Membership(team: "b", since: 1, user: 1), Membership(team: "a", since: 1, user: 1),
        ]
        #expect(try context.synchronize(memberships).inserted == memberships[..<3].map(\.id))
        let error = #expect(throws: SynchronizeError.self) {
            try context.synchronize(memberships + [Membership(team: "b", since: 2, user: 1)])
        }
        #expect(error == SynchronizeError(table: "Membership", positions: [2, 4]))
    }
}
