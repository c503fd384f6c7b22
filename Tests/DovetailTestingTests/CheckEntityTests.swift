import Dovetail
import DovetailTesting
import Testing

@Model private final class Ticket {
    @Attribute(.unique) var id: Int
    var title = ""

    init(id: Int) { self.id = id }
}

extension Ticket: EntityWithID {}

/// Has a number of its own, whatever it is asked for by.
@Model private final class Stubborn {
    @Attribute(.unique) var id: Int

    init(id: Int) { self.id = id == 3 ? 30 : id }
}

extension Stubborn: EntityWithID {}

@Model private struct TicketValue {
    var id: Int
    var title = ""
}

@Model private struct LooseTicket {
    var id: Int?
    var title = ""
}

@Model private struct OtherTicket {
    var id: Int
    @Attribute(name: "name") var title = ""
}

/// A place that does one thing wrong.
private final class BrokenPlace: EntityContext {
    enum Fault: String, CaseIterable {
        case forgets = "it is created again where it is there already"
        case removesAll = "removing one has removed another one"
        case removesLater = "it is there when it is removed"
        case loses = "another object is found after a save"
        case keeps = "it is there before it is created"
    }

    private let fault: Fault
    private let place = EntitiesInMemory()
    private var removed: [any Entity] = []
    var events: DomainEvents { place.events }

    init(_ fault: Fault) { self.fault = fault }

    func find<Found: Entity>(
        _ entity: Found.Type,
        where predicate: Predicate<Found>?,
        limit: Int?
    ) throws -> [Found] {
        try place.find(entity, where: predicate, limit: limit)
    }

    func find<Found: Entity>(_ entity: Found.Type, id: Found.ID) throws -> Found? {
        switch fault {
        case .forgets: nil
        case .keeps where id as? Int == 2: (1 as? Found.ID).flatMap { place.find(entity, id: $0) }
        default: place.find(entity, id: id)
        }
    }

    func insertIfNew<New: Entity>(_ object: New) { place.insertIfNew(object) }

    func remove<Old: Entity>(_ object: Old) throws {
        switch fault {
        case .removesAll:
            for other in try place.find(Old.self, where: nil, limit: nil) { place.remove(other) }
        case .removesLater: removed.append(object)
        default: place.remove(object)
        }
    }

    func save() throws {
        place.save()
        for object in removed { place.remove(object) }
        if fault == .loses {
            for other in try place.find(Ticket.self, where: nil, limit: 1) { place.remove(other) }
        }
    }
}

struct CheckEntityTests {
    private static func violations(_ check: () throws -> Void) throws -> [String] {
        let error = try #require(throws: LawViolations.self) { try check() }
        return error.violations.map(\.explanation)
    }

    @Test func `an entity keeps the laws everywhere`() throws {
        try checkEntity(Ticket.self, ids: 1...10, in: EntitiesInMemory())
        for configuration in [
            ModelConfiguration(isStoredInMemoryOnly: true) as any DataStoreConfiguration,
            MemoryConfiguration(),
        ] {
            let container = try ModelContainer(for: Ticket.self, configurations: configuration)
            let context = ModelContext(container)
            context.insert(Ticket(id: 0))
            try context.save()
            try checkEntity(Ticket.self, ids: 1...10, in: container)
            try checkEntity(Ticket.self, ids: [11], in: context)
            #expect(try context.fetch(FetchDescriptor<Ticket>()).map(\.id) == [0])
        }
    }

    @Test(arguments: BrokenPlace.Fault.allCases)
    fileprivate func `a place that does something wrong is found`(
        _ fault: BrokenPlace.Fault
    ) throws {
        let found = try Self.violations {
            try checkEntity(Ticket.self, ids: 1...3, in: BrokenPlace(fault))
        }
        #expect(found.contains(fault.rawValue))
    }

    @Test func `an entity that does something wrong is found`() throws {
        let found = try Self.violations {
            try checkEntity(Stubborn.self, ids: 1...3, in: EntitiesInMemory())
        }
        #expect(found.contains("it is created with another identifier"))
        let twice = try Self.violations {
            try checkEntity(Ticket.self, ids: [1, 1], in: EntitiesInMemory())
        }
        #expect(twice.contains("the check was given an identifier twice"))
        let container = try ModelContainer(
            for: Ticket.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let unknown = try Self.violations {
            try checkEntity(Stubborn.self, ids: 1...2, in: container)
        }
        #expect(!unknown.isEmpty)
    }

    @Test func `twins are told from strangers`() throws {
        let values = [TicketValue(id: 1, title: "paint"), TicketValue(id: 2)]
        try checkTwins(Ticket.self, values)
        try checkTwins(TicketValue.self, values)
        #expect(try !Self.violations { try checkTwins(OtherTicket.self, values) }.isEmpty)
        let loose = try Self.violations { try checkTwins(LooseTicket.self, values) }
        #expect(loose.contains("TicketValue cannot read what LooseTicket can"))
        let strict = [LooseTicket(id: 1)]
        let other = try Self.violations { try checkTwins(TicketValue.self, strict) }
        #expect(other.contains("TicketValue cannot read what LooseTicket can"))
    }
}
