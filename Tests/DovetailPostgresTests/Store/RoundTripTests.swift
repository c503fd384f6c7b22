import Dovetail
import DovetailPostgres
import DovetailStore
import DovetailTesting
import PostgresTestSupport
import StoreTestSupport
import Testing

@Model final class Sailor {
    @Attribute(.primaryKey) var number: Int
    var name: String
    var rank: Int?
    @Relationship(inverse: \Ship.crew) var ship: Ship?

    init(_ number: Int, _ name: String, rank: Int? = nil) {
        (self.number, self.name, self.rank) = (number, name, rank)
    }
}

@Model final class Ship {
    @Attribute(.primaryKey) var number: Int
    var crew: [Sailor] = []

    init(_ number: Int) { self.number = number }
}

@Model struct Cargo: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
    var weight: Double?
}

@Model struct Berth: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.unique) var place: String
}

/// How often a save waits for the server, counted by what the server says.
@Suite(.needsPostgres) struct RoundTripTests {
    private let wire: FaultyWire
    private let context: ModelContext

    init() throws {
        wire = try FaultyWire([Sailor.self, Ship.self, Cargo.self, Berth.self])
        context = ModelContext(wire.container)
        // The connection is there.
        _ = try context.fetchCount(FetchDescriptor<Cargo>())
    }

    private func roundTrips(_ body: () throws -> Void) throws -> Int {
        wire.proxy.arm(nil)
        try body()
        return wire.proxy.roundTrips
    }

    private func sailors() throws -> [Sailor] {
        try context.fetch(FetchDescriptor<Sailor>(sortBy: [SortDescriptor(\.number)]))
    }

    private func cargo() throws -> [Cargo] {
        try context.fetch(FetchDescriptor<Cargo>(sortBy: [SortDescriptor(\.id)]))
    }

    /// Also the first ones, whose statements no connection has prepared.
    @Test func `a thousand mixed changes of objects take two`() throws {
        for number in 0..<700 { context.insert(Sailor(number, "a")) }
        // `COPY` waits once more, for the server to take rows.
        #expect(try roundTrips { try context.save() } == 3)
        for round in 1...2 {
            let all = try sailors()
            for (index, sailor) in all.enumerated() {
                switch index % 7 {
                case 0, 1, 2: context.delete(sailor)
                case 3, 4: sailor.name = "\(round)"
                default: (sailor.name, sailor.rank) = ("\(round)", index)
                }
            }
            for number in 0..<300 { context.insert(Sailor(round * 1000 + number, "new")) }
            #expect(try roundTrips { try context.save() } == 2, "round \(round)")
            let stored = try ModelContext(wire.container).fetch(
                FetchDescriptor<Sailor>(sortBy: [SortDescriptor(\.number)])
            )
            #expect(stored.count == 700)
            #expect(stored.filter { $0.name == "\(round)" }.count == 400)
            #expect(stored.map(\.number) == (try sailors().map(\.number)))
        }
    }

    @Test func `objects of two classes that refer to each other take two`() throws {
        let ship = Ship(1)
        for number in 0..<50 {
            let sailor = Sailor(number, "a")
            sailor.ship = ship
            context.insert(sailor)
        }
        #expect(try roundTrips { try context.save() } == 2)
        for sailor in ship.crew where sailor.number % 2 == 0 { sailor.ship = nil }
        ship.crew.first { $0.number == 1 }?.name = "b"
        #expect(try roundTrips { try context.save() } == 2)
        let stored = try ModelContext(wire.container).fetch(FetchDescriptor<Ship>())
        #expect(stored[0].crew.count == 25)
    }

