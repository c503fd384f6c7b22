import Dovetail
import StoreTestSupport
import Testing

/// What random work of many contexts has found where one of them deletes something, as short stories.
struct CrowdDeletionTests {
    private typealias Pair = CrowdStoryPair

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
        let found = try self.change(kind, policy, change)
        found.pair.first.delete(found.person)
        return found
    }

    /// A person with a badge in the first context, of which the second one has changed something.
    private func change(
        _ kind: StoreKind,
        _ policy: ConflictPolicy,
        _ change: (CrowdPerson) -> Void
    ) throws -> (pair: Pair, person: CrowdPerson, badge: CrowdBadge) {
        let pair = try Pair(kind)
        pair.first.conflictPolicy = policy
        let (mine, badge) = (try pair.person(pair.first), try pair.badge(4, pair.first))
        mine.badge = badge
        try pair.first.save()
        change(try pair.person(pair.second))
        try pair.second.save()
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

    @Test(arguments: StoreKind.allCases, [true, false])
    func `what others give to an object that the store keeps is kept with it`(
        _ kind: StoreKind,
        _ isOwner: Bool
    ) throws {
        let container = try kind.container(CrowdAccount.self)
        let (first, second) = (ModelContext(container), ModelContext(container))
        first.conflictPolicy = .storeWins
        let account = CrowdAccount(name: "a")
        let entry = CrowdEntry(1, of: account)
        first.insert(account)
        try first.save()
        let id = account.persistentModelID
        let theirs = try #require(second.model(for: id) as? CrowdAccount)
        first.delete(account)
        #expect(entry.isDeleted)
        if isOwner { theirs.balance = 3 } else { theirs.entries[0].amount = 3 }
        _ = CrowdEntry(2, of: theirs)
        try second.save()
        try first.save()
        #expect(!account.isDeleted && !entry.isDeleted && account.entries.first === entry)
        let amounts = isOwner ? [1, 2] : [3, 2]
        #expect(account.entries.map(\.amount) == amounts && !first.hasChanges)
        let stored = try ModelContext(container).fetch(FetchDescriptor<CrowdAccount>())
        #expect(stored.map { $0.entries.map(\.amount) } == [amounts])
        second.processPendingChanges()
        #expect(theirs.entries.map(\.amount) == amounts)
    }

    @Test(arguments: StoreKind.allCases, [true, false])
    func `what was deleted before its owner goes alone`(
        _ kind: StoreKind,
        _ isDeletedAgain: Bool
    ) throws {
        let (pair, mine, badge) = try change(kind, .storeWins) { $0.first = 3 }
        pair.first.delete(badge)
        if isDeletedAgain { pair.first.insert(badge) }
        pair.first.delete(mine)
        #expect(mine.isDeleted && badge.isDeleted)
        try pair.first.save()
        #expect(!mine.isDeleted && badge.isDeleted != isDeletedAgain)
        let fresh = ModelContext(pair.container)
        #expect(try pair.person(fresh).badge?.number == (isDeletedAgain ? 4 : nil))
    }

    @Test(arguments: StoreKind.allCases)
    func `an owner stays with what was deleted before it and is kept`(_ kind: StoreKind) throws {
        let (pair, mine, badge) = try change(kind, .storeWins) { $0.badge?.first = 3 }
        for object in [badge, mine] as [any PersistentModel] { pair.first.delete(object) }
        try pair.first.save()
        #expect(!mine.isDeleted && !badge.isDeleted && badge.first == 3)
        let fresh = ModelContext(pair.container)
        #expect(try pair.person(fresh).badge?.number == 4)
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
    func `what is set back to what others gave to a deleted object is there if that stays`(
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
        pair.first.processPendingChanges()
        #expect(mine.team == nil)
        // Others have changed it, so it stays, with those that nobody has taken out of it.
        pair.first.conflictPolicy = .storeWins
        try pair.first.save()
        let fresh = ModelContext(pair.container)
        #expect(try pair.person(fresh).team?.number == 7)
        #expect(mine.team === doomed)
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

    @Test(arguments: StoreKind.allCases, [true, false])
    func `what is set back after others have inserted it again stays`(
        _ kind: StoreKind,
        _ isSeen: Bool
    ) throws {
        let pair = try Pair(kind)
        let third = ModelContext(pair.container)
        third.conflictPolicy = .contextWins
        try pair.person(third).second = 8
        let (mine, skill) = (try pair.person(pair.first), try pair.skill(pair.first))
        let before = mine.first
        mine.first = before + 1
        pair.second.delete(try pair.person(pair.second))
        try pair.second.save()
        pair.first.processPendingChanges()
        mine.skills = [skill]
        try third.save()
        if isSeen { pair.first.processPendingChanges() }
        mine.first = before
        pair.first.processPendingChanges()
        #expect(!mine.isDeleted && mine.second == 8 && mine.skills == [skill])
        #expect(try pair.person(pair.first) === mine)
        try pair.first.save()
        let fresh = ModelContext(pair.container)
        #expect(try pair.person(fresh).skills.count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `what others have given to a deleted object goes with it where they win`(
        _ kind: StoreKind
    ) throws {
        let pair = try Pair(kind)
        pair.first.conflictPolicy = .storeWins
        let (mine, badge) = (try pair.person(pair.first), try pair.badge(4, pair.first))
        let other = CrowdPerson(number: 8)
        pair.first.insert(other)
        badge.person = other
        badge.first = 7
        try pair.badge(4, pair.second).person = try pair.person(pair.second)
        try pair.second.save()
        pair.first.delete(mine)
        try pair.first.save()
        #expect(mine.isDeleted && badge.isDeleted && other.badge == nil)
        let fresh = ModelContext(pair.container)
        #expect(try fresh.fetch(FetchDescriptor<CrowdBadge>()).map(\.number) == [5])
        #expect(try fresh.fetch(FetchDescriptor<CrowdPerson>()).map(\.number) == [8])
    }

    @Test(arguments: StoreKind.allCases, [true, false])
    func `what was deleted is a conflict also where others gave it to a deleted object`(
        _ kind: StoreKind,
        _ isKept: Bool
    ) throws {
        let pair = try Pair(kind)
        let (mine, badge) = (try pair.person(pair.first), try pair.badge(4, pair.first))
        pair.first.delete(badge)
        let theirs = try pair.badge(4, pair.second)
        theirs.person = try pair.person(pair.second)
        theirs.first = 7
        try pair.second.save()
        pair.first.delete(mine)
        #expect(throws: ConflictError.self) { try pair.first.save() }
        pair.first.conflictPolicy = isKept ? .storeWins : .contextWins
        try pair.first.save()
        #expect(mine.isDeleted != isKept && badge.isDeleted != isKept)
        let fresh = ModelContext(pair.container)
        let count = isKept ? 2 : 1
        #expect(try fresh.fetchCount(FetchDescriptor<CrowdBadge>()) == count)
        #expect(try fresh.fetchCount(FetchDescriptor<CrowdPerson>()) == count - 1)
    }
}
