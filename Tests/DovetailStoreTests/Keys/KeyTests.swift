import Dovetail
import StoreTestSupport
import Testing

@Model
struct Product: Equatable, Sendable {
    var title: String
    @Attribute(.primaryKey) var sku: String
}

struct TicketID: TypedIdentifier {
    let rawValue: String
}

@Model
struct Ticket: Identifiable, Equatable, Sendable {
    let id: TicketID
    var note: String
}

@Model
struct Session: Identifiable, Equatable, Sendable {
    let id: UUID
    var user: Int
}

@Model
struct Visit: Equatable, Sendable {
    @Attribute(.primaryKey) var day: Date
    var note: String?
    @Attribute(.primaryKey) var place: String
    @Attribute(.primaryKey) var owner: OwnerID
}

@Model(naming: .snakeCase)
struct StockItem: Equatable, Sendable {
    @Attribute(.primaryKey) var articleNumber: Int
    var unitPrice: Decimal
}

@Suite struct KeyTests {
    /// Inserts, updates, upserts and deletes by key.
    private func exercise<Value: Model & Identifiable & Equatable>(
        _ old: Value,
        _ new: Value,
        _ other: Value,
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.container(Value.self))
        context.insert(contentsOf: [old, other])
        try context.save()
        context.insert(old)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
        context.rollback()
        context.update(new)
        try context.save()
        #expect(Set(try context.fetch(FetchDescriptor<Value>()).map(\.id)) == [new.id, other.id])
        #expect(try context.fetch(FetchDescriptor<Value>()).contains(new))
        context.upsert([old, other])
        context.delete(new)
        #expect(try context.fetch(FetchDescriptor<Value>()) == [other])
        try context.save()
        context.update(old)
        #expect(throws: StoreError.self) { try context.save() }
    }

    @Test(arguments: StoreKind.allCases)
    func `whole numbers, text, identifiers and several columns are keys`(kind: StoreKind) throws {
        try exercise(Pet(1, "a"), Pet(1, "b"), Pet(2, "a"), kind)
        try exercise(Pet(.min, "a"), Pet(.min, "b"), Pet(.max, "a"), kind)
        try exercise(
            Product(title: "a", sku: "x"),
            Product(title: "b", sku: "x"),
            Product(title: "a", sku: ""),
            kind
        )
        try exercise(
            Ticket(id: TicketID(rawValue: "T-1"), note: "a"),
            Ticket(id: TicketID(rawValue: "T-1"), note: "b"),
            Ticket(id: TicketID(rawValue: "t-1"), note: "a"),
            kind
        )
        let (one, two) = (UUID(), UUID())
        try exercise(
            Session(id: one, user: 1),
            Session(id: one, user: 2),
            Session(id: two, user: 1),
            kind
        )
        let (day, owner) = (Date(timeIntervalSinceReferenceDate: 0.5), OwnerID(rawValue: 1))
        try exercise(
            Visit(day: day, note: nil, place: "x", owner: owner),
            Visit(day: day, note: "n", place: "x", owner: owner),
            Visit(day: day, note: nil, place: "y", owner: owner),
            kind
        )
        try exercise(
            StockItem(articleNumber: 1, unitPrice: 1),
            StockItem(articleNumber: 1, unitPrice: 2.5),
            StockItem(articleNumber: 2, unitPrice: 1),
            kind
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `a key of another name is found by it and by id`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Product.self))
        context.insert(Product(title: "Chair", sku: "C"))
        let predicates: [Predicate<Product>] = [
            #Predicate { $0.id == "C" }, #Predicate { $0.sku == "C" },
            #Predicate { ["C"].contains($0.id) }, #Predicate { $0.id.starts(with: "C") },
        ]
        for predicate in predicates {
            #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == 1)
        }
        context.insert(Product(title: "Bed", sku: "B"))
        let sorted = FetchDescriptor<Product>(sortBy: [SortDescriptor(\.id, comparator: .lexical)])
        #expect(try context.fetch(sorted).map(\.id) == ["B", "C"])
    }

    @Test(arguments: StoreKind.allCases)
    func `typed identifiers and UUIDs in predicates`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Ticket.self, Session.self))
        let (ticket, session) = (TicketID(rawValue: "T-1"), UUID())
        context.insert(Ticket(id: ticket, note: ""))
        context.insert(Session(id: session, user: 1))
        let tickets = FetchDescriptor<Ticket>(predicate: #Predicate { $0.id == ticket })
        let sessions = FetchDescriptor<Session>(predicate: #Predicate { $0.id == session })
        #expect(try context.fetchCount(tickets) == 1)
        #expect(try context.fetchCount(sessions) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `several columns make an ID of its own`(kind: StoreKind) throws {
        let seats = [Seat(row: "A", number: 1), Seat(row: "A", number: 2)]
        #expect(Set(seats.map(\.id)) == [Seat.ID(row: "A", number: 1), seats[1].id])
        let context = ModelContext(try kind.container(Seat.self))
        context.insert(contentsOf: seats)
        let found = FetchDescriptor<Seat>(
            predicate: #Predicate { $0.row == "A" && $0.number == 2 }
        )
        #expect(try context.fetch(found).map(\.id) == [seats[1].id])
    }

    @Test(arguments: StoreKind.allCases)
    func `keys that differ by normal form or case are two rows`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Product.self))
        let keys = ["\u{E9}", "e\u{301}", "\u{C9}", "a", "A", "a\0", "a\0b"].map { kind.kept($0) }
        context.insert(contentsOf: keys.map { Product(title: $0, sku: $0) })
        try context.save()
        context.delete(Product(title: "", sku: "e\u{301}"))
        try context.save()
        let left = try context.fetch(FetchDescriptor<Product>()).map { Array($0.sku.utf8) }
        #expect(Set(left) == Set(keys.map { Array($0.utf8) }).subtracting([Array(keys[1].utf8)]))
    }
}
