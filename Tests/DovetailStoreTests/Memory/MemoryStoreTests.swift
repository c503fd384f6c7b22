import Dovetail
import DovetailStore
import StoreTestSupport
import Testing

@testable import DovetailTesting

/// What the memory store promises by itself. That it means what SQLite means is up to the tests that
/// compare the two.
@Suite struct MemoryStoreTests {
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        container = try ModelContainer(
            for: Club.self,
            Player.self,
            Game.self,
            configurations: MemoryConfiguration()
        )
        context = ModelContext(container)
    }

    private func players() throws -> [Int] {
        try ModelContext(container).fetch(FetchDescriptor<Player>()).map(\.id)
    }

    /// The error of a save, which has to leave everything as it was.
    private func refusal() -> StoreError? {
        let error = #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        return error
    }

    /// Saves, and gives the keys that the clubs have.
    private func savedKeys() throws -> [Int64] {
        try context.save()
        return context.lastCommit.keys(of: Club.self)
    }

    @Test func `each container has a store of its own`() throws {
        let configuration = MemoryConfiguration()
        let first = try ModelContainer(for: Pet.self, configurations: configuration)
        let second = try ModelContainer(for: Pet.self, configurations: configuration)
        let context = ModelContext(first)
        context.insert(contentsOf: Pet.four)
        try context.save()
        #expect(try ModelContext(first).fetchCount(FetchDescriptor<Pet>()) == 4)
        #expect(try ModelContext(second).fetchCount(FetchDescriptor<Pet>()) == 0)
    }

    @Test func `without an order rows come in the order of their keys`() throws {
        context.insert(contentsOf: [7, 3, 12, 5].map { Player($0) })
        try context.save()
        #expect(try players() == [3, 5, 7, 12])
        let products = ModelContext(try StoreKind.memory.container(Product.self))
        products.insert(contentsOf: ["b", "é", "a", "Z"].map { Product(title: "", sku: $0) })
        try products.save()
        #expect(
            try products.fetch(FetchDescriptor<Product>()).map(\.sku) == ["Z", "a", "b", "é"]
        )
    }

    @Test func `a number is never given twice as a key`() throws {
        context.insert(contentsOf: ["a", "b"].map { Club(nil, $0) })
        #expect(try savedKeys() == [1, 2])
        context.delete(Club(2, ""))
        context.insert(Club(nil, "c"))
        #expect(try savedKeys() == [3])
        context.insert(Club(100, "d"))
        context.insert(Club(nil, "e"))
        #expect(try savedKeys() == [100, 101])
        context.insert(Club(.max, "f"))
        try context.save()
        context.insert(Club(nil, "g"))
        #expect(refusal()?.kind == .storageFailure)
    }

    @Test func `unique values and groups are refused by the names of their columns`() throws {
        context.insert(Club(1, "a", league: "A", rank: 1))
        context.insert(Player(1, email: "x"))
        try context.save()
        for (club, column) in [
            (Club(1, "b"), "id"), (Club(2, "a"), "name"),
            (Club(2, "b", league: "A", rank: 1), "league, rank"),
        ] {
            context.insert(club)
            let error = refusal()
            #expect(error?.kind == .uniqueViolation)
            #expect(error?.table == "Club" && error?.column == column)
        }
        // NULL is equal to nothing.
        context.insert(contentsOf: [Club(2, "b", league: "A"), Club(3, "c", league: "A")])
        context.insert(contentsOf: [Player(2), Player(3)])
        try context.save()
        // The row itself is no other one, and a value that is free again can be taken.
        context.update(Player(1, email: "x", age: 30))
        context.delete(Player(1))
        context.insert(Player(4, email: "x"))
        try context.save()
        #expect(try players() == [2, 3, 4])
    }

    @Test func `a foreign key is checked when the outermost transaction ends`() throws {
        context.insert(Game(1, home: 5, best: 9))
        #expect(refusal()?.kind == .foreignKeyViolation)
        try context.transaction {
            context.insert(Game(1, home: 5, best: 9))
            try context.save()
            context.insert(Club(5, "five"))
            try context.transaction { context.insert(Player(9)) }
        }
        context.delete(Player(9))
        let error = refusal()
        #expect(error?.kind == .foreignKeyViolation)
        #expect(error?.table == "Game" && error?.column == "best")
        #expect(error?.description == "Game.best: a row refers to one that does not exist")
        context.delete(Player(9))
        context.update(Game(1, home: 5))
        try context.save()
        #expect(try players().isEmpty)
    }

    @Test func `rows that refer to a deleted one go, or refer to nothing`() throws {
        context.insert(contentsOf: [Club(1, "one"), Club(2, "two")])
        context.insert(contentsOf: [Player(1, team: 1), Player(2, team: 2)])
        context.insert(contentsOf: [Game(1, home: 1), Game(2, home: 2), Game(3, home: 1)])
        try context.save()
        context.delete(Club(1, ""))
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Game>()).map(\.id) == [2])
        let teams = try context.fetch(FetchDescriptor<Player>()).map(\.team)
        #expect(teams == [nil, 2])
    }

    @Test func `a chain of any length goes with its first row`() throws {
        context.insert(contentsOf: (0..<5_000).map { Player($0, captain: $0 == 0 ? nil : $0 - 1) })
        context.insert(Player(6_000, captain: 6_000))
        try context.save()
        context.delete(Player(10))
        context.delete(Player(6_000))
        try context.save()
        #expect(try players() == Array(0..<10))
    }

    @Test func `a statement that fails has changed nothing`() throws {
        let entity = EntityBinding(Player.self)
        try container.store.withConnection { connection in
            func write(_ players: [Player], _ verb: WriteVerb) throws {
                let writer = try connection.writer(verb, into: entity)
                try ModelWriter.writeRows(players, to: writer) { _ in try writer.finishRow() }
            }
            try connection.transaction(keeping: true) {
                #expect(throws: StoreError.self) {
                    try write([Player(1, email: "x"), Player(2, email: "x")], .insert)
                }
                #expect(throws: StoreError.self) { try write([Player(3)], .update) }
                try write([Player(4, email: "y")], .upsert)
            }
            // Without a transaction each row is one of its own.
            #expect(throws: StoreError.self) { try write([Player(5), Player(5)], .insert) }
            #expect(throws: StoreError.self) { try write([Player(6, team: 1)], .insert) }
        }
        #expect(try players() == [1, 4, 5])
    }

    @Test func `a date that no column can hold is refused in a query`() throws {
        let specimens = ModelContext(try StoreKind.memory.container(Specimen.self))
        let never = Date(timeIntervalSinceReferenceDate: .infinity)
        let dated = FetchDescriptor<Specimen>(predicate: #Predicate { $0.day == never })
        #expect(throws: ModelEncodingError.self) { try specimens.fetch(dated) }
    }

    @Test func `a table that the store was made without is refused`() throws {
        let query = Query(EntityBinding(Pet.self))
        try container.store.withConnection { connection in
            for error in [
                #expect(throws: StoreError.self) { try connection.rows(of: query) },
                #expect(throws: StoreError.self) { try connection.delete(query) },
                #expect(throws: StoreError.self) {
                    try connection.writer(.insert, into: query.entity)
                },
            ] {
                #expect(error?.kind == .invalidSchema && error?.table == "Pet")
            }
        }
    }
}
