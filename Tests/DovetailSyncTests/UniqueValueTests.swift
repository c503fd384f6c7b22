import Dovetail
import StoreTestSupport
import Testing

/// A table with a second unique column.
@Suite struct UniqueValueTests {
    private let folder: TemporaryFolder
    private let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        context = ModelContext(try .file(folder.file(), Country.self))
        try RawDatabase(folder.file()).execute("CREATE UNIQUE INDEX names ON Country (name)")
        try context.store([Country(code: "a", name: "1"), Country(code: "b", name: "2")])
    }

    private func expect(_ given: [Country]) throws {
        try context.synchronize(given)
        try context.save()
        let order = [SortDescriptor(\Country.code, comparator: .lexical)]
        #expect(try context.fetch(FetchDescriptor(sortBy: order)) == given)
    }

    @Test func `a value passes from a deleted row to a new one`() throws {
        try expect([Country(code: "b", name: "2"), Country(code: "c", name: "1")])
    }

    @Test func `a value passes from a deleted row to an updated one`() throws {
        try expect([Country(code: "b", name: "1")])
    }

    @Test func `a value passes from an updated row to a new one`() throws {
        try expect([
            Country(code: "a", name: "3"), Country(code: "b", name: "2"),
            Country(code: "c", name: "1"),
        ])
    }

    @Test func `two rows swap a value`() throws {
        try expect([Country(code: "a", name: "2"), Country(code: "b", name: "1")])
    }

    @Test func `values that stay taken are refused, and nothing changes`() throws {
        context.update([Country(code: "a", name: "3"), Country(code: "b", name: "3")])
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
        context.rollback()
        let stored = try context.fetch(FetchDescriptor<Country>())
        #expect(stored == [Country(code: "a", name: "1"), Country(code: "b", name: "2")])
    }
}

/// A model with a second unique attribute.
@Model
struct Seat: Identifiable, Equatable {
    let id: Int
    @Attribute(.unique) var label: String?
    var row = 0
}

@Suite struct CollisionTests {
    @Test(arguments: StoreKind.allCases)
    func `two values with one unique value are an error that names both rows`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.container(Seat.self))
        let stored = [
            Seat(id: 1, label: "a"), Seat(id: 2, label: "b"), Seat(id: 3, label: nil),
            Seat(id: 4, label: nil),
        ]
        try context.store(stored)
        func expectRefused(_ given: [Seat], _ keys: Set<Int64>, _ line: Comment) throws {
            try context.synchronize(given)
            let error = #expect(throws: StoreError.self, line) { try context.save() }
            #expect(error?.kind == .uniqueViolation && error?.column == "label", line)
            #expect(Set(error?.keys ?? []) == Set(keys.map { [.integer($0)] }), line)
            context.rollback()
            let all = FetchDescriptor<Seat>(sortBy: [SortDescriptor(\.id)])
            #expect(try context.fetch(all) == stored, line)
        }
        try expectRefused(stored + [Seat(id: 5, label: "b")], [2, 5], "a new row")
        try expectRefused(
            [stored[0], Seat(id: 2, label: "a"), stored[2], stored[3]],
            [1, 2],
            "a changed row"
        )
        try expectRefused(
            [Seat(id: 1, label: "z"), Seat(id: 2, label: "z"), stored[2], stored[3]],
            [1, 2],
            "two changed rows"
        )
        context.insert(contentsOf: [Seat(id: 8, label: "x"), Seat(id: 9, label: "x")])
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.keys == [[.integer(9)], [.integer(8)]])
        context.rollback()
        let swapped = [Seat(id: 1, label: "b"), Seat(id: 2, label: "a"), stored[2], stored[3]]
        try context.synchronize(swapped)
        try context.save()
        #expect(try context.synchronize(swapped).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `a plan that swaps unique values is undone`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Seat.self))
        let stored = [Seat(id: 1, label: "a"), Seat(id: 2, label: "b"), Seat(id: 3, label: "c")]
        try context.store(stored)
        let given = [Seat(id: 1, label: "b"), Seat(id: 2, label: "a"), Seat(id: 4, label: "c")]
        let plan = try context.plan(given)
        try context.apply(plan, of: given)
        try context.save()
        try plan.undo(in: context)
        try context.save()
        let all = FetchDescriptor<Seat>(sortBy: [SortDescriptor(\.id)])
        #expect(try context.fetch(all) == stored)
    }
}
