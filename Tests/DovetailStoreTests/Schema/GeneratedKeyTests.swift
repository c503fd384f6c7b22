import Dovetail
import StoreTestSupport
import Testing

@Suite struct GeneratedKeyTests {
    private let context: ModelContext
    private let all = FetchDescriptor<Memo>(sortBy: [SortDescriptor(\.text, comparator: .lexical)])

    init() throws {
        context = ModelContext(try .inMemory(Memo.self))
    }

    @Test func `the keys come back in the order of the values`() throws {
        context.insert(Memo(id: nil, text: "a"))
        context.insert(contentsOf: [Memo(id: 10, text: "b"), Memo(id: nil, text: "c")])
        try context.save()
        #expect(context.lastCommit.keys(of: Memo.self) == [1, 10, 11])
        context.upsert([Memo(id: 10, text: "B"), Memo(id: nil, text: "d")])
        try context.save()
        #expect(context.lastCommit.keys(of: Memo.self) == [10, 12])
        #expect(context.lastCommit.keys(of: Worker.self) == [])
        #expect(try context.fetch(all).map(\.id) == [10, 1, 11, 12])
    }

    @Test func `a key is never given twice`() throws {
        context.insert(contentsOf: (0..<3).map { Memo(id: nil, text: "\($0)") })
        try context.save()
        try context.delete(model: Memo.self)
        try context.save()
        context.insert(Memo(id: nil, text: "new"))
        try context.save()
        #expect(context.lastCommit.keys(of: Memo.self) == [4])
        try context.save()
        #expect(context.lastCommit == Commit())
    }

    @Test func `a page cannot begin after a value without a key`() throws {
        let page = FetchDescriptor<Memo>(after: Memo(id: nil, text: "x"))
        #expect(page.after == Memo(id: nil, text: "x"))
        #expect {
            try context.fetch(page)
        } throws: {
            "\($0)".contains("no key yet")
        }
    }

    @Test func `values without a key are seen before they are saved`() throws {
        context.insert(contentsOf: ["x", "y", "y"].map { Memo(id: nil, text: $0) })
        context.insert(Memo(id: 1, text: "z"))
        #expect(try context.fetch(all).map(\.text) == ["x", "y", "y", "z"])
        let named = FetchDescriptor<Memo>(predicate: #Predicate { $0.text == "y" })
        #expect(try context.fetchCount(named) == 2)
        #expect(try context.fetchCount(FetchDescriptor<Memo>()) == 4)
        context.rollback()
        #expect(try context.fetch(all).isEmpty)
    }

    @Test func `a transaction gives the keys of all its saves`() throws {
        try context.transaction {
            context.insert(Memo(id: nil, text: "a"))
            try context.save()
            #expect(context.lastCommit.keys(of: Memo.self) == [1])
            try context.transaction { context.insert(Memo(id: nil, text: "b")) }
            try? context.transaction {
                context.insert(Memo(id: nil, text: "lost"))
                try context.save()
                throw CancellationError()
            }
            context.insert(Memo(id: nil, text: "c"))
        }
        #expect(context.lastCommit.keys(of: Memo.self) == [1, 2, 3])
        #expect(try context.fetch(all).map(\.id) == [1, 2, 3])
    }

    @Test func `a value without a key is neither updated nor deleted`() throws {
        context.insert(Memo(id: nil, text: "a"))
        try context.save()
        context.update(Memo(id: nil, text: "b"))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .notFound)
        context.rollback()
        context.delete(Memo(id: nil, text: "a"))
        try context.save()
        #expect(try context.fetch(all).map(\.text) == ["a"])
    }

    @Test func `synchronize inserts values without a key`() throws {
        context.insert(contentsOf: [Memo(id: 1, text: "a"), Memo(id: 2, text: "b")])
        try context.save()
        let wanted = [Memo(id: 2, text: "b"), Memo(id: nil, text: "c"), Memo(id: nil, text: "d")]
        let changes = try context.synchronize(wanted)
        #expect(changes.deleted == [1])
        #expect(changes.inserted == [nil, nil])
        #expect(changes.unchanged == 1)
        try context.save()
        #expect(try context.fetch(all).map(\.text) == ["b", "c", "d"])
    }
}
