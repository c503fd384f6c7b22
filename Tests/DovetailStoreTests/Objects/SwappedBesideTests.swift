import Dovetail
import StoreTestSupport
import Testing

@Model private final class SwappedStall {
    @Attribute(.unique) var name: String
    @Attribute(.unique) var seat: Int?
    var note = ""
    init(_ name: String, _ seat: Int? = nil) { (self.name, self.seat) = (name, seat) }
}

/// Unique values change places in a save that writes other objects, too.
@Suite struct SwappedBesideTests {
    private static let changes: [@Sendable ([SwappedStall]) -> Void] = [
        { $0[0].note = "x" },
        { $0[0].name = "fresh" },
        { $0[0].seat = 9 },
        { $0[2].note = "x" },
        { ($0[0].note, $0[0].seat, $0[3].note) = ("x", nil, "y") },
        { ($0[0].seat, $0[3].seat) = ($0[3].seat, $0[0].seat) },
    ]

    @Test(arguments: StoreKind.allCases, changes.indices)
    func `all of it is saved`(_ kind: StoreKind, _ change: Int) throws {
        for isInTransaction in [false, true] {
            let context = ModelContext(try kind.container(SwappedStall.self))
            let stalls = ["a", "b", "c", "d"].enumerated().map { SwappedStall($1, $0) }
            for stall in stalls { context.insert(stall) }
            try context.save()
            func work() throws {
                Self.changes[change](stalls)
                swap(&stalls[1].name, &stalls[2].name)
                try context.save()
            }
            if isInTransaction { try context.transaction(work) } else { try work() }
            let stored = try ModelContext(context.container).fetch(FetchDescriptor<SwappedStall>())
            func lines(_ stalls: [SwappedStall]) -> [String] {
                stalls.map { "\($0.name) \($0.seat ?? -1) \($0.note)" }.sorted()
            }
            #expect(lines(stored) == lines(stalls))
            #expect(stalls[1].name == "c" && stalls[2].name == "b")
        }
    }
}

@Model private final class ParkRoom {
    var number: Int
    @Relationship(deleteRule: .cascade, inverse: \ParkLesson.room) var lessons: [ParkLesson] = []
    init(_ number: Int) { self.number = number }
}

@Model private final class ParkLesson {
    #Unique<ParkLesson>([\.room, \.hour])
    @Attribute(.unique) var title: String
    var hour: Int
    var room: ParkRoom?
    var other: ParkRoom?
    init(_ title: String, _ hour: Int, _ room: ParkRoom) {
        (self.title, self.hour, self.room) = (title, hour, room)
    }
}

@Model private class ParkPlace {
    @Attribute(.unique) var name: String
    @Relationship(.unique) var room: ParkRoom?
    init(_ name: String) { self.name = name }
}

@Model private final class ParkHall: ParkPlace {
    var seats = 0
}

private typealias Park = (
    context: ModelContext, rooms: [ParkRoom], lessons: [ParkLesson], places: [ParkPlace]
)

/// Unique values that pass between rows which are written in different ways: changed, with other references, deleted,
/// and of two classes in one table.
@Suite struct PassedUniqueTests {
    private static let changes: [@Sendable (Park) -> Void] = [
        // Into the room of a lesson that is deleted.
        {
            $0.context.delete($0.lessons[0])
            ($0.lessons[2].room, $0.lessons[2].hour) = ($0.rooms[0], 1)
        },
        // With the title of one that is deleted.
        {
            $0.context.delete($0.lessons[0])
            $0.lessons[2].title = "a"
            $0.lessons[2].other = $0.rooms[0]
        },
        // Two exchange titles, and one of them gets another reference.
        {
            swap(&$0.lessons[0].title, &$0.lessons[1].title)
            $0.lessons[0].other = $0.rooms[2]
        },
        // The room that one of them refers to is deleted, with the lessons in it.
        {
            $0.lessons[1].room = $0.rooms[2]
            $0.context.delete($0.rooms[0])
            swap(&$0.lessons[1].title, &$0.lessons[2].title)
        },
        {
            swap(&$0.places[0].name, &$0.places[1].name)
            $0.places[2].name = "fresh"
        },
        {
            let first = $0.places[0].room
            $0.places[0].room = $0.places[1].room
            $0.places[1].room = $0.places[2].room
            $0.places[2].room = first
        },
    ]

    @Test(arguments: StoreKind.allCases, changes.indices)
    func `what is unique when all is done is saved`(_ kind: StoreKind, _ change: Int) throws {
        for isInTransaction in [false, true] {
            let context = ModelContext(
                try kind.container(ParkRoom.self, ParkLesson.self, ParkPlace.self, ParkHall.self)
            )
            let rooms = (0..<3).map(ParkRoom.init)
            let lessons = [
                ParkLesson("a", 1, rooms[0]), ParkLesson("b", 2, rooms[0]),
                ParkLesson("c", 1, rooms[1]), ParkLesson("d", 2, rooms[1]),
            ]
            let places = [ParkPlace("p"), ParkHall("h"), ParkHall("i")]
            for (place, room) in zip(places, rooms) { place.room = room }
            for room in rooms { context.insert(room) }
            for place in places { context.insert(place) }
            try context.save()
            func work() throws {
                Self.changes[change]((context, rooms, lessons, places))
                try context.save()
            }
            if isInTransaction { try context.transaction(work) } else { try work() }
            func lines(_ context: ModelContext) throws -> [String] {
                let lessons = try context.fetch(FetchDescriptor<ParkLesson>()).map {
                    "\($0.title) \($0.hour) \($0.room?.number ?? -1) \($0.other?.number ?? -1)"
                }
                let places = try context.fetch(FetchDescriptor<ParkPlace>()).map {
                    "\($0.name) \($0.room?.number ?? -1) \($0 is ParkHall)"
                }
                return lessons.sorted() + places.sorted()
            }
            let mine = lessons.filter { !$0.isDeleted }.map {
                "\($0.title) \($0.hour) \($0.room?.number ?? -1) \($0.other?.number ?? -1)"
            }
            let stored = try lines(ModelContext(context.container))
            #expect(stored == (try lines(context)))
            #expect(stored.prefix(mine.count) == mine.sorted()[...])
            #expect(!context.hasChanges)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what is not unique at the end is refused, and nothing changes`(_ kind: StoreKind) throws {
        let context = ModelContext(
            try kind.container(ParkRoom.self, ParkLesson.self, ParkPlace.self, ParkHall.self)
        )
        let (place, hall) = (ParkPlace("p"), ParkHall("h"))
        context.insert(place)
        context.insert(hall)
        try context.save()
        context.insert(ParkPlace("q"))
        (place.name, hall.name) = ("z", "z")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
        let other = ModelContext(context.container)
        let names = try other.fetch(FetchDescriptor<ParkPlace>()).map(\.name).sorted()
        #expect(names == ["h", "p"])
    }
}
