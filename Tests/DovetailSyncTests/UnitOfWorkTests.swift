import Dovetail
import StoreTestSupport
import Testing

@Suite struct UnitOfWorkTests {
    private let container: ModelContainer
    private let context: ModelContext
    private let stored = [User(1, "Ann"), User(2, "Bob"), User(3, "Cid")]

    init() throws {
        container = try .inMemory(User.self)
        context = ModelContext(container)
        try context.store(stored)
    }

    @Test func `nothing is written before it is saved`() throws {
        let given = [User(1, "Anna"), User(4, "Dora")]
        try context.synchronize(given)
        #expect(context.hasChanges)
        #expect(try context.users() == given)
        #expect(try ModelContext(container).users() == stored)
        context.rollback()
        #expect(!context.hasChanges)
        #expect(try context.users() == stored)
    }

    @Test func `what waits is compared as if it were saved`() throws {
        context.insert(User(4, "Dora"))
        context.insert(User(5, "Eve"))
        context.update(User(1, "Anna"))
        context.delete(User(3, "Cid"))
        let given = [User(1, "Anna"), User(3, "Cid"), User(4, "Dora"), User(2, "Rob")]
        let result = try context.synchronize(given)
        #expect(result.inserted == [3])
        #expect(result.updated == [2])
        #expect(result.deleted == [5])
        #expect(result.unchanged == 2)
        try context.save()
        #expect(try context.users() == given.sorted { $0.id < $1.id })
    }

    @Test func `two runs before one save`() throws {
        try context.synchronize([User(4, "Dora"), User(1, "Anna")])
        let result = try context.synchronize([User(1, "Ann"), User(5, "Eve")])
        #expect(result.inserted == [5])
        #expect(result.updated == [1])
        #expect(result.deleted == [4])
        try context.save()
        #expect(try context.users() == [User(1, "Ann"), User(5, "Eve")])
    }

    @Test func `what waits and cannot be written stops the save, and goes on waiting`() throws {
        context.insert(User(1, "taken"))
        try context.synchronize([User(9, "Nina")])
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
        #expect(context.hasChanges)
        #expect(try ModelContext(container).users() == stored)
        context.rollback()
        #expect(try context.users() == stored)
    }

    @Test func `changes after it are part of the same save`() throws {
        try context.transaction {
            try context.synchronize([User(1, "Anna")])
            context.insert(User(2, "new"))
            context.update(User(1, "Annabel"))
        }
        #expect(try ModelContext(container).users() == [User(1, "Annabel"), User(2, "new")])
    }

    @Test func `a row that appears before the save makes it fail as a whole`() throws {
        try context.synchronize([User(1, "Anna"), User(7, "Gus")])
        try ModelContext(container).store([User(7, "faster")])
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
        #expect(try ModelContext(container).users() == stored + [User(7, "faster")])
        context.rollback()
        try context.synchronize([User(1, "Anna"), User(7, "Gus")])
        try context.save()
        #expect(try context.users() == [User(1, "Anna"), User(7, "Gus")])
    }

    @Test func `a row that vanishes before the save makes it fail as a whole`() throws {
        try context.synchronize([User(1, "Anna"), User(7, "Gus")])
        let other = ModelContext(container)
        other.delete(User(1, ""))
        try other.save()
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .planOutdated && error?.keys == [[.integer(1)]])
        #expect(try ModelContext(container).users() == Array(stored[1...]))
    }
}
