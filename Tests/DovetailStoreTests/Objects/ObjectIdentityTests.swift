import Dovetail
import StoreTestSupport
import Testing

@ModelProtocol protocol Vessel { var name: String { get } }

/// A class and a struct that conform to one protocol, and what they refer to.
@Model final class SteamShip: Vessel {
    @Attribute(.primaryKey) var code: String
    var name: String
    var draught: Double?
    var portID: Int
    @Relationship(deleteRule: .cascade) var engine: ShipEngine?
    @Relationship(deleteRule: .deny) var crew: [Sailor] = []

    init(code: String, name: String, port: Int = 1) {
        self.code = code
        self.name = name
        portID = port
    }
}

@Model struct Raft: Vessel, Identifiable {
    var id: Int
    var name: String
}

@Model struct HomePort: Identifiable {
    var id: Int
    var name: String
}

@Model final class ShipEngine {
    var power: Int
    init(power: Int) { self.power = power }
}

@Model final class Sailor {
    var name: String
    var ship: SteamShip?

    init(name: String, ship: SteamShip?, isAshore: Bool = false) {
        self.name = name
        if isAshore { return }
        self.ship = ship
    }
}

extension StoreKind {
    fileprivate func ships() throws -> ModelContainer {
        try container(SteamShip.self, Sailor.self, Raft.self, HomePort.self)
    }
}

