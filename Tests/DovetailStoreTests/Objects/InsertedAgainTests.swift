import Dovetail
import StoreTestSupport
import Testing

/// Objects that were to be deleted, and are inserted again before the save.
struct InsertedAgainTests {
    private struct Crew {
        let container: ModelContainer
        let context: ModelContext
        let team = CrowdTeam(number: 1)
        let people = (2...4).map { CrowdPerson(number: $0) }
        let badge = CrowdBadge(number: 5)
        let skill = CrowdSkill(number: 6)

        init(_ kind: StoreKind) throws {
            container = try kind.container([CrowdPerson.self])
            context = ModelContext(container)
            context.insert(team)
            team.members = people
            people[1].badge = badge
            people[1].skills = [skill]
            try context.save()
        }

        /// The same objects as another context finds them.
        func fresh() throws -> (team: CrowdTeam?, badge: CrowdBadge?, skill: CrowdSkill?) {
            let other = ModelContext(container)
            return (
                try other.fetch(FetchDescriptor<CrowdTeam>()).first,
                try other.fetch(FetchDescriptor<CrowdBadge>()).first,
                try other.fetch(FetchDescriptor<CrowdSkill>()).first
            )
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `who comes back is where it was`(_ kind: StoreKind) throws {
        let crew = try Crew(kind)
        let person = crew.people[1]
        crew.context.delete(person)
        #expect(crew.team.members == [crew.people[0], crew.people[2]])
        #expect(crew.skill.people == [] && crew.badge.isDeleted)
        crew.context.insert(person)
        #expect(crew.team.members == crew.people && person.team === crew.team)
        #expect(crew.skill.people == [person] && person.skills == [crew.skill])
        // What was deleted with it is not asked for.
        #expect(person.badge == nil && crew.badge.isDeleted)
        try crew.context.save()
        let (team, badge, skill) = try crew.fresh()
        #expect(team?.members.map(\.number) == [2, 3, 4] && badge == nil)
        #expect(skill?.people.map(\.number) == [3])
    }

    @Test(arguments: StoreKind.allCases)
    func `who comes back has nobody that left it`(_ kind: StoreKind) throws {
        let crew = try Crew(kind)
        crew.context.delete(crew.team)
        #expect(crew.people.allSatisfy { $0.team == nil })
        crew.context.insert(crew.team)
        #expect(crew.team.members == [])
        crew.people[2].team = crew.team
        #expect(crew.team.members == [crew.people[2]])
        try crew.context.save()
        #expect(try crew.fresh().team?.members.map(\.number) == [4])
    }

    @Test(arguments: StoreKind.allCases, [true, false])
    func `a part that comes back belongs to its owner`(
        _ kind: StoreKind,
        _ isNew: Bool
    ) throws {
        let crew = try Crew(kind)
        var owner = crew.people[1]
        if isNew {
            owner = CrowdPerson(number: 7)
            crew.context.insert(owner)
            crew.badge.person = owner
        }
        crew.context.delete(crew.badge)
        #expect(owner.badge == nil)
        crew.context.insert(crew.badge)
        #expect(owner.badge === crew.badge && crew.badge.person === owner)
        try crew.context.save()
        #expect(try crew.fresh().badge?.person?.number == owner.number)
        crew.context.delete(owner)
        #expect(crew.badge.isDeleted)
        try crew.context.save()
        #expect(try crew.fresh().badge == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `a part that comes back where another one is leaves that there`(
        _ kind: StoreKind
    ) throws {
        let crew = try Crew(kind)
        let owner = crew.people[1]
        crew.context.delete(crew.badge)
        let other = CrowdBadge(number: 8)
        owner.badge = other
        crew.context.insert(crew.badge)
        try crew.context.save()
        #expect(owner.badge === other && other.person === owner && crew.badge.person == nil)
        let badges = try ModelContext(crew.container).fetch(
            FetchDescriptor<CrowdBadge>(sortBy: [SortDescriptor(\.number)])
        )
        #expect(badges.map { $0.person?.number } == [nil, 3])
    }

    @Test(arguments: StoreKind.allCases)
    func `who comes back has its key again`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container([SteamShip.self, Sailor.self]))
        let ship = SteamShip(code: "a", name: "x")
        context.insert(ship)
        try context.save()
        context.delete(ship)
        let other = SteamShip(code: "a", name: "y")
        context.insert(other)
        context.delete(other)
        #expect(try context.fetchCount(FetchDescriptor<SteamShip>()) == 0)
        context.insert(ship)
        #expect(try context.fetch(FetchDescriptor<SteamShip>()).map(\.name) == ["x"])
        let known: SteamShip? = context.registeredModel(for: ship.persistentModelID)
        #expect(known === ship)
        ship.name = "z"
        try context.save()
        let fresh = ModelContext(context.container)
        #expect(try fresh.fetch(FetchDescriptor<SteamShip>()).map(\.name) == ["z"])
    }
}
