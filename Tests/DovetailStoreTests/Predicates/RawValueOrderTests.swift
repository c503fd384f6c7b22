import Dovetail
import StoreTestSupport
import Testing

@Model enum ChoreWeight: Int, CaseIterable {
    case light = 10, heavy = 2, middle = 5
    /// Of the type of the raw value, and not it.
    var hours: Int { rawValue * 2 }
}

@Model enum ChoreRoom: String, CaseIterable { case kitchen = "b", attic = "c", cellar = "a" }

/// Kept as the document that its `Codable` makes.
enum ChoreTool: String, Codable, CaseIterable, Sendable { case broom, axe }

struct ChoreTeam: TypedIdentifier { let rawValue: Int }

@Model struct RawChore: Identifiable, Equatable {
    let id: Int
    var weight: ChoreWeight
    var other: ChoreWeight
    var room: ChoreRoom?
    var tool: ChoreTool
    var team: ChoreTeam
    var substitute: ChoreTeam?
}

@Model final class RawManagedChore {
    var name: String
    var weight: ChoreWeight
    var room: ChoreRoom?
    var before: RawManagedChore?

    init(name: String, weight: ChoreWeight, room: ChoreRoom? = nil) {
        self.name = name
        self.weight = weight
        self.room = room
    }
}

@Model struct RawPart: Equatable {
    var count: Int
    var weight: ChoreWeight
    var room: ChoreRoom?
}

/// With values that have to be there, inside of which others are.
@Model struct RawWhole: Identifiable, Equatable {
    let id: Int
    var part: RawPart
    var other: RawPart?
    var weight: ChoreWeight
}

/// Raw values in orders, aggregates and selections.
@Suite struct RawValueOrderTests {
    private static let all = [
        RawChore(
            id: 1,
            weight: .light,
            other: .heavy,
            room: .kitchen,
            tool: .broom,
            team: ChoreTeam(rawValue: 3),
            substitute: ChoreTeam(rawValue: 1)
        ),
        RawChore(
            id: 2,
            weight: .heavy,
            other: .middle,
            room: .attic,
            tool: .axe,
            team: ChoreTeam(rawValue: 1),
            substitute: ChoreTeam(rawValue: 2)
        ),
        RawChore(
            id: 3,
            weight: .middle,
            other: .light,
            room: .cellar,
            tool: .broom,
            team: ChoreTeam(rawValue: 2),
            substitute: nil
        ),
    ]

    @Test(arguments: StoreKind.allCases)
    func `values are ordered by raw values`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(RawChore.self))
        context.insert(contentsOf: Self.all)
        try context.save()
        func ids(_ order: SortDescriptor<RawChore>) throws -> [Int] {
            try context.fetch(FetchDescriptor(sortBy: [order, SortDescriptor(\.id)])).map(\.id)
        }
        #expect(try ids(SortDescriptor(\.weight.rawValue)) == [2, 3, 1])
        #expect(try ids(SortDescriptor(\.other.rawValue, order: .reverse)) == [3, 2, 1])
        #expect(try ids(SortDescriptor(\.tool.rawValue, comparator: .lexical)) == [2, 1, 3])
        #expect(try ids(SortDescriptor(\.team.rawValue)) == [2, 3, 1])
        #expect(try ids(SortDescriptor(\.substitute?.rawValue)) == [3, 1, 2])
        #expect(try context.max(\RawChore.weight.rawValue) == 10)
        #expect(try context.min(\RawChore.team.rawValue) == 1)
        #expect(try context.sum(\RawChore.other.rawValue) == 17)
        #expect(throws: QueryError.self) { try ids(SortDescriptor(\.weight.hours)) }
    }

    @Test(arguments: StoreKind.allCases)
    func `optional texts`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(RawChore.self))
        context.insert(contentsOf: Self.all)
        try context.save()
        let order = SortDescriptor(\RawChore.room?.rawValue)
        let found = try context.fetch(FetchDescriptor(sortBy: [order]))
        #expect(found.map(\.id) == [3, 1, 2])
    }

    @Test(arguments: StoreKind.allCases)
    func `objects, waiting ones too`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(RawManagedChore.self))
        context.insert(RawManagedChore(name: "a", weight: .light))
        context.insert(RawManagedChore(name: "b", weight: .heavy))
        try context.save()
        context.insert(RawManagedChore(name: "c", weight: .middle))
        let order = SortDescriptor(\RawManagedChore.weight.rawValue)
        #expect(try context.fetch(FetchDescriptor(sortBy: [order])).map(\.name) == ["b", "c", "a"])
        try context.save()
        #expect(try context.fetch(FetchDescriptor(sortBy: [order])).map(\.name) == ["b", "c", "a"])
        #expect(try context.min(\RawManagedChore.weight.rawValue) == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `in and beside embedded values`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(RawWhole.self))
        let heavy = RawPart(count: 1, weight: .heavy, room: .attic)
        let light = RawPart(count: 2, weight: .light)
        context.insert(contentsOf: [
            RawWhole(id: 1, part: light, other: heavy, weight: .middle),
            RawWhole(id: 2, part: heavy, other: light, weight: .heavy),
            RawWhole(id: 3, part: light, other: nil, weight: .light),
        ])
        try context.save()
        func ids(_ order: SortDescriptor<RawWhole>) throws -> [Int] {
            try context.fetch(FetchDescriptor(sortBy: [order, SortDescriptor(\.id)])).map(\.id)
        }
        #expect(try ids(SortDescriptor(\.weight.rawValue)) == [2, 1, 3])
        #expect(try ids(SortDescriptor(\.part.weight.rawValue)) == [2, 1, 3])
        #expect(try ids(SortDescriptor(\.part.room?.rawValue, order: .reverse)) == [2, 1, 3])
        #expect(try ids(SortDescriptor(\.other?.weight.rawValue)) == [3, 1, 2])
        #expect(try context.max(\RawWhole.part.weight.rawValue) == 10)
    }
}
