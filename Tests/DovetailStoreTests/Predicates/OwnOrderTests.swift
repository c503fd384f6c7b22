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
}

@Suite struct OwnOrderTests {
    @Test(arguments: StoreKind.allCases)
    func `an enum with an order of its own is not ordered by its raw values`(kind: StoreKind) throws
    {
        let context = ModelContext(try kind.container(Errand.self))
        context.insert(contentsOf: [
            Errand(id: 1, urgency: .high), Errand(id: 2, urgency: .low),
            Errand(id: 3, urgency: .middle),
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
}
