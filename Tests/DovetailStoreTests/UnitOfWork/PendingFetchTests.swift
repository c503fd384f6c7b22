import Dovetail
import StoreTestSupport
import Testing

@testable import DovetailTesting

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

    @Test func `a key is free again after a deletion by a predicate that waits`() throws {
        context.insert(Pet(5, "Five"))
        try context.delete(model: Pet.self, where: #Predicate { $0.name == "Five" })
        context.insert(Pet(5, "Again"))
        #expect(try context.fetch(all).last == Pet(5, "Again"))
        try context.save()
        #expect(try context.fetch(all).last == Pet(5, "Again"))
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

    @Test func `limits and offsets of any size`() throws {
        context.insert(Pet(5, "Five"))
        for (limit, offset, expected) in [
            (Int.max, 0, 5), (Int.max, 4, 1), (Int.max, .max, 0), (1, .max, 0), (0, 0, 0),
            (3, 3, 2),
        ] {
            var page = all
            page.fetchLimit = limit
            page.fetchOffset = offset
            #expect(try context.fetch(page).count == expected)
            #expect(try context.fetchCount(page) == expected)
        }
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

    @Test func `what another context saves while rows are gone over stays`() throws {
        let other = ModelContext(container)
        context.insert(Pet(5, "Five"))
        try context.withRows(of: all) { cursor, _ in
            _ = try cursor.next()
            other.insert(Pet(6, "Six"))
            try other.save()
        }
        #expect(try ModelContext(container).fetch(all).map(\.id) == [1, 2, 3, 4, 6])
        try context.save()
        #expect(try ModelContext(container).fetch(all).map(\.id) == [1, 2, 3, 4, 5, 6])
    }

    @Test func `nothing is saved while a deletion by predicate is tried out`() throws {
        let other = ModelContext(container)
        try context.delete(model: Pet.self, where: #Predicate { $0.id == 1 })
        try context.withRows(of: all) { _, _ in
            other.insert(Pet(6, "Six"))
            #expect {
                try other.save()
            } throws: {
                ($0 as? StoreError)?.kind == .wouldDeadlock
            }
        }
        try other.save()
        try context.save()
        #expect(try ModelContext(container).fetch(all).map(\.id) == [2, 3, 4, 6])
    }

    @Test func `an insert and a fetch while rows are gone over`() throws {
        try context.withRows(of: all) { cursor, _ in
            _ = try cursor.next()
            context.insert(Pet(5, "Five"))
            try #expect(context.fetch(all).count == 5)
            #expect(throws: StoreError.self) { try context.save() }
        }
        #expect(try context.fetchCount(all) == 5)
        try context.save()
        #expect(try ModelContext(container).fetchCount(all) == 5)
    }

    /// Seeded histories of one context, against a context that saves after each step.
    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `what waits looks like what is saved`(seed: UInt64, kind: StoreKind) throws {
        var maker = TermMaker(kind.random(seed))
        let waiting = ModelContext(try kind.container(WideRow.self))
        let saving = ModelContext(try kind.container(WideRow.self))
        let rows = (0..<40).map { WideRow.random($0, using: &maker.random) }
        for context in [waiting, saving] {
            context.insert(contentsOf: rows)
            try context.save()
        }
        var known = Set(rows.map(\.id))
        for step in 0..<120 {
            let row = WideRow.random(maker.random.below(80), using: &maker.random)
            let verb = maker.random.below(5)
            for context in [waiting, saving] {
                switch verb {
                case 0: context.delete(row)
                case 1: context.upsert(row)
                default:
                    if known.contains(row.id) {
                        context.update(row)
                    } else {
                        context.insert(row)
                    }
                }
            }
            if verb == 0 { known.remove(row.id) } else { known.insert(row.id) }
            try saving.save()
            if maker.random.isOne(in: 40) { try waiting.save() }
            let term = maker.predicate()
            var query = FetchDescriptor(
                predicate: term.predicate,
                sortBy: [
                    SortDescriptor(
                        \WideRow.count,
                        order: maker.random.isOne(in: 2) ? .forward : .reverse
                    ),
                    SortDescriptor(\WideRow.id),
                ]
            )
            if maker.random.isOne(in: 3) { query.fetchLimit = maker.random.below(10) }
            if maker.random.isOne(in: 3) { query.fetchOffset = maker.random.below(10) }
            let comment: Comment = "\(kind), seed \(seed), step \(step): \(term.predicateSource())"
            #expect(try waiting.fetch(query) == saving.fetch(query), comment)
            #expect(try waiting.fetchCount(query) == saving.fetchCount(query), comment)
            let id = row.id
            let one = FetchDescriptor<WideRow>(predicate: #Predicate { $0.id == id })
            #expect(try waiting.fetch(one) == saving.fetch(one), comment)
            // What waits is found by what a column holds.
            let (count, name) = (row.count, row.name)
            for predicate in [
                #Predicate<WideRow> { $0.count == count }, #Predicate<WideRow> { $0.name == name },
                #Predicate<WideRow> { $0.name == name && $0.count == count },
            ] {
                let some = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.id)])
                #expect(try waiting.fetch(some) == saving.fetch(some), comment)
            }
        }
    }
}
