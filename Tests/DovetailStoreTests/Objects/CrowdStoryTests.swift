import Dovetail
import StoreTestSupport
import Testing

/// What random work of many contexts has found, as short stories.
struct CrowdStoryTests {
    /// Two contexts that have read the same team with a person, who has a badge and a skill.
    private struct Pair {
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

    @Test(arguments: StoreKind.allCases)
    func `objects that were deleted together keep nobody`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container([CrowdPerson.self]))
        weak var person: CrowdPerson?
        weak var team: CrowdTeam?
        func work() throws {
            let new = CrowdPerson(number: 1)
            let crew = CrowdTeam(number: 2)
            crew.members = [new]
            new.badge = CrowdBadge(number: 3)
            new.skills = [CrowdSkill(number: 4)]
            context.insert(crew)
            try context.save()
            (person, team) = (new, crew)
            context.delete(new)
            context.delete(crew)
            try context.save()
            #expect(new.number == 1 && new.team == nil && crew.members.isEmpty)
        }
        try work()
        #expect(person == nil && team == nil)
    }

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
    func `what was set back goes where others have deleted it`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        let (mine, skill) = (try pair.person(pair.first), try pair.skill(pair.first))
        mine.first = 1
        pair.second.delete(try pair.person(pair.second))
        try pair.second.save()
        pair.first.processPendingChanges()
        #expect(!mine.isDeleted)
        mine.first = 0
        skill.people = [mine]
        try pair.first.save()
        #expect(mine.isDeleted && skill.people.isEmpty)
        #expect(try pair.first.fetchCount(FetchDescriptor<CrowdPerson>()) == 0)
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
        #expect(mine.first == 2 && !pair.first.hasChanges)
    }

    @Test(arguments: StoreKind.allCases)
    func `an object that another context inserts again is seen again`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        pair.second.conflictPolicy = .contextWins
        let theirs = try pair.person(pair.second)
        _ = try pair.person(pair.first)
        theirs.first = 3
        let third = ModelContext(pair.container)
        third.delete(try pair.person(third))
        try third.save()
        #expect(try pair.first.fetch(FetchDescriptor<CrowdPerson>()).isEmpty)
        try pair.second.save()
        #expect(try pair.person(pair.first).first == 3)
        #expect(try pair.person(third).first == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `some attributes do not bring a deleted object back`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        pair.first.conflictPolicy = .custom { _ in .contextWinsOnly(in: ["first"]) }
        let mine = try pair.person(pair.first)
        mine.first = 1
        pair.second.delete(try pair.person(pair.second))
        try pair.second.save()
        try pair.first.save()
        #expect(mine.isDeleted)
        #expect(try pair.first.fetchCount(FetchDescriptor<CrowdPerson>()) == 0)
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
    func `an object that comes to one which is deleted here has lost it`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        let (mine, theirs) = (try pair.badge(4, pair.first), try pair.badge(4, pair.second))
        let person = try pair.person(pair.first)
        let team = try #require(person.team)
        pair.first.delete(team)
        let newcomer = CrowdPerson(number: 9)
        newcomer.team = try pair.person(pair.second).team
        pair.second.insert(newcomer)
        theirs.first = 1
        try pair.second.save()
        pair.first.processPendingChanges()
        let found = FetchDescriptor<CrowdPerson>(predicate: #Predicate { $0.number == 9 })
        let came = try #require(try pair.first.fetch(found).first)
        #expect(came.team == nil && mine.first == 1)
        try pair.first.save()
        #expect(came.team == nil && person.team == nil && !pair.first.hasChanges)
        pair.second.processPendingChanges()
        #expect(newcomer.team == nil)
        // What is deleted with its holder goes, too, when another context gives it to that one.
        pair.first.delete(person)
        theirs.person = try pair.person(pair.second)
        try pair.second.save()
        pair.first.processPendingChanges()
        #expect(mine.isDeleted && mine.person === person)
        try pair.first.save()
        let fresh = ModelContext(pair.container)
        #expect(try fresh.fetch(FetchDescriptor<CrowdBadge>()).map(\.number) == [5])
        #expect(try fresh.fetch(FetchDescriptor<CrowdPerson>()).map(\.number) == [9])
    }

    @Test(arguments: StoreKind.allCases)
    func `what is deleted for another context comes back`(
        _ kind: StoreKind
    ) throws {
        let pair = try Pair(kind)
        let badge = try pair.badge(4, pair.first)
        let person = try pair.person(pair.first)
        let other = CrowdPerson(number: 9)
        pair.first.insert(other)
        try pair.first.save()
        pair.first.delete(person)
        try pair.badge(4, pair.second).person = try pair.person(pair.second)
        try pair.second.save()
        pair.first.processPendingChanges()
        #expect(badge.isDeleted)
        pair.first.rollback()
        #expect(!badge.isDeleted && badge.person === person && person.badge === badge)
        badge.person = other
        try pair.first.save()
        #expect(person.badge == nil && other.badge === badge)
        let fresh = ModelContext(pair.container)
        #expect(try pair.badge(4, fresh).person?.number == 9)
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
    func `all that say to belong to a deleted object go with it`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        let (mine, four, five) = try pair.rivals()
        pair.first.delete(mine)
        #expect(four.isDeleted && five.isDeleted)
        try pair.first.save()
        #expect(try pair.first.fetchCount(FetchDescriptor<CrowdBadge>()) == 0)
        #expect(try ModelContext(pair.container).fetchCount(FetchDescriptor<CrowdBadge>()) == 0)
    }

    /// One context deletes a person with a badge, and another one has changed one of both.
    private func deletion(
        _ kind: StoreKind,
        _ policy: ConflictPolicy,
        ofChanged change: (CrowdPerson) -> Void
    ) throws -> (pair: Pair, person: CrowdPerson, badge: CrowdBadge) {
        let pair = try Pair(kind)
        pair.first.conflictPolicy = policy
        let mine = try pair.person(pair.first)
        let badge = try pair.badge(4, pair.first)
        mine.badge = badge
        try pair.first.save()
        change(try pair.person(pair.second))
        try pair.second.save()
        pair.first.delete(mine)
        return (pair, mine, badge)
    }

    @Test(arguments: StoreKind.allCases)
    func `a change of what goes with a deleted object is a conflict`(_ kind: StoreKind) throws {
        let (pair, mine, badge) = try deletion(kind, .error) { $0.badge?.first = 3 }
        let error = #expect(throws: ConflictError.self) { try pair.first.save() }
        #expect(error?.conflicts.map(\.identifier) == [badge.persistentModelID])
        #expect(error?.conflicts[0].attributes == ["first"])
        #expect(mine.isDeleted && badge.isDeleted)
        pair.first.conflictPolicy = .contextWins
        try pair.first.save()
        let fresh = ModelContext(pair.container)
        #expect(try fresh.fetchCount(FetchDescriptor<CrowdPerson>()) == 0)
        #expect(try fresh.fetch(FetchDescriptor<CrowdBadge>()).map(\.number) == [5])
    }

    @Test(arguments: StoreKind.allCases, [true, false])
    func `what the store keeps is kept with what belongs to it`(
        _ kind: StoreKind,
        _ isOwner: Bool
    ) throws {
        let (pair, mine, badge) = try deletion(kind, .storeWins) { person in
            if isOwner { person.first = 3 } else { person.badge?.first = 3 }
        }
        try pair.first.save()
        #expect(!mine.isDeleted && !badge.isDeleted && mine.badge === badge)
        #expect(isOwner ? mine.first == 3 : badge.first == 3)
        let fresh = ModelContext(pair.container)
        #expect(try pair.person(fresh).badge?.number == 4)
        #expect(!pair.first.hasChanges)
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

    @Test(arguments: StoreKind.allCases)
    func `a reference to what others have deleted is no change`(_ kind: StoreKind) throws {
        // In which order classes are read again is open.
        for _ in 0..<8 {
            let pair = try Pair(kind)
            let (mine, theirs) = (try pair.person(pair.first), try pair.person(pair.second))
            #expect(mine.team?.number == 2)
            mine.first = 1
            if let team = theirs.team { pair.second.delete(team) }
            try pair.second.save()
            pair.first.processPendingChanges()
            #expect(mine.team == nil && mine.first == 1)
            theirs.team = CrowdTeam(number: 7)
            try pair.second.save()
            pair.first.processPendingChanges()
            #expect(mine.team?.number == 7 && mine.first == 1)
            try pair.first.save()
            let fresh = ModelContext(pair.container)
            #expect(try pair.person(fresh).team?.number == 7)
        }
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

    @Test(arguments: StoreKind.allCases)
    func `what is set back after others have deleted it is gone`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        let badge = try pair.badge(4, pair.first)
        let before = badge.first
        badge.first = before + 1
        pair.second.delete(try pair.badge(4, pair.second))
        try pair.second.save()
        pair.first.processPendingChanges()
        #expect(!badge.isDeleted && badge.first == before + 1)
        badge.first = before
        pair.first.processPendingChanges()
        #expect(badge.isDeleted && !pair.first.hasChanges)
        #expect(try pair.first.fetchCount(FetchDescriptor<CrowdBadge>()) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `what is set back to what others gave to a deleted object leaves that`(
        _ kind: StoreKind
    ) throws {
        let pair = try Pair(kind)
        let (mine, theirs) = (try pair.person(pair.first), try pair.person(pair.second))
        let other = CrowdTeam(number: 6)
        let doomed = CrowdTeam(number: 7)
        for team in [other, doomed] { pair.first.insert(team) }
        mine.team = nil
        try pair.first.save()
        mine.team = other
        pair.first.delete(doomed)
        let seven = FetchDescriptor<CrowdTeam>(predicate: #Predicate { $0.number == 7 })
        theirs.team = try pair.second.fetch(seven).first
        theirs.team?.first = 5
        try pair.second.save()
        pair.first.processPendingChanges()
        #expect(mine.team === other)
        mine.team = nil
        // Others have changed it, so it stays; who has left it does not come back.
        pair.first.conflictPolicy = .storeWins
        try pair.first.save()
        let fresh = ModelContext(pair.container)
        #expect(try pair.person(fresh).team == nil)
        #expect(try fresh.fetchCount(FetchDescriptor<CrowdTeam>()) == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `what others have deleted and inserted again is found where it was`(
        _ kind: StoreKind
    ) throws {
        let pair = try Pair(kind)
        let third = ModelContext(pair.container)
        third.conflictPolicy = .contextWins
        try pair.person(third).first = 8
        let mine = CrowdBadge(number: 9)
        pair.first.insert(mine)
        mine.person = try pair.person(pair.first)
        pair.second.delete(try pair.person(pair.second))
        try pair.second.save()
        try pair.first.save()
        #expect(mine.person == nil)
        try pair.badge(9, third).person = try pair.person(third)
        try third.save()
        pair.first.processPendingChanges()
        #expect(mine.person?.first == 8)
        #expect(try pair.person(pair.first) === mine.person)
    }
}