/// One object stands for each row, however it is found and whatever its key does.
struct ObjectIdentityTests {
    @Test(arguments: StoreKind.allCases)
    func `all ways of reading give the same objects`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.ships())
        context.insert(HomePort(id: 1, name: "Kiel"))
        context.insert(Raft(id: 4, name: "b"))
        let ship = SteamShip(code: "S", name: "a")
        let other = SteamShip(code: "T", name: "c")
        context.insert(ship)
        context.insert(other)
        try context.save()
        other.name = "d"
        let pairs = try context.fetch(SteamShip.self, joining: \.portID, to: HomePort.self)
        #expect(
            Set(pairs.map { ObjectIdentifier($0.0) }) == [ObjectIdentifier(ship), .init(other)]
        )
        let byName = [SortDescriptor(\(any Vessel).name)]
        let vessels = try context.fetch(FetchDescriptor<any Vessel>(sortBy: byName))
        #expect(vessels.map(\.name) == ["a", "b", "d"])
        #expect(vessels[0] as? SteamShip === ship && vessels[2] as? SteamShip === other)
        let last = try context.fetch(FetchDescriptor<any Vessel>(sortBy: byName)).last
        #expect(last as? SteamShip === other)
        var met: [SteamShip] = []
        try context.enumerate(FetchDescriptor<SteamShip>(), batchSize: 1) { met.append($0) }
        #expect(met.contains { $0 === ship } && met.contains { $0 === other } && met.count == 2)
        let again = try context.fetch(FetchDescriptor<SteamShip>(), batchSize: 1)
        #expect(again.allSatisfy { $0 === ship || $0 === other })
    }

    @Test
    func `rows of SQL are the same objects, too`() throws {
        let context = ModelContext(try StoreKind.sqlite.ships())
        let ship = SteamShip(code: "S", name: "a")
        context.insert(ship)
        #expect(try context.sql("SELECT * FROM SteamShip", as: SteamShip.self).first === ship)
        #expect(throws: ModelDecodingError.self) {
            try context.sql("SELECT code, name, portID FROM SteamShip", as: SteamShip.self)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `sums and projections see objects that wait`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.ships())
        context.insert(SteamShip(code: "S", name: "a", port: 5))
        #expect(try context.sum(\SteamShip.portID) == 5)
        #expect(
            try context.fetch(FetchDescriptor<SteamShip>(), as: ShipName.self).first?.name == "a"
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `of two objects with one declared key the later one is saved`(_ kind: StoreKind) throws {
        let container = try kind.ships()
        let context = ModelContext(container)
        let first = SteamShip(code: "S", name: "first")
        context.insert(first)
        let second = SteamShip(code: "S", name: "second")
        context.insert(second)
        let known: SteamShip? = context.registeredModel(for: first.persistentModelID)
        #expect(known === first)
        second.code = "T"
        try context.save()
        let codes = try ModelContext(container).fetch(FetchDescriptor<SteamShip>()).map(\.code)
        #expect(codes.sorted() == ["S", "T"])
        let third = SteamShip(code: "S", name: "third")
        let fourth = SteamShip(code: "S", name: "fourth")
        context.insert(third)
        context.insert(fourth)
        try context.save()
        let now: SteamShip? = context.registeredModel(for: first.persistentModelID)
        #expect(now === fourth && first.isDeleted && third.isDeleted && !fourth.isDeleted)
        #expect(first.name == "first" && third.name == "third")
        let names = try context.fetch(FetchDescriptor<SteamShip>()).map(\.name)
        #expect(names.sorted() == ["fourth", "second"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a key that changes before the save is the key of the row`(_ kind: StoreKind) throws {
        let container = try kind.ships()
        let context = ModelContext(container)
        let ship = SteamShip(code: "old", name: "a")
        context.insert(ship)
        ship.code = "new"
        try context.save()
        #expect(
            try ModelContext(container).fetch(FetchDescriptor<SteamShip>()).first?.code == "new"
        )
        let found = try context.fetch(
            FetchDescriptor(predicate: #Predicate<SteamShip> { $0.code == "new" })
        )
        #expect(found.first === ship)
        let known: SteamShip? = context.registeredModel(for: ship.persistentModelID)
        #expect(known === ship)
    }

    @Test(arguments: StoreKind.allCases)
    func `an initializer may return early`(_ kind: StoreKind) throws {
        let container = try kind.ships()
        let context = ModelContext(container)
        let ship = SteamShip(code: "S", name: "a")
        let aboard = Sailor(name: "Ann", ship: ship),
            ashore = Sailor(name: "Ben", ship: ship, isAshore: true)
        #expect(ship.crew.map(\.name) == ["Ann"])
        context.insert(aboard)
        context.insert(ashore)
        try context.save()
        let reader = ModelContext(container)
        #expect(try reader.fetch(FetchDescriptor<SteamShip>()).first?.crew.map(\.name) == ["Ann"])
    }

    @Test(arguments: StoreKind.allCases)
    func `what a relationship begins with is of new objects only`(_ kind: StoreKind) throws {
        let container = try kind.container(PackedBag.self)
        let writer = ModelContext(container)
        let bag = PackedBag(name: "a")
        #expect(bag.contents.map(\.name) == ["map"] && bag.label?.name == "label")
        writer.insert(bag)
        try writer.save()
        bag.contents = []
        bag.label = nil
        try writer.save()
        let reader = ModelContext(container)
        let found = try #require(try reader.fetch(FetchDescriptor<PackedBag>()).first)
        #expect(found.label == nil && found.contents.isEmpty)
        found.name = "b"
        try reader.save()
        #expect(try reader.fetchCount(FetchDescriptor<BagContent>()) == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `a value that no column holds can be corrected`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.ships())
        let ship = SteamShip(code: "S", name: "a")
        ship.draught = .nan
        context.insert(ship)
        #expect(throws: ModelEncodingError.self) { try context.save() }
        #expect(throws: ModelEncodingError.self) { try context.fetch(FetchDescriptor<SteamShip>()) }
        ship.draught = 4
        #expect(try context.fetch(FetchDescriptor<SteamShip>()).first === ship)
        try context.save()
        #expect(try context.sum(\SteamShip.draught) == 4)
    }

    @Test(arguments: StoreKind.allCases)
    func `a new object that leaves keeps its lists, whatever others have saved`(
        _ kind: StoreKind
    ) throws {
        let container = try kind.container(SteamShip.self, Sailor.self, Melody.self)
        let mine = ModelContext(container), theirs = ModelContext(container)
        let ship = SteamShip(code: "S", name: "a")
        ship.crew = [Sailor(name: "Ann", ship: nil)]
        let melody = Melody(title: "m")
        melody.marks = [MelodyMark(name: "x")]
        mine.insert(ship)
        mine.insert(melody)
        theirs.insert(Sailor(name: "Ben", ship: nil))
        let other = Melody(title: "o")
        other.marks = [MelodyMark(name: "y")]
        theirs.insert(other)
        try theirs.save()
        mine.processPendingChanges()
        #expect(ship.crew.map(\.name) == ["Ann"] && melody.marks.map(\.name) == ["x"])
        mine.rollback()
        #expect(ship.modelContext == nil && ship.crew.map(\.name) == ["Ann"])
        #expect(melody.marks.map(\.name) == ["x"] && melody.marks[0].tunes.first === melody)
    }

    @Test(arguments: StoreKind.allCases)
    func `an object is in a list once`(_ kind: StoreKind) throws {
        let container = try kind.ships()
        let context = ModelContext(container)
        let ship = SteamShip(code: "S", name: "a")
        context.insert(ship)
        let ann = Sailor(name: "Ann", ship: ship)
        ship.crew.append(ann)
        ship.crew += [ann, Sailor(name: "Ben", ship: ship), ann]
        #expect(ship.crew.map(\.name) == ["Ann", "Ben"])
        ship.crew = [ship.crew[1], ann, ship.crew[1]]
        #expect(ship.crew.map(\.name) == ["Ben", "Ann"])
        try context.save()
        let found = try ModelContext(container).fetch(FetchDescriptor<SteamShip>())
        #expect(found.first.map { $0.name } == "a")
        let reader = ModelContext(container)
        #expect(
            try reader.fetch(FetchDescriptor<SteamShip>()).first?.crew.map(\.name) == [
                "Ben", "Ann",
            ]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `what a rule denies is asked at the save`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.ships())
        let ship = SteamShip(code: "S", name: "a")
        let ann = Sailor(name: "Ann", ship: ship)
        context.insert(ann)
        try context.save()
        context.delete(ship)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .foreignKeyViolation)
        ann.ship = nil
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<SteamShip>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<Sailor>()) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `deleting by a predicate follows the rules of what is held`(_ kind: StoreKind) throws {
        let container = try kind.ships()
        let writer = ModelContext(container)
        for number in 0..<3 {
            let ship = SteamShip(code: "\(number)", name: "a")
            ship.engine = ShipEngine(power: number)
            writer.insert(ship)
        }
        try writer.save()
        let context = ModelContext(container)
        try context.delete(model: SteamShip.self, where: #Predicate { $0.code != "1" })
        try context.save()
        #expect(try context.fetch(FetchDescriptor<ShipEngine>()).map(\.power) == [1])
    }

    @Test
    func `objects cannot be synchronized as values`() throws {
        let context = ModelContext(try StoreKind.memory.ships())
        let error = #expect(throws: StoreError.self) {
            try context.synchronize([ShipEngine(power: 1)])
        }
        #expect(error?.kind == .unsupported)
    }

    @Test(arguments: StoreKind.allCases)
    func `what other contexts save is observed when it is read`(_ kind: StoreKind) throws {
        let container = try kind.ships()
        let mine = ModelContext(container), theirs = ModelContext(container)
        mine.insert(SteamShip(code: "S", name: "a"))
        try mine.save()
        let ship = try #require(try mine.fetch(FetchDescriptor<SteamShip>()).first)
        final class Count: @unchecked Sendable { var names = 0, drafts = 0 }
        let count = Count()
        withObservationTracking {
            _ = ship.name
        } onChange: {
            count.names += 1
        }
        withObservationTracking {
            _ = ship.draught
        } onChange: {
            count.drafts += 1
        }
        try theirs.fetch(FetchDescriptor<SteamShip>()).first?.name = "b"
        try theirs.save()
        _ = try mine.fetch(FetchDescriptor<SteamShip>())
        #expect(ship.name == "b" && count.names == 1 && count.drafts == 0)
    }

    @Test
    func `keys differ after a transaction that was undone, and after a copy`() async throws {
        let folder = try TemporaryFolder()
        func open(_ name: String) throws -> ModelContainer {
            let url = folder.file(name)
            return try ModelContainer(
                for: ShipEngine.self,
                configurations: ModelConfiguration(url: url)
            )
        }
        struct Undo: Error {}
        let first = try open("a.db"), second = try open("a.db")
        let one = ModelContext(first), two = ModelContext(second)
        #expect(throws: Undo.self) {
            try one.transaction {
                one.insert(ShipEngine(power: 0))
                try one.save()
                throw Undo()
            }
        }
        for (context, power) in [(one, 1), (two, 2), (one, 3)] {
            context.insert(ShipEngine(power: power))
            try context.save()
        }
        let copy = try open("b.db")
        try await first.copy(to: copy)
        let third = ModelContext(copy)
        third.insert(ShipEngine(power: 4))
        try third.save()
        #expect(try third.fetchCount(FetchDescriptor<ShipEngine>()) == 4)
        let memory = try StoreKind.memory.container(ShipEngine.self)
        try await copy.copy(to: memory)
        let fourth = ModelContext(memory)
        fourth.insert(ShipEngine(power: 5))
        try fourth.save()
        #expect(try fourth.fetchCount(FetchDescriptor<ShipEngine>()) == 5)
    }
}

/// Begins with an object in a relationship.
@Model final class PackedBag {
    var name: String
    @Relationship(deleteRule: .cascade) var contents = [BagContent(name: "map")]
    var label: BagContent? = BagContent(name: "label")

    init(name: String) { self.name = name }
}

@Model final class BagContent {
    var name: String
    init(name: String) { self.name = name }
}

@Model struct ShipName { var name: String }
