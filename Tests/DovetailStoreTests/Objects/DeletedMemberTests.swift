import Dovetail
import StoreTestSupport
import Testing

@Model final class Oarsmen {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Oarsman.squad) var rowers: [Oarsman] = []
    var badges: [Ribbon] = []
    var captain: Oarsman?
    @Relationship var guests: [any Onlooker] = []

    init(_ name: String) { self.name = name }
}

@Model final class Oarsman {
    var name: String
    var squad: Oarsmen?

    init(_ name: String) { self.name = name }
}

@Model final class Ribbon {
    var name: String
    @Relationship(inverse: \Oarsmen.badges) var squads: [Oarsmen] = []

    init(_ name: String) { self.name = name }
}

@ModelProtocol protocol Onlooker: AnyObject {}

@Model final class Neighbour: Onlooker {
    var name: String

    init(_ name: String) { self.name = name }
}

/// Objects that are deleted, and are put into relationships after that, as a copy of a list from before does.
@Suite struct DeletedMemberTests {
    private func squad(_ kind: StoreKind) throws -> (ModelContext, Oarsmen) {
        let context = ModelContext(
            try kind.container(Oarsmen.self, Oarsman.self, Ribbon.self, Neighbour.self)
        )
        let squad = Oarsmen("a")
        squad.rowers = ["p", "q"].map(Oarsman.init)
        squad.badges = [Ribbon("s"), Ribbon("t")]
        squad.captain = squad.rowers[1]
        squad.guests = [Neighbour("x"), Neighbour("y")]
        context.insert(squad)
        try context.save()
        return (context, squad)
    }

    private func names(_ squad: Oarsmen) -> [String] {
        squad.rowers.map(\.name) + squad.badges.map(\.name)
            + squad.guests.compactMap { ($0 as? Neighbour)?.name }
            + (squad.captain.map { ["captain \($0.name)"] } ?? [])
    }

    private func expectInStep(
        _ context: ModelContext,
        _ squad: Oarsmen,
        _ expected: [String]
    ) throws {
        #expect(names(squad) == expected)
        let other = ModelContext(context.container)
        #expect(names(try #require(other.fetch(FetchDescriptor<Oarsmen>()).first)) == expected)
    }

    /// By the program, and not saved; saved; and by another context.
    @Test(arguments: StoreKind.allCases, ["waits", "is saved", "is another's"])
    func `what is deleted comes back with no copy of a list`(_ kind: StoreKind, how: String) throws
    {
        let (context, squad) = try squad(kind)
        let (rowers, badges, guests) = (squad.rowers, squad.badges, squad.guests)
        if how == "is another's" {
            let other = ModelContext(context.container)
            for id in [rowers[1].persistentModelID, badges[1].persistentModelID] {
                if let found = other.model(for: id) { other.delete(found) }
            }
            let friend = try #require(guests[1] as? Neighbour)
            if let found = other.model(for: friend.persistentModelID) { other.delete(found) }
            try other.save()
            context.processPendingChanges()
        } else {
            context.delete(rowers[1])
            context.delete(badges[1])
            context.delete(try #require(guests[1] as? Neighbour))
            if how == "is saved" { try context.save() }
        }
        squad.rowers = rowers.reversed()
        squad.badges = badges.reversed()
        squad.guests = guests.reversed()
        squad.captain = rowers[1]
        #expect(names(squad) == ["p", "s", "x"])
        squad.rowers.append(rowers[1])
        squad.badges.append(badges[1])
        squad.guests.append(guests[1])
        rowers[1].squad = squad
        badges[1].squads = [squad]
        #expect(names(squad) == ["p", "s", "x"] && rowers[1].isDeleted && badges[1].isDeleted)
        #expect(context.insertedModelsArray.isEmpty)
        try context.save()
        try expectInStep(context, squad, ["p", "s", "x"])
        squad.rowers.insert(Oarsman("r"), at: 0)
        try context.save()
        try expectInStep(context, squad, ["r", "p", "s", "x"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a rollback gives back what was deleted, where it was`(_ kind: StoreKind) throws {
        let (context, squad) = try squad(kind)
        let before = names(squad)
        let (rowers, badges) = (squad.rowers, squad.badges)
        context.delete(rowers[1])
        context.delete(badges[0])
        squad.rowers = rowers.reversed()
        squad.badges = badges.reversed()
        rowers[1].squad = nil
        context.rollback()
        #expect(names(squad) == before && rowers[1].squad === squad)
        try context.save()
        try expectInStep(context, squad, before)
    }

    /// Whoever wants it again inserts it.
    @Test(arguments: StoreKind.allCases)
    func `an object that is inserted again is in lists again`(_ kind: StoreKind) throws {
        let (context, squad) = try squad(kind)
        let rower = squad.rowers[1]
        context.delete(rower)
        try context.save()
        context.insert(rower)
        squad.rowers.append(rower)
        try context.save()
        #expect(squad.rowers.map(\.name) == ["p", "q"] && rower.squad === squad)
        // A new one that was deleted before it was ever saved was never stored.
        let new = Oarsman("n")
        squad.rowers.append(new)
        context.delete(new)
        squad.rowers.append(new)
        try context.save()
        #expect(squad.rowers.map(\.name) == ["p", "q", "n"])
        #expect(try context.fetchCount(FetchDescriptor<Oarsman>()) == 3)
    }
}
