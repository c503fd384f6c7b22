import Dovetail
import StoreTestSupport
import Testing

/// A fetch sees what waits in its own context, and nothing of other contexts.
@Suite struct PendingFetchTests {
    private let container: ModelContainer
    private let context: ModelContext
    private let all = FetchDescriptor<Pet>(sortBy: [SortDescriptor(\.id)])

    init() throws {
        container = try .inMemory(Pet.self, Seat.self)
        context = ModelContext(container)
        context.insert(contentsOf: Pet.four)
        try context.save()
    }

    @Test func `inserted, changed and deleted values are seen before they are saved`() throws {
        context.insert(Pet(5, "Five"))
        context.update(Pet(1, "One"))
        context.delete(Pet.four[1])
        try context.delete(model: Pet.self, where: #Predicate { $0.id == 3 })
        let expected = [Pet(1, "One"), Pet.four[3], Pet(5, "Five")]
        #expect(try context.fetch(all) == expected)
        #expect(try context.fetchCount(all) == 3)
        let named = FetchDescriptor<Pet>(predicate: #Predicate { $0.name == "One" })
        #expect(try context.fetch(named).map(\.id) == [1])

        #expect(try ModelContext(container).fetch(all) == Pet.four)
        #expect(context.hasChanges)
        try context.save()
        #expect(try ModelContext(container).fetch(all) == expected)
    }

    @Test func `a fetch leaves the store alone`() throws {
        let folder = try TemporaryFolder()
        let context = ModelContext(try .file(folder.file(), Pet.self))
        let other = try RawDatabase(folder.file())
        let before = try other.value("PRAGMA data_version")
        context.insert(Pet(1, "Rex"))
        #expect(try context.fetchCount(all) == 1)
        #expect(try other.value("SELECT count(*) FROM Pet") == "0")
        #expect(try other.value("PRAGMA data_version") == before)
    }

    @Test func `after rollback nothing of it is seen`() throws {
        context.insert(Pet(5, "Five"))
        try context.delete(model: Pet.self, where: #Predicate { $0.id < 3 })
        context.rollback()
        #expect(try context.fetch(all) == Pet.four)
    }

    @Test func `what waits for another model is no obstacle`() throws {
        context.insert(Seat(row: "A", number: 1))
        context.insert(Seat(row: "A", number: 1))
        #expect(try context.fetch(all) == Pet.four)
        #expect(throws: StoreError.self) { try context.fetch(FetchDescriptor<Seat>()) }
    }

    @Test func `limit, offset and order count what waits`() throws {
        context.insert(Pet(0, "Zero"))
        var page = all
        page.fetchLimit = 2
        #expect(try context.fetch(page).map(\.id) == [0, 1])
        page.fetchOffset = 4
        #expect(try context.fetch(page).map(\.id) == [4])
    }

    @Test func `fetching while rows are gone over`() throws {
        var seen: [Int] = []
        try context.withRows(of: all) { cursor, _ in
            while try cursor.next() {
                seen.append(Int(cursor.integer(0) ?? -1))
                #expect(try context.fetch(all) == Pet.four)
                #expect(try context.fetchCount(all) == 4)
            }
        }
        #expect(seen == [1, 2, 3, 4])
    }

    @Test func `rows that are left early do not hold the store`() throws {
        try context.withRows(of: all) { cursor, _ in _ = try cursor.next() }
        try context.delete(model: Pet.self)
        try context.save()
        #expect(try context.fetch(all).isEmpty)
    }
}
