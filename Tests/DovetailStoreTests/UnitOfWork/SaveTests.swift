import Dovetail
import StoreTestSupport
import Testing

@Suite struct SaveTests {
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        container = try .inMemory(Pet.self, Seat.self)
        context = ModelContext(container)
        context.insert(contentsOf: Pet.four)
        try context.save()
    }

    private func stored() throws -> [Pet] {
        try ModelContext(container).fetch(FetchDescriptor<Pet>(sortBy: [SortDescriptor(\.id)]))
    }

    @Test func `insert adds one value and a sequence of values`() throws {
        context.insert(Pet(5, "Five"))
        context.insert(contentsOf: (6...8).lazy.map { Pet($0, "Pet \($0)") })
        context.insert(contentsOf: [Pet]())
        try context.save()
        #expect(try stored().map(\.id) == Array(1...8))
    }

    @Test func `upsert adds what is new and replaces every column of the rest`() throws {
        context.upsert([Pet(1, "One"), Pet(9, "Nine")])
        context.upsert(Pet(2, "Two"))
        try context.save()
        #expect(
            try stored() == [Pet(1, "One"), Pet(2, "Two")] + Pet.four[2...] + [Pet(9, "Nine")]
        )
    }

    @Test func `update replaces every column of what exists`() throws {
        context.update(Pet(1, "One"))
        context.update([Pet(2, "Two"), Pet(3, "Three")])
        try context.save()
        #expect(try stored() == [Pet(1, "One"), Pet(2, "Two"), Pet(3, "Three"), Pet.four[3]])
    }

    @Test func `delete removes by key and passes over what is not there`() throws {
        context.delete(Pet(1, "another name"))
        context.delete([Pet.four[1], Pet(99, "nobody")])
        try context.save()
        #expect(try stored() == Array(Pet.four[2...]))
    }

    @Test func `delete by predicate, and of all`() throws {
        try context.delete(model: Pet.self, where: #Predicate { $0.isTame })
        try context.save()
        #expect(try stored() == [Pet.four[1]])
        try context.delete(model: Pet.self)
        try context.save()
        #expect(try stored().isEmpty)
    }

    @Test func `operations happen in the order in which they came`() throws {
        context.delete(Pet.four[0])
        context.insert(Pet(1, "first"))
        context.update(Pet(1, "second"))
        try context.delete(model: Pet.self, where: #Predicate { $0.name == "second" })
        context.insert(Pet(1, "third"))
        context.insert(Seat(row: "A", number: 1))
        context.upsert(Pet(1, "fourth"))
        context.delete(Seat(row: "A", number: 1))
        try context.save()
        #expect(try stored()[0] == Pet(1, "fourth"))
        #expect(try context.fetchCount(FetchDescriptor<Seat>()) == 0)
    }

    @Test func `one failing row in the middle leaves everything as it was`() throws {
        context.delete(Pet.four[3])
        context.insert(Seat(row: "A", number: 1))
        context.insert(contentsOf: [Pet(5, "Five"), Pet(2, "taken"), Pet(6, "Six")])
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
        #expect(error?.table == "Pet")
        #expect(error?.column == "id")
        #expect(try stored() == Pet.four)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Seat>()) == 0)

        #expect(context.hasChanges)
        #expect(throws: StoreError.self) { try context.save() }
        // A fetch puts what waits over the store, and leaves it to `save` to refuse.
        let byKey = FetchDescriptor<Pet>(sortBy: [SortDescriptor(\.id)])
        #expect(try context.fetch(byKey).map(\.name) == ["Rex", "taken", "Bubbles", "Five", "Six"])
        #expect(try context.fetchCount(FetchDescriptor<Seat>()) == 1)

        context.rollback()
        #expect(!context.hasChanges)
        context.insert(Pet(5, "Five"))
        try context.save()
        #expect(try stored() == Pet.four + [Pet(5, "Five")])
    }

    @Test func `everything still waits, so that the cause can be removed`() throws {
        context.insert(contentsOf: [Pet(5, "Five"), Pet(2, "taken")])
        #expect(throws: StoreError.self) { try context.save() }
        let other = ModelContext(container)
        other.delete(Pet.four[1])
        try other.save()
        try context.save()
        #expect(try stored().map(\.name) == ["Rex", "taken", "Bubbles", "max \"the\" 2nd", "Five"])
    }

    @Test func `updating what does not exist`() throws {
        context.update([Pet(1, "One"), Pet(99, "nobody")])
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .notFound)
        #expect(error?.table == "Pet")
        #expect(try stored() == Pet.four)
    }

    @Test func `hasChanges tells what waits`() throws {
        #expect(!context.hasChanges)
        context.insert(contentsOf: [Pet]())
        #expect(!context.hasChanges)
        try context.save()
        context.delete(Pet(99, "nobody"))
        #expect(context.hasChanges)
        try context.save()
        #expect(!context.hasChanges)
        try context.delete(model: Pet.self)
        #expect(context.hasChanges)
        context.rollback()
        #expect(!context.hasChanges)
    }
}
