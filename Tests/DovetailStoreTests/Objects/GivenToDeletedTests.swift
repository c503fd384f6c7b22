import Dovetail
import StoreTestSupport
import Testing

@Model final class MovedTeam {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \MovedMember.team) var members: [MovedMember] = []

    init(name: String) { self.name = name }
}

@Model final class MovedMember {
    var name: String
    var team: MovedTeam

    init(name: String, team: MovedTeam) {
        self.name = name
        self.team = team
    }
}

/// Objects that have to have another one, and were given one that others have deleted.
@Suite struct GivenToDeletedTests {
    private static var policies: [ConflictPolicy] { [.error, .storeWins, .contextWins] }

    /// A member of the team A, which the second context has moved to B, and B is gone.
    private func moved(_ kind: StoreKind) throws -> (ModelContext, MovedMember) {
        let container = try kind.container(MovedTeam.self, MovedMember.self)
        let (first, second) = (ModelContext(container), ModelContext(container))
        let (a, b) = (MovedTeam(name: "A"), MovedTeam(name: "B"))
        first.insert(b)
        let member = MovedMember(name: "m", team: a)
        first.insert(member)
        try first.save()
        let same = try #require(second.model(for: member.persistentModelID) as? MovedMember)
        same.team = try #require(second.model(for: b.persistentModelID) as? MovedTeam)
        first.delete(b)
        try first.save()
        return (second, same)
    }

    private func stored(_ context: ModelContext) throws -> [String] {
        try ModelContext(context.container).fetch(FetchDescriptor<MovedMember>())
            .map { "\($0.name) of \($0.team.name)" }
    }

    @Test(arguments: StoreKind.allCases, 0..<3)
    func `they are not deleted, and the save says what is wrong`(
        _ kind: StoreKind,
        policy: Int
    ) throws {
        // The order in which a context looks at its classes was another one each time.
        for _ in 0..<10 {
            let (context, member) = try moved(kind)
            context.conflictPolicy = Self.policies[policy]
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.kind == .foreignKeyViolation && error?.column == "team")
            #expect(error?.explanation.contains("somebody else has deleted") == true)
            #expect(try stored(context) == ["m of A"])
            #expect(!member.isDeleted && member.hasChanges)
            member.name = "n"
            context.rollback()
            #expect(member.team.name == "A" && member.name == "m")
            member.team = MovedTeam(name: "C")
            try context.save()
            #expect(try stored(context) == ["m of C"])
        }
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `one that went with its own is in conflict, whatever was read of it`(
        _ kind: StoreKind,
        _ isRead: Bool
    ) throws {
        for policy in Self.policies {
            let container = try kind.container(MovedTeam.self, MovedMember.self)
            let (first, second) = (ModelContext(container), ModelContext(container))
            let team = MovedTeam(name: "A")
            first.insert(MovedMember(name: "m", team: team))
            try first.save()
            second.conflictPolicy = policy
            let member = try #require(second.fetch(FetchDescriptor<MovedMember>()).first)
            if isRead { #expect(member.team.name == "A") }
            member.name = "renamed"
            first.delete(team)
            try first.save()
            switch policy {
            case .storeWins:
                try second.save()
                #expect(member.isDeleted && !second.hasChanges)
            case .contextWins:
                // Its team is gone for good.
                let error = #expect(throws: StoreError.self) { try second.save() }
                #expect(error?.kind == .foreignKeyViolation)
            default:
                let error = #expect(throws: ConflictError.self) { try second.save() }
                #expect(error?.conflicts.count == 1 && error?.conflicts.first?.theirs == nil)
                second.rollback()
                #expect(member.isDeleted && !second.hasChanges)
            }
            #expect(try stored(second).isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what they were given can be read until then`(_ kind: StoreKind) throws {
        for _ in 0..<10 {
            let (context, member) = try moved(kind)
            context.processPendingChanges()
            #expect(member.team.name == "B" && member.team.isDeleted)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a new object of one that is gone`(_ kind: StoreKind) throws {
        let (context, member) = try moved(kind)
        let new = MovedMember(name: "new", team: member.team)
        context.insert(new)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .foreignKeyViolation && error?.column == "team")
        member.team = MovedTeam(name: "C")
        new.team = member.team
        try context.save()
        #expect(try stored(context).sorted() == ["m of C", "new of C"])
    }
}
