import Dovetail
import Observation
import StoreTestSupport
import Synchronization
import Testing

@Model final class BoardShelf {
    var name: String
    @Relationship(inverse: \BoardVolume.shelf) var volumes: [BoardVolume] = []
    var extras: [BoardMark] = []

    init(_ name: String) { self.name = name }
}

@Model final class BoardVolume {
    var title: String
    var shelf: BoardShelf?
    var sequel: BoardVolume?
    var marks: [BoardMark] = []

    init(_ title: String) { self.title = title }
}

/// No property of it leads back.
@Model final class BoardMark {
    var page: Int

    init(_ page: Int) { self.page = page }
}

@ModelProtocol protocol Stamped: AnyObject {
    var name: String { get set }
    var badges: [StampBadge] { get set }
}

@Model final class StampedCrate: Stamped {
    var name: String
    var badges: [StampBadge] = []

    init(_ name: String) { self.name = name }
}

@Model final class StampedBarrel: Stamped {
    var name: String
    var badges: [StampBadge] = []

    init(_ name: String) { self.name = name }
}

@Model final class StampBadge {
    var text: String
    @Relationship(inverse: \(any Stamped).badges) var on: [any Stamped] = []

    init(_ text: String) { self.text = text }
}

/// What other contexts have saved, in lists that were read.
@Suite struct TakenOverListTests {
    /// Two contexts of one container: the other one, and one that has read all lists of all shelves.
    private func contexts(
        _ log: StatementLog
    ) throws -> (other: ModelContext, context: ModelContext, shelves: [BoardShelf]) {
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let container = try ModelContainer(for: BoardShelf.self, configurations: configuration)
        let other = ModelContext(container)
        for number in 0..<5 {
            let shelf = BoardShelf("s\(number)")
            shelf.volumes = [BoardVolume("a\(number)"), BoardVolume("b\(number)")]
            shelf.extras = [BoardMark(number)]
            other.insert(shelf)
        }
        try other.save()
        let context = ModelContext(container)
        let shelves = try context.fetch(
            FetchDescriptor<BoardShelf>(sortBy: [SortDescriptor(\.name, comparator: .lexical)])
        )
        for shelf in shelves { _ = titles(shelf) }
        _ = log.take()
        return (other, context, shelves)
    }

    private func titles(_ shelf: BoardShelf) -> [String] {
        shelf.volumes.map(\.title) + shelf.extras.map { "\($0.page)" }
    }

    private func volume(_ title: String, _ context: ModelContext) throws -> BoardVolume {
        try #require(
            context.fetch(FetchDescriptor<BoardVolume>(predicate: #Predicate { $0.title == title }))
                .first
        )
    }

    @Test func `an attribute that others have changed reads no list again`() throws {
        let log = StatementLog()
        let (other, context, shelves) = try contexts(log)
        try volume("a0", other).title = "z"
        try other.save()
        context.processPendingChanges()
        _ = log.take()
        let told = Mutex(0)
        for shelf in shelves {
            withObservationTracking {
                _ = shelf.volumes
            } onChange: {
                told.withLock { $0 += 1 }
            }
        }
        try volume("a1", other).title = "y"
        try other.save()
        context.processPendingChanges()
        #expect(titles(shelves[0]) == ["z", "b0", "0"] && titles(shelves[1])[0] == "y")
        #expect(told.withLock { $0 } == 0)
        #expect(!log.takeReads().contains { $0.sql.contains(#"FROM "BoardShelf""#) })
    }

    @Test func `what others insert is in its list, and no other list is read again`() throws {
        let log = StatementLog()
        let (other, context, shelves) = try contexts(log)
        let new = BoardVolume("n")
        new.sequel = try volume("a4", other)
        new.shelf = try other.fetch(
            FetchDescriptor<BoardShelf>(predicate: #Predicate { $0.name == "s3" })
        )[0]
        other.insert(new)
        try other.save()
        context.processPendingChanges()
        _ = log.take()
        #expect(titles(shelves[3]) == ["a3", "b3", "n", "3"])
        #expect(log.takeReads().count == 1)
        for shelf in [0, 1, 2, 4] { #expect(titles(shelves[shelf]).count == 3) }
        #expect(log.takeReads().isEmpty)
    }

    @Test func `what others move, delete, or put into lists without a way back is seen`() throws {
        let log = StatementLog()
        let (other, context, shelves) = try contexts(log)
        let theirs = try other.fetch(
            FetchDescriptor<BoardShelf>(sortBy: [SortDescriptor(\.name, comparator: .lexical)])
        )
        func expect(_ wanted: [[String]]) throws {
            try other.save()
            context.processPendingChanges()
            #expect(shelves.map(titles) == wanted)
        }
        var wanted = (0..<5).map { ["a\($0)", "b\($0)", "\($0)"] }
        try volume("a0", other).shelf = theirs[1]
        wanted[0] = ["b0", "0"]
        wanted[1] = ["a1", "b1", "a0", "1"]
        try expect(wanted)
        theirs[1].volumes.reverse()
        wanted[1] = ["a0", "b1", "a1", "1"]
        try expect(wanted)
        theirs[2].extras.append(BoardMark(9))
        wanted[2] = ["a2", "b2", "2", "9"]
        try expect(wanted)
        other.delete(try volume("b3", other))
        wanted[3] = ["a3", "3"]
        try expect(wanted)
        other.delete(theirs[2].extras[0])
        wanted[2] = ["a2", "b2", "9"]
        try expect(wanted)
        try other.update(BoardVolume.self) { try $0.set(\.title, "u") }
        try expect(wanted.map { $0.map { Int($0) == nil ? "u" : $0 } })
    }

    @Test(arguments: StoreKind.allCases)
    func `another order over several classes is saved alone`(_ kind: StoreKind) throws {
        for (kinds, move) in [("cb", 1), ("bc", 1), ("cbc", 2), ("cbcb", 1), ("ccbb", 3)] {
            let context = ModelContext(
                try kind.container(StampedCrate.self, StampedBarrel.self, StampBadge.self)
            )
            let badge = StampBadge("x")
            context.insert(badge)
            badge.on = kinds.enumerated().map { place, kind -> any Stamped in
                if kind == "c" { StampedCrate("c\(place)") } else { StampedBarrel("b\(place)") }
            }
            try context.save()
            badge.on.insert(badge.on.remove(at: move), at: 0)
            let names = badge.on.map(\.name)
            #expect(context.hasChanges)
            try context.save()
            let other = ModelContext(context.container)
            let stored = try #require(other.fetch(FetchDescriptor<StampBadge>()).first)
            #expect(stored.on.map(\.name) == names)
        }
    }

    @Test func `an object of another context is deleted in none, and the save says so`() throws {
        let container = try StoreKind.memory.container(BoardShelf.self)
        let (one, two) = (ModelContext(container), ModelContext(container))
        let shelf = BoardShelf("s")
        one.insert(shelf)
        try one.save()
        two.delete(shelf)
        #expect(throws: StoreError.self) { try two.save() }
        two.rollback()
        #expect(!shelf.isDeleted)
        #expect(try two.fetchCount(FetchDescriptor<BoardShelf>()) == 1)
    }
}
