import Dovetail
import StoreTestSupport

/// What tests of faults and prefetching are about: shelves of things, in a tree of rooms.
@Model final class FaultShelf {
    var number: Int
    @Relationship(deleteRule: .cascade, inverse: \FaultThing.shelf) var things: [FaultThing] = []
    var tags: [FaultTag] = []
    /// Does not know its shelf.
    var lamps: [FaultLamp] = []
    @Relationship(deleteRule: .cascade) var plate: FaultPlate?
    var room: FaultRoom?

    init(_ number: Int) { self.number = number }
}

@Model final class FaultThing {
    var name: String
    var shelf: FaultShelf?

    init(_ name: String) { self.name = name }
}

@Model final class FaultTag {
    @Attribute(.primaryKey) var name: String
    var shelves: [FaultShelf] = []

    init(_ name: String) { self.name = name }
}

@Model final class FaultLamp {
    var power: Int

    init(_ power: Int) { self.power = power }
}

/// One for each shelf, which its row names.
@Model final class FaultPlate {
    var text: String
    var shelf: FaultShelf

    init(_ text: String, of shelf: FaultShelf) {
        self.text = text
        self.shelf = shelf
    }
}

@Model final class FaultRoom {
    var name: String
    @Relationship(inverse: \FaultShelf.room) var shelves: [FaultShelf] = []
    var parent: FaultRoom?
    @Relationship(inverse: \FaultRoom.parent) var rooms: [FaultRoom] = []

    init(_ name: String) { self.name = name }
}

@ModelProtocol protocol NamedFault { var name: String { get } }

extension FaultTag: NamedFault {}
extension FaultRoom: NamedFault {}

extension StoreKind {
    func shelves() throws -> ModelContainer { try container(FaultShelf.self) }
}

extension StatementLog {
    /// A container over SQLite in memory that writes its statements here.
    func shelves() throws -> ModelContainer {
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = trace()
        return try ModelContainer(for: FaultShelf.self, configurations: configuration)
    }

    /// How many statements `body` reads with, and how many rows.
    func reads(_ body: () throws -> Void) rethrows -> (statements: Int, rows: Int) {
        _ = take()
        try body()
        let reads = takeReads()
        return (reads.count, reads.map(\.rows).reduce(0, +))
    }
}

extension ModelContainer {
    /// Stores shelves with numbers, each with three things and a lamp, two tags, a plate, and a room
    /// for every ten of them.
    func fill(_ count: Int) throws {
        let context = ModelContext(self)
        let tags = (0..<7).map { FaultTag("tag \($0)") }
        var room = FaultRoom("")
        for number in 0..<count {
            let shelf = FaultShelf(number)
            if number.isMultiple(of: 10) { room = FaultRoom("room \(number / 10)") }
            shelf.things = ["a", "b", "c"].map { FaultThing("\($0)\(number)") }
            shelf.lamps = [FaultLamp(number)]
            shelf.tags = [tags[number % 7], tags[(number + 3) % 7]]
            shelf.plate = FaultPlate("plate \(number)", of: shelf)
            shelf.room = room
            context.insert(shelf)
        }
        try context.save()
    }
}

extension ModelContext {
    /// All shelves by their numbers.
    func shelves(
        _ change: (inout FetchDescriptor<FaultShelf>) -> Void = { _ in }
    ) throws -> [FaultShelf] {
        var descriptor = FetchDescriptor<FaultShelf>(sortBy: [SortDescriptor(\.number)])
        change(&descriptor)
        return try fetch(descriptor)
    }
}

extension FaultShelf {
    /// Whether all of its relationships hold what ``ModelContainer/fill(_:)`` has stored.
    var isFull: Bool {
        things.map(\.name) == ["a\(number)", "b\(number)", "c\(number)"]
            && things.allSatisfy { $0.shelf === self }
            && lamps.map(\.power) == [number]
            && tags.map(\.name) == ["tag \(number % 7)", "tag \((number + 3) % 7)"]
            && plate?.text == "plate \(number)" && plate?.shelf === self
            && room?.name == "room \(number / 10)"
    }
}

extension [FaultShelf] {
    /// Whether each of them holds what was stored.
    var areFull: Bool { allSatisfy { $0.isFull } }
}
