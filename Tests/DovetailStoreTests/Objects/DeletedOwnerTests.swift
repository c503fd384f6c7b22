import Dovetail
import StoreTestSupport
import Testing

@Model private final class Squad {
    @Attribute(.primaryKey) var id: Int
    init(_ id: Int) { self.id = id }
}

@Model private struct Pennant: Identifiable {
    let id: Int
    @Attribute(.references(Squad.self, deleteRule: .cascade)) var squad: Int?
}

@Model private struct Trophy: Identifiable {
    let id: Int
    @Attribute(.references(Squad.self, deleteRule: .nullify)) var squad: Int?
}

/// Values whose references lead to objects that wait to be deleted.
@Suite struct DeletedOwnerTests {
    @Test(arguments: StoreKind.allCases)
    func `a fetch of values sees what the deletion of an object makes of them`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(
            try kind.container(Squad.self, Pennant.self, Trophy.self)
        )
        let (one, other) = (Squad(1), Squad(2))
        context.insert(one)
        context.insert(other)
        for id in 1...2 {
            context.insert(Pennant(id: id, squad: id))
            context.insert(Trophy(id: id, squad: id))
        }
        try context.save()
        func check(_ pennants: [Int], _ trophies: [Int?]) throws {
            let byID = [SortDescriptor(\Pennant.id)]
            #expect(try context.fetch(FetchDescriptor(sortBy: byID)).map(\.id) == pennants)
            #expect(try context.fetchCount(FetchDescriptor<Pennant>()) == pennants.count)
            let found = try context.fetch(FetchDescriptor<Trophy>(sortBy: [SortDescriptor(\.id)]))
            #expect(found.map(\.squad) == trophies)
            let none = FetchDescriptor<Trophy>(predicate: #Predicate { $0.squad == nil })
            #expect(try context.fetchCount(none) == trophies.filter { $0 == nil }.count)
        }
        try check([1, 2], [1, 2])
        context.delete(one)
        try check([2], [nil, 2])
        context.rollback()
        try check([1, 2], [1, 2])
        context.delete(one)
        context.insert(Pennant(id: 3, squad: 2))
        try check([2, 3], [nil, 2])
        try context.save()
        try check([2, 3], [nil, 2])
    }
}
