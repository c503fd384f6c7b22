import Dovetail
import StoreTestSupport
import Testing

@Suite struct SynchronizeTests {
    private let context: ModelContext
    private let stored = [User(1, "Ann", age: 30), User(2, "Bob"), User(3, "Cid")]

    init() throws {
        context = ModelContext(try .inMemory(User.self, Country.self))
        try context.store(stored)
    }

    @Test func `new values are inserted, different ones updated, the rest deleted`() throws {
        let given = [User(4, "Dora"), User(2, "Bob"), User(1, "Ann", age: 31)]
        let result = try context.synchronize(given)
        #expect(result.inserted == [4])
        #expect(result.updated == [1])
        #expect(result.deleted == [3])
        #expect(result.unchanged == 1)
        #expect(!result.isEmpty)
        #expect(result.description == "1 inserted, 1 updated, 1 deleted, 1 unchanged")
        try context.save()
        #expect(try context.users() == given.sorted { $0.id < $1.id })
    }

    @Test func `a second run changes nothing`() throws {
        let given = [User(2, "Bob"), User(9, "Nina")]
        try context.synchronize(given)
        try context.save()
        for list in [given, given.reversed()] {
            let result = try context.synchronize(list)
            #expect(result.isEmpty)
            #expect(result.unchanged == 2)
            #expect(!context.hasChanges)
        }
    }

    @Test func `an empty list empties the store`() throws {
        let result = try context.synchronize([User]())
        #expect(result.deleted == [1, 2, 3])
        #expect(result.inserted.isEmpty && result.updated.isEmpty && result.unchanged == 0)
        try context.save()
        #expect(try context.users().isEmpty)
        #expect(try context.synchronize([User]()).isEmpty)
    }

    @Test func `an empty store is filled, in any order and from any sequence`() throws {
        try context.delete(model: User.self)
        let result = try context.synchronize((1...5).reversed().lazy.map { User($0, "\($0)") })
        #expect(result.inserted == [5, 4, 3, 2, 1])
        try context.save()
        #expect(try context.users().map(\.id) == [1, 2, 3, 4, 5])
    }

    static let changes: [@Sendable (inout User) -> Void] = [
        { $0.name = "ann" }, { $0.name = "" }, { $0.age = nil }, { $0.age = 0 },
        { $0.score = -.infinity }, { $0.role = .owner },
        { $0.joined = Date(timeIntervalSinceReferenceDate: 0.001) }, { $0.tags = [""] },
        { $0.balance = Decimal(string: "0.001") ?? 0 },
    ]

    @Test(arguments: changes.indices)
    func `any column that is different makes an update`(index: Int) throws {
        var given = stored
        Self.changes[index](&given[0])
        let result = try context.synchronize(given)
        #expect(result.updated == [1])
        #expect(result.unchanged == 2)
        try context.save()
        #expect(try context.users() == given)
    }

    @Test func `the changes name rows and count what stayed`() throws {
        let given = [stored[0], User(2, "Benedict"), User(4, "Dora")]
        let changes: EntityChanges<Int> = try context.synchronize(given)
        #expect(changes.inserted == [4])
        #expect(changes.updated == [2])
        #expect(changes.deleted == [3])
        #expect(changes.unchanged == 1)
        #expect(!changes.isEmpty)
        #expect("\(changes)" == "1 inserted, 1 updated, 1 deleted, 1 unchanged")
        #expect(try context.synchronize(given).isEmpty)
    }

    @Test func `other models are left alone`() throws {
        try context.store([Country(code: "de", name: "Germany")])
        try context.synchronize([User]())
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Country>()) == 1)
    }

    @Test func `a model that the container was made without`() throws {
        let error = #expect(throws: StoreError.self) { try context.synchronize([Membership]()) }
        #expect(error?.kind == .invalidSchema)
    }

    @Test func `a value that no column can hold`() throws {
        var broken = User(4, "Dora")
        broken.score = .nan
        #expect(throws: ModelEncodingError.self) { try context.synchronize(stored + [broken]) }
        #expect(!context.hasChanges)
    }
}
