import Dovetail
import StoreTestSupport
import Testing

@Model
enum Urgency: String, Comparable {
    case low, middle, high

    static func < (left: Urgency, right: Urgency) -> Bool {
        [.low, .middle, .high].firstIndex(of: left) ?? 0
            < [.low, .middle, .high].firstIndex(of: right) ?? 0
    }
}

@Model
struct Errand: Identifiable, Sendable {
    let id: Int
    var urgency: Urgency
    var later: Urgency?
}

@Suite struct OwnOrderTests {
    @Test(arguments: StoreKind.allCases)
    func `an enum with an order of its own is not ordered by its raw values`(kind: StoreKind) throws
    {
        let context = ModelContext(try kind.container(Errand.self))
        context.insert(contentsOf: [
            Errand(id: 1, urgency: .high, later: nil), Errand(id: 2, urgency: .low, later: nil),
            Errand(id: 3, urgency: .middle, later: nil),
        ])
        try context.save()
        let middle = Urgency.middle
        let urgent = FetchDescriptor<Errand>(predicate: #Predicate { $0.urgency > middle })
        #expect(throws: QueryError.self) { try context.fetch(urgent) }
        let sorted = FetchDescriptor<Errand>(sortBy: [SortDescriptor(\.urgency)])
        let error = #expect(throws: QueryError.self) { try context.fetch(sorted) }
        #expect(error?.expression == "urgency")
        let equal = FetchDescriptor<Errand>(predicate: #Predicate { $0.urgency == middle })
        #expect(try context.fetch(equal).map(\.id) == [3])
    }

    @Test(arguments: StoreKind.allCases)
    func `every way to ask for that order is refused with what to do instead`(
        kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.container(Errand.self))
        let high = Urgency.high
        let refused: [(ModelContext) throws -> Void] = [
            { _ = try $0.min(\Errand.urgency) },
            { _ = try $0.max(\Errand.later) },
            { _ = try $0.fetch(FetchDescriptor<Errand>(sortBy: [SortDescriptor(\.later)])) },
            {
                let range = Urgency.low...high
                let inside = #Predicate<Errand> { range.contains($0.urgency) }
                _ = try $0.fetchCount(FetchDescriptor(predicate: inside))
            },
            {
                let chained = #Predicate<Errand> { $0.later.flatMap { $0 < high } == true }
                _ = try $0.fetchCount(FetchDescriptor(predicate: chained))
            },
            {
                let either = #Predicate<Errand> { ($0.later ?? $0.urgency) >= high }
                _ = try $0.fetchCount(FetchDescriptor(predicate: either))
            },
        ]
        for ask in refused {
            let error = #expect(throws: QueryError.self) { try ask(context) }
            #expect(error?.explanation.contains("sort or filter the values") == true)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `groups are in the order of the enum`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Errand.self))
        let cases: [Urgency] = [.high, .low, .middle, .low, .high, .high]
        context.insert(
            contentsOf: cases.enumerated().map { index, urgency in
                Errand(id: index, urgency: urgency, later: index < 3 ? urgency : nil)
            }
        )
        try context.save()
        let counts = try context.select(.value(\Errand.urgency), .count())
        let urgencies = counts.map { pair in pair.0 }
        #expect(urgencies == [.low, .middle, .high])
        #expect(counts.map { pair in pair.1 } == [2, 1, 3])
        #expect(throws: QueryError.self) {
            try context.select(
                .value(\Errand.urgency),
                .count(),
                sortBy: [SortDescriptor(\.id, order: .reverse)]
            )
        }
        let page = try context.select(
            .value(\Errand.urgency),
            .value(\.later),
            .count(),
            having: .count() > 0,
            limit: 3,
            offset: 1
        )
        var texts: [String] = []
        for (urgency, later, count) in page {
            texts.append("\(urgency) \(later.map { "\($0)" } ?? "-") \(count)")
        }
        #expect(texts == ["low low 1", "middle middle 1", "high - 2"])
    }
}
