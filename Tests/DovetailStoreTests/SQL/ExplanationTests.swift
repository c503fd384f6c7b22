import Dovetail
import StoreTestSupport
import Testing

@Model struct Pallet: Identifiable, Sendable {
    #Index<Pallet>([\.city])

    let id: Int
    var city: String
    var weight: Double
    var price: Decimal
    var tags: [String]
}

/// What a store says about its way to the rows.
@Suite struct ExplanationTests {
    private let context: ModelContext

    init() throws {
        context = ModelContext(try StoreKind.sqlite.container(Pallet.self))
    }

    private func explain(
        _ predicate: Predicate<Pallet>?,
        sortBy: [SortDescriptor<Pallet>] = []
    ) throws -> QueryExplanation {
        try context.explain(FetchDescriptor(predicate: predicate, sortBy: sortBy))
    }

    @Test func `a condition without an index is gone over, and the index that helps is named`()
        throws
    {
        let heavy = try explain(#Predicate { $0.weight > 7.25 })
        #expect(heavy.statement.hasSuffix(#"FROM "Pallet" WHERE ("weight" > ?1)"#))
        #expect(heavy.steps == ["goes over all rows of Pallet"])
        #expect(heavy.advice == #"An index of weight would help: #Index<Pallet>([\.weight])"#)
        #expect(!heavy.description.contains("7.25"))
        #expect(heavy.debugDescription.contains("7.25"))
    }

    @Test func `a page after a value begins in the index of its order`() throws {
        let last = Pallet(id: 7, city: "Bonn", weight: 1, price: 1, tags: [])
        let page = FetchDescriptor<Pallet>(
            sortBy: [SortDescriptor(\.city, comparator: .lexical)],
            after: last
        )
        let byCity = try context.explain(page)
        #expect(byCity.steps.count == 1 && byCity.steps[0].contains("(city>?)"), "\(byCity)")
        #expect(byCity.values.contains(.text("Bonn")))
        let byKey = try context.explain(FetchDescriptor<Pallet>(after: last))
        #expect(byKey.steps.count == 1 && byKey.steps[0].hasPrefix("looks up rows"), "\(byKey)")
    }

    @Test func `keys and indexes are looked up`() throws {
        let byKey = try explain(#Predicate { $0.id == 3 })
        #expect(
            byKey.steps.count == 1 && byKey.steps[0].hasPrefix("looks up rows of Pallet by the key")
        )
        #expect(byKey.advice == nil)
        let byCity = try explain(#Predicate { $0.city == "Bonn" && $0.weight > 1 })
        #expect(byCity.steps.count == 1 && byCity.steps[0].contains("(city=?)"))
        #expect(byCity.advice == nil)
        let list = (0..<100).map { "\($0)" }
        let byList = try explain(#Predicate { list.contains($0.city) })
        #expect(byList.steps.contains { $0.contains("(city=?)") })
        #expect(byList.advice == nil)
    }

    @Test func `what no index serves is said`() throws {
        let tagged = try explain(#Predicate { $0.tags.contains("x") })
        #expect(tagged.advice?.hasPrefix("No index can serve") == true)
        #expect(try explain(#Predicate { $0.price > 1 }).advice?.hasPrefix("No index") == true)
        let all = try explain(nil, sortBy: [SortDescriptor(\.weight)])
        #expect(all.steps == ["goes over all rows of Pallet", "sorts the rows for order by"])
        #expect(all.advice == nil)
    }

    @Test func `the memory store has no language`() throws {
        let memory = ModelContext(try StoreKind.memory.container(Pallet.self))
        let explanation = try memory.explain(FetchDescriptor<Pallet>())
        #expect(explanation.statement.isEmpty)
        #expect(explanation.description == "- asks the condition of each row of Pallet")
    }
}