    @Test func `a thousand mixed changes of values take two`() throws {
        try context.insertAndSave((0..<700).map { Cargo(id: $0, name: "a") })
        context.insert(contentsOf: (1000..<1300).map { Cargo(id: $0, name: "new") })
        context.update((0..<300).map { Cargo(id: $0, name: "b", weight: 1) })
        context.upsert((300..<350).map { Cargo(id: $0, name: "c") })
        context.delete((350..<700).map { Cargo(id: $0, name: "") })
        #expect(try roundTrips { try context.save() } == 2)
        let stored = try cargo()
        #expect(
            stored.map(\.name) == Array(repeating: "b", count: 300)
                + Array(repeating: "c", count: 50) + Array(repeating: "new", count: 300)
        )
        #expect(stored[299] == Cargo(id: 299, name: "b", weight: 1))
    }

    @Test func `a transaction without a statement takes none`() throws {
        #expect(try roundTrips { try context.transaction {} } == 0)
        #expect(
            try roundTrips {
                try wire.container.store.withConnection { connection in
                    try connection.transaction(keeping: true) {
                        try connection.transaction(keeping: true) {}
                        try connection.transaction(keeping: false) {}
                    }
                }
            } == 0
        )
        // One question, and the end; what begins it goes before it.
        let count = try roundTrips {
            try context.transaction { _ = try context.fetchCount(FetchDescriptor<Cargo>()) }
        }
        #expect(count <= 3)
    }

    @Test func `what somebody else has changed is a conflict, and nothing is stored`() throws {
        for number in 0..<20 { context.insert(Sailor(number, "a", rank: 1)) }
        try context.save()
        let all = try sailors()
        let raw = try wire.schema.connect()
        try raw.rows(#"UPDATE "Sailor" SET name = 'x' WHERE number = 7"#)
        try raw.rows(#"DELETE FROM "Sailor" WHERE number = 9"#)
        try raw.rows(#"UPDATE "Sailor" SET rank = 2 WHERE number = 11"#)
        try raw.rows(#"UPDATE "Sailor" SET name = 'y' WHERE number = 12"#)
        for sailor in all { sailor.name = "b" }
        let error = #expect(throws: ConflictError.self) { try context.save() }
        #expect(error != nil)
        #expect(try raw.value(#"SELECT count(*) FROM "Sailor" WHERE name = 'b'"#) == "0")
        context.conflictPolicy = .contextWins
        for sailor in all where sailor.number == 9 { context.delete(sailor) }
        try context.save()
        #expect(try raw.value(#"SELECT count(*) FROM "Sailor" WHERE name = 'b'"#) == "19")
        #expect(try raw.value(#"SELECT rank FROM "Sailor" WHERE number = 11"#) == "2")
    }

    @Test func `one that is refused among many is named, and can be mended`() throws {
        try context.insertAndSave((0..<10).map { Berth(id: $0, place: "\($0)") })
        context.insert(contentsOf: (100..<105).map { Cargo(id: $0, name: "a") })
        context.insert(contentsOf: (10..<20).map { Berth(id: $0, place: "\($0 == 15 ? 3 : $0)") })
        context.delete([Berth(id: 9, place: "")])
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation && error?.table == "Berth")
        #expect(error?.keys == [[.integer(15)], [.integer(3)]])
        #expect(try context.fetchCount(FetchDescriptor<Cargo>()) == 5)
        #expect(try ModelContext(wire.container).fetchCount(FetchDescriptor<Cargo>()) == 0)
        context.rollback()
        // Two that change places.
        context.update([Berth(id: 1, place: "2"), Berth(id: 2, place: "1")])
        context.insert(Cargo(id: 1, name: "a"))
        try context.save()
        let all = try context.fetch(FetchDescriptor<Berth>(sortBy: [SortDescriptor(\.id)]))
        #expect(all.prefix(3).map(\.place) == ["0", "2", "1"])
        #expect(try context.fetchCount(FetchDescriptor<Cargo>()) == 1)
    }

    @Test func `ten thousand objects are changed`() throws {
        for number in 0..<10_000 { context.insert(Sailor(number, "a")) }
        try context.save()
        for sailor in try sailors() { sailor.name = "b" }
        // In blocks, whose answers fit into what the connection buffers.
        #expect(try roundTrips { try context.save() } <= 12)
        #expect(try sailors().allSatisfy { $0.name == "b" })
        let other = try ModelContext(wire.container).fetch(FetchDescriptor<Sailor>())
        #expect(other.count == 10_000 && other.allSatisfy { $0.name == "b" })
    }
}
