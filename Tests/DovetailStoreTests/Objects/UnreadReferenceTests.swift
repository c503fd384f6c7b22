import Dovetail
import StoreTestSupport
import Testing

@Model private final class UnreadTeam {
    @Attribute(.unique) var code: String
    var reserves: [UnreadReserve] = []
    init(_ code: String) { self.code = code }
}

@Model private final class UnreadPlayer {
    var name: String
    var team: UnreadTeam?
    init(_ name: String) { self.name = name }
}

@Model private final class UnreadReserve {
    var name: String
    init(_ name: String) { self.name = name }
}

/// A reference to a row that this context has deleted, in an object that has never looked for it: the rule of the
/// deletion is no change of somebody else.
@Suite struct UnreadReferenceTests {
    private struct Stop: Error {}

    private func container(_ kind: StoreKind) throws -> ModelContainer {
        let container = try kind.container(UnreadTeam.self, UnreadPlayer.self, UnreadReserve.self)
        let context = ModelContext(container)
        for code in ["a", "b"] {
            let (team, player) = (UnreadTeam(code), UnreadPlayer("of \(code)"))
            let reserve = UnreadReserve("reserve of \(code)")
            player.team = team
            team.reserves = [reserve]
            for object in [team, player, reserve] as [any PersistentModel] {
                context.insert(object)
            }
        }
        try context.save()
        return container
    }

    private func players(_ context: ModelContext) throws -> [UnreadPlayer] {
        try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.name)]))
    }

    private func teams(_ context: ModelContext) throws -> [UnreadTeam] {
        try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.code)]))
    }

    @Test(arguments: StoreKind.allCases, [0, 1, 2])
    func `it can be set to another one`(_ kind: StoreKind, before: Int) throws {
        let context = ModelContext(try container(kind))
        let (players, teams) = (try players(context), try teams(context))
        let reserve = try #require(
            try context.fetch(FetchDescriptor<UnreadReserve>(sortBy: [SortDescriptor(\.name)]))
                .first
        )
        if before == 2 {
            // A deletion that was taken back.
            #expect(throws: Stop.self) {
                try context.transaction {
                    context.delete(teams[1])
                    try context.save()
                    throw Stop()
                }
            }
            #expect(players[1].team === teams[1])
        }
        context.delete(teams[0])
        try context.save()
        if before == 1 { players[0].name = "changed before" }
        players[0].team = teams[1]
        teams[1].reserves.append(reserve)
        try context.save()
        #expect(players[0].team === teams[1] && players[1].team === teams[1])
        let stored = try self.teams(ModelContext(context.container))
        #expect(stored.map { $0.reserves.map(\.name) } == [["reserve of b", "reserve of a"]])
    }

    @Test(arguments: StoreKind.allCases)
    func `a row with the same key is another one`(_ kind: StoreKind) throws {
        let container = try kind.container(UnreadNote.self, UnreadPage.self)
        let context = ModelContext(container)
        for number in 1...3 { context.insert(UnreadNote(number, UnreadPage(number))) }
        try context.save()
        let reader = ModelContext(container)
        let notes = try reader.fetch(FetchDescriptor<UnreadNote>(sortBy: [SortDescriptor(\.id)]))
        for page in try reader.fetch(FetchDescriptor<UnreadPage>()) { reader.delete(page) }
        try reader.save()
        reader.insert(UnreadPage(1))
        try reader.save()
        #expect(notes.map(\.page?.id) == [nil, nil, nil])
        let other = ModelContext(container)
        let page = UnreadPage(2)
        let others = try other.fetch(FetchDescriptor<UnreadNote>(sortBy: [SortDescriptor(\.id)]))
        others[1].page = page
        try other.save()
        #expect(try reader.fetch(FetchDescriptor<UnreadPage>()).count == 2)
        #expect(notes.map(\.page?.id) == [nil, 2, nil])
        notes[1].page = nil
        notes[2].page = try reader.fetch(
            FetchDescriptor<UnreadPage>(sortBy: [SortDescriptor(\.id)])
        )[0]
        try reader.save()
        let stored = try ModelContext(container).fetch(
            FetchDescriptor<UnreadNote>(sortBy: [SortDescriptor(\.id)])
        )
        #expect(stored.map(\.page?.id) == [nil, nil, 1])
    }

    /// The keys of what was deleted are gone over and forgotten.
    @Test func `many deletions one after the other`() throws {
        let container = try StoreKind.memory.container(UnreadNote.self, UnreadPage.self)
        let context = ModelContext(container)
        for number in 1...300 { context.insert(UnreadNote(number, UnreadPage(number))) }
        try context.save()
        let reader = ModelContext(container)
        let notes = try reader.fetch(FetchDescriptor<UnreadNote>(sortBy: [SortDescriptor(\.id)]))
        let last = try #require(try reader.fetch(UnreadPage.self, id: 300))
        for number in 1..<300 {
            reader.delete(try #require(try reader.fetch(UnreadPage.self, id: number)))
            try reader.save()
        }
        for note in notes { note.page = last }
        try reader.save()
        #expect(notes.allSatisfy { $0.page === last })
    }
}

@Model private final class UnreadPage {
    @Attribute(.primaryKey) var id: Int
    init(_ id: Int) { self.id = id }
}

@Model private final class UnreadNote {
    @Attribute(.primaryKey) var id: Int
    var page: UnreadPage?
    init(_ id: Int, _ page: UnreadPage) { (self.id, self.page) = (id, page) }
}
