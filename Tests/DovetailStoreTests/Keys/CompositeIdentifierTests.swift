import Dovetail
import StoreTestSupport
import Testing

@Model struct SeatPlace: Identifiable, Equatable {
    @Attribute(.primaryKey) var hall: String
    @Attribute(.primaryKey) var row: Int
    @Attribute(.primaryKey) var number: Int
    var guest = ""
    /// Of the same type, and another one.
    var neighbour: SeatPlace.ID { ID(hall: hall, row: row, number: number + 1) }
}

/// With an identifier of its own making.
@Model struct OwnSeat: Identifiable, Equatable {
    struct ID: Hashable, Sendable, Codable {
        var hall: Int
        var row: Int
    }

    @Attribute(.primaryKey) var hall: Int
    @Attribute(.primaryKey) var row: Int
    var guest = ""
    var id: ID { ID(hall: hall, row: row) }
}

/// Identifiers of keys of several columns.
@Suite struct CompositeIdentifierTests {
    private static let all = (0..<30).map {
        SeatPlace(hall: $0 < 15 ? "a" : "b", row: $0 / 5 % 3, number: $0 % 5, guest: "g\($0)")
    }

    @Test(arguments: StoreKind.allCases)
    func `fetched by key, waiting ones too`(kind: StoreKind) throws {
        let container = try kind.container(SeatPlace.self)
        let context = ModelContext(container)
        context.insert(contentsOf: Self.all)
        for seat in Self.all {
            #expect(try context.fetch(SeatPlace.self, id: seat.id) == seat)
        }
        try context.save()
        for seat in Self.all {
            #expect(try context.fetch(SeatPlace.self, id: seat.id) == seat)
        }
        #expect(try context.fetch(SeatPlace.self, id: Self.all[4].neighbour) == nil)
        var changed = Self.all[7]
        changed.guest = "new"
        context.update(changed)
        context.delete(Self.all[8])
        #expect(try context.fetch(SeatPlace.self, id: changed.id) == changed)
        #expect(try context.fetch(SeatPlace.self, id: Self.all[8].id) == nil)
        #expect(try ModelContext(container).fetch(SeatPlace.self, id: Self.all[8].id) != nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `in predicates`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(SeatPlace.self))
        context.insert(contentsOf: Self.all)
        try context.save()
        func same(_ count: Int, _ predicate: Predicate<SeatPlace>) throws {
            let order = [
                SortDescriptor(\SeatPlace.hall), SortDescriptor(\.row), SortDescriptor(\.number),
            ]
            let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: order))
            let wanted = try Self.all.filter(predicate.evaluate)
            #expect(found == wanted && found.count == count)
        }
        let (id, seat) = (Self.all[3].id, Self.all[20])
        let ids = [id, seat.id, Self.all[4].neighbour]
        try same(1, #Predicate { $0.id == id })
        try same(1, #Predicate { $0.id == seat.id })
        try same(1, #Predicate { seat.id == $0.id })
        try same(29, #Predicate { $0.id != id })
        try same(2, #Predicate { ids.contains($0.id) })
        try same(1, #Predicate { ids.contains($0.id) && $0.guest == "g3" })
        let none: [SeatPlace.ID] = []
        try same(0, #Predicate { none.contains($0.id) })
        #expect(throws: QueryError.self) {
            try context.fetch(
                FetchDescriptor<SeatPlace>(predicate: #Predicate { $0.neighbour == id })
            )
        }
        let many = (0..<1_000).map { SeatPlace.ID(hall: "a", row: 0, number: $0) }
        #expect(throws: QueryError.self) {
            try context.fetchCount(
                FetchDescriptor<SeatPlace>(predicate: #Predicate { many.contains($0.id) })
            )
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an identifier of the program's own`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(OwnSeat.self))
        let all = (0..<9).map { OwnSeat(hall: $0 / 3, row: $0 % 3, guest: "g\($0)") }
        context.insert(contentsOf: all)
        try context.save()
        for seat in all { #expect(try context.fetch(OwnSeat.self, id: seat.id) == seat) }
        let id = all[5].id
        let found = try context.fetch(
            FetchDescriptor<OwnSeat>(predicate: #Predicate { $0.id == id })
        )
        #expect(found == [all[5]])
    }
}
