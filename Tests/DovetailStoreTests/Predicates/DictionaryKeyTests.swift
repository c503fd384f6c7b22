import Dovetail
import StoreTestSupport
import Testing

@Model enum RosterShift: String, CaseIterable { case early, late }

@Model struct Roster: Equatable {
    var staff: [RosterShift: Int] = [:]
    var floors: [Int: String] = [:]
}

@Model struct RosterDepot: Identifiable, Equatable {
    let id: Int
    var own: [RosterShift: Int] = [:]
    var floors: [Int: String] = [:]
    var roster: Roster
}

/// Keys of dictionaries in predicates.
@Suite struct DictionaryKeyTests {
    @Test(arguments: StoreKind.allCases)
    func `keys are raw values and negative numbers, in embedded models, too`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.container(RosterDepot.self))
        let full = Roster(staff: [.early: 3], floors: [-2: "cellar", 1: "shop"])
        let (late, early) = (RosterShift.late, RosterShift.early)
        let all = [
            RosterDepot(id: 1, own: [.late: 1], floors: [-5: "mine"], roster: full),
            RosterDepot(id: 2, own: [.early: 1], floors: [5: "roof"], roster: Roster()),
        ]
        context.insert(contentsOf: all)
        try context.save()
        func same(_ predicate: Predicate<RosterDepot>) throws {
            let found = try context.fetch(FetchDescriptor(predicate: predicate))
            let wanted = try all.filter(predicate.evaluate)
            #expect(found.map(\.id) == wanted.map(\.id))
            #expect(wanted.count == 1)
        }
        try same(#Predicate { $0.own[late] == 1 })
        try same(#Predicate { $0.roster.staff[early] == 3 })
        try same(#Predicate { $0.roster.staff[early, default: 0] > 2 })
        try same(#Predicate { $0.floors[-5] == "mine" })
        try same(#Predicate { $0.floors[-5, default: ""] == "mine" })
        try same(#Predicate { $0.roster.floors[-2] == "cellar" })
        let floor = 5
        try same(#Predicate { $0.floors[-floor] == "mine" })
    }
}
