import Dovetail
import StoreTestSupport
import Testing

/// Two contexts that have read the same team with a person, who has a badge and a skill.
struct CrowdStoryPair {
    let container: ModelContainer
    let first: ModelContext
    let second: ModelContext

    init(_ kind: StoreKind) throws {
        container = try kind.container([CrowdPerson.self])
        first = ModelContext(container)
        second = ModelContext(container)
        let person = CrowdPerson(number: 1)
        person.team = CrowdTeam(number: 2)
        first.insert(person)
        first.insert(CrowdSkill(number: 3))
        first.insert(CrowdBadge(number: 4))
        first.insert(CrowdBadge(number: 5))
        try first.save()
    }

    func person(_ context: ModelContext) throws -> CrowdPerson {
        try #require(try context.fetch(FetchDescriptor<CrowdPerson>()).first)
    }

    func skill(_ context: ModelContext) throws -> CrowdSkill {
        try #require(try context.fetch(FetchDescriptor<CrowdSkill>()).first)
    }

    func badge(_ number: Int, _ context: ModelContext) throws -> CrowdBadge {
        let found = FetchDescriptor<CrowdBadge>(predicate: #Predicate { $0.number == number })
        return try #require(try context.fetch(found).first)
    }

    /// The person in the first context, to whom that gives badge 5, after the second one has saved
    /// badge 4 there; with both badges.
    func rivals() throws -> (person: CrowdPerson, four: CrowdBadge, five: CrowdBadge) {
        let (mine, theirs) = (try person(first), try person(second))
        let (four, five) = (try badge(4, first), try badge(5, first))
        mine.badge = five
        theirs.badge = try badge(4, second)
        try second.save()
        first.processPendingChanges()
        return (mine, four, five)
    }
}
