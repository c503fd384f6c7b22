import Dovetail
import StoreTestSupport
import Testing

/// What random work of many contexts has found, as short stories.
struct CrowdStoryTests {
    private typealias Pair = CrowdStoryPair

    @Test(arguments: StoreKind.allCases)
    func `what was set back is what others have stored`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        let (mine, theirs) = (try pair.person(pair.first), try pair.person(pair.second))
        mine.first = 1
        theirs.first = 2
        try pair.second.save()
        pair.first.processPendingChanges()
        #expect(mine.first == 1)
        mine.first = 0
        pair.first.processPendingChanges()
        #expect(mine.first == 2)
        try pair.first.save()
        #expect(mine.first == 2 && !pair.first.hasChanges)
        #expect(try pair.person(ModelContext(pair.container)).first == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `a transaction that throws leaves what others have stored`(_ kind: StoreKind) throws {
        struct Refused: Error {}
        let pair = try Pair(kind)
        let (mine, theirs) = (try pair.person(pair.first), try pair.person(pair.second))
        pair.first.conflictPolicy = .contextWins
        mine.first = 1
        theirs.first = 2
        try pair.second.save()
        #expect(throws: Refused.self) {
            try pair.first.transaction {
                try pair.first.save()
                throw Refused()
            }
        }
        pair.first.processPendingChanges()
        #expect(mine.first == 1 && pair.first.hasChanges)
        pair.first.rollback()
        pair.first.processPendingChanges()
        #expect(mine.first == 2 && !pair.first.hasChanges)
    }

    @Test(arguments: StoreKind.allCases)
    func `a pair that two contexts make is taken back by one`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        let (mine, theirs) = (try pair.person(pair.first), try pair.person(pair.second))
        mine.skills = [try pair.skill(pair.first)]
        theirs.skills = [try pair.skill(pair.second)]
        try pair.second.save()
        pair.first.processPendingChanges()
        #expect(mine.skills.count == 1)
        mine.skills = []
        try pair.first.save()
        let fresh = ModelContext(pair.container)
        #expect(try pair.person(fresh).skills.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `a pair that was taken back here is there when others make it`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        let (mine, theirs) = (try pair.person(pair.first), try pair.person(pair.second))
        let skill = try pair.skill(pair.first)
        mine.skills = [skill]
        mine.skills = []
        theirs.skills = [try pair.skill(pair.second)]
        try pair.second.save()
        pair.first.processPendingChanges()
        #expect(mine.skills == [skill] && skill.people == [mine])
    }

    @Test(arguments: StoreKind.allCases)
    func `of two that others give to one object the last one stays`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        let (mine, theirs) = (try pair.person(pair.first), try pair.person(pair.second))
        let badge = try pair.badge(4, pair.first)
        mine.badge = badge
        theirs.badge = try pair.badge(5, pair.second)
        try pair.second.save()
        try pair.first.save()
        #expect(mine.badge === badge)
        let fresh = ModelContext(pair.container)
        #expect(try pair.person(fresh).badge?.number == 4)
        #expect(try pair.badge(5, fresh).person == nil)
        #expect(try pair.badge(5, pair.second).person == nil && theirs.badge?.number == 4)
    }

    @Test(arguments: StoreKind.allCases)
    func `who is displaced by a relationship that was not read leaves it`(_ kind: StoreKind) throws
    {
        let pair = try Pair(kind)
        let mine = try pair.person(pair.first)
        mine.badge = try pair.badge(5, pair.first)
        try pair.first.save()
        let fresh = ModelContext(pair.container)
        let (four, five) = (try pair.badge(4, fresh), try pair.badge(5, fresh))
        four.person = try pair.person(fresh)
        #expect(five.person == nil)
        #expect(try pair.person(fresh).badge === four)
    }

    @Test(arguments: StoreKind.allCases)
    func `who is not given to an object takes it from nobody`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        pair.first.conflictPolicy = .storeWins
        let mine = try pair.person(pair.first)
        let four = try pair.badge(4, pair.first)
        mine.badge = four
        let other = CrowdPerson(number: 6)
        other.badge = try pair.badge(4, pair.second)
        try pair.person(pair.second).badge = try pair.badge(5, pair.second)
        try pair.second.save()
        try pair.first.save()
        #expect(four.person?.number == 6 && mine.badge?.number == 5)
        let fresh = ModelContext(pair.container)
        #expect(try pair.badge(4, fresh).person?.number == 6)
        #expect(try pair.badge(5, fresh).person?.number == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `a relationship holds what was put there here until the save`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        let (mine, four, five) = try pair.rivals()
        #expect(mine.badge === five && four.person === mine)
        five.person = nil
        #expect(mine.badge === four)
        five.person = mine
        #expect(mine.badge === five && four.person == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `a relationship that is emptied is left by all`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        let (mine, four, five) = try pair.rivals()
        #expect(mine.badge === five)
        mine.badge = nil
        #expect(mine.badge == nil && four.person == nil && five.person == nil)
        try pair.first.save()
        let fresh = ModelContext(pair.container)
        #expect(try pair.person(fresh).badge == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `a pair that others have made and removed is saved where it was made here`(
        _ kind: StoreKind
    ) throws {
        let pair = try Pair(kind)
        let (mine, theirs) = (try pair.person(pair.first), try pair.person(pair.second))
        mine.skills = [try pair.skill(pair.first)]
        theirs.skills = [try pair.skill(pair.second)]
        try pair.second.save()
        pair.first.processPendingChanges()
        #expect(mine.skills.count == 1)
        theirs.skills = []
        try pair.second.save()
        try pair.first.save()
        #expect(mine.skills.count == 1)
        let fresh = ModelContext(pair.container)
        #expect(try pair.person(fresh).skills.count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `a pair that was removed here and by others can be made again`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        let (mine, skill) = (try pair.person(pair.first), try pair.skill(pair.first))
        mine.skills = [skill]
        try pair.first.save()
        let theirs = try pair.person(pair.second)
        #expect(theirs.skills.count == 1)
        mine.skills = []
        theirs.skills = []
        try pair.second.save()
        pair.first.processPendingChanges()
        mine.skills = [skill]
        try pair.first.save()
        #expect(mine.skills == [skill] && skill.people == [mine])
        let fresh = ModelContext(pair.container)
        #expect(try pair.person(fresh).skills.count == 1)
    }

    @Test(arguments: StoreKind.allCases, [true, false])
    func `who takes a rival away leaves the one that is there`(
        _ kind: StoreKind,
        _ isByPerson: Bool
    ) throws {
        let pair = try Pair(kind)
        let (mine, four, five) = try pair.rivals()
        let other = CrowdPerson(number: 6)
        pair.first.insert(other)
        #expect(mine.badge === five)
        if isByPerson { other.badge = four } else { four.person = other }
        #expect(mine.badge === five && other.badge === four && four.person === other)
        try pair.first.save()
        let fresh = ModelContext(pair.container)
        #expect(try pair.person(fresh).badge?.number == 5)
        #expect(try pair.badge(4, fresh).person?.number == 6)
    }

    /// Others have put the person into the team; both are deleted here, in either order. It was in conflict where it
    /// was deleted last.
    @Test(arguments: StoreKind.allCases, [false, true])
    func `who is put into a team that goes, too, is in no conflict`(
        _ kind: StoreKind,
        _ personIsLast: Bool
    ) throws {
        for policy in [CrowdPolicy.error, .storeWins, .contextWins] {
            for teamChanges in [false, true] {
                let pair = try Pair(kind)
                try pair.person(pair.second).team = nil
                try pair.second.save()
                pair.first.conflictPolicy =
                    policy == .error ? .error : policy == .storeWins ? .storeWins : .contextWins
                let (mine, theirs) = (try pair.person(pair.first), try pair.person(pair.second))
                let team = try #require(try pair.first.fetch(FetchDescriptor<CrowdTeam>()).first)
                let other = try #require(try pair.second.fetch(FetchDescriptor<CrowdTeam>()).first)
                if !personIsLast { pair.first.delete(mine) }
                pair.first.delete(team)
                if personIsLast { pair.first.delete(mine) }
                theirs.team = other
                if teamChanges { other.first = 7 }
                try pair.second.save()
                if teamChanges, policy == .error {
                    let error = #expect(throws: ConflictError.self) { try pair.first.save() }
                    #expect(error?.conflicts.map(\.identifier.entityName) == ["CrowdTeam"])
                    continue
                }
                try pair.first.save()
                let fresh = ModelContext(pair.container)
                // What the policy keeps, it keeps with who is in it.
                let isKept = teamChanges && policy == .storeWins
                let people = try fresh.fetch(FetchDescriptor<CrowdPerson>())
                #expect(people.map { $0.team?.first } == (isKept ? [7] : []))
                #expect(try fresh.fetchCount(FetchDescriptor<CrowdTeam>()) == (isKept ? 1 : 0))
            }
        }
    }

    /// Its row was gone when it was deleted here, and is there again. A rollback let it go for good, and what others
    /// had given it had nobody.
    @Test(arguments: StoreKind.allCases, [false, true])
    func `what was deleted twice and inserted again is there after a rollback`(
        _ kind: StoreKind,
        _ looks: Bool
    ) throws {
        let pair = try Pair(kind)
        let third = ModelContext(pair.container)
        third.conflictPolicy = .contextWins
        let (mine, kept) = (try pair.person(pair.first), try pair.person(third))
        mine.first = 3
        kept.first = 7
        kept.badge = try pair.badge(4, third)
        pair.second.delete(try pair.person(pair.second))
        try pair.second.save()
        if looks { pair.first.processPendingChanges() }
        pair.first.delete(mine)
        try third.save()
        pair.first.processPendingChanges()
        pair.first.rollback()
        let badge = try pair.badge(4, pair.first)
        #expect(badge.person === mine && mine.badge === badge && !mine.isDeleted)
        #expect(mine.first == 7)
        #expect(try pair.person(pair.first) === mine)
    }
}
