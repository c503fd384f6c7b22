import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// What is loaded when a relationship is read: that of objects which were fetched together.
struct FaultBatchTests {
    /// How many statements it takes to go over 1,000 shelves in some order.
    private func statements(
        _ order: ([FaultShelf]) -> [FaultShelf] = { $0 },
        read: (FaultShelf) -> Bool
    ) throws -> Int {
        let log = StatementLog()
        let container = try log.shelves()
        try container.fill(1000)
        let context = ModelContext(container)
        let shelves = order(try context.shelves())
        var count = 0
        let reads = log.reads { count = shelves.count(where: read) }
        #expect(count == 1000 && shelves.areFull)
        return reads.statements
    }

    @Test func `a walk takes a statement for some hundred objects`() throws {
        #expect(try statements { $0.things.count == 3 } == 4)
        #expect(try statements { $0.lamps.count == 1 } == 4)
        #expect(try statements { $0.plate != nil } == 4)
        #expect(try statements { $0.room != nil } == 4)
        // The join table, and once the seven tags.
        #expect(try statements { $0.tags.count == 2 } == 5)
    }

    @Test func `a walk from the end takes as many`() throws {
        #expect(
            try statements {
                $0.reversed()
            } read: {
                $0.things.count == 3
            } == 4
        )
    }

    @Test(arguments: SeededRandom.seeds)
    func `a walk in any order takes few`(_ seed: UInt64) throws {
        print("seed", seed)
        var random = SeededRandom(seed: seed)
        let count = try statements {
            $0.shuffled(using: &random)
        } read: {
            $0.things.count == 3
        }
        #expect(count == 4)
    }

    @Test func `what a walk has loaded faults together, too`() throws {
        let log = StatementLog()
        let container = try log.shelves()
        try container.fill(200)
        let context = ModelContext(container)
        let rooms = try context.fetch(FetchDescriptor<FaultRoom>())
        var names = 0
        let read = log.reads {
            for room in rooms {
                for shelf in room.shelves {
                    for thing in shelf.things where thing.shelf === shelf { names += 1 }
                }
            }
        }
        #expect(names == 600 && rooms.count == 20)
        // The rooms, and of their shelves 32, 128 and 40.
        #expect(read.statements == 4)
    }

    @Test func `who reads one list does not pay for all`() throws {
        let log = StatementLog()
        let container = try log.shelves()
        let writer = ModelContext(container)
        for number in 0..<3000 {
            let shelf = FaultShelf(number)
            if number < 60 { shelf.things = (0..<300).map { FaultThing("\($0)") } }
            writer.insert(shelf)
        }
        try writer.save()
        let context = ModelContext(container)
        let shelves = try context.shelves()
        var count = 0
        #expect(log.reads { count = shelves[1500].things.count } == (1, 0))
        // Where lists are long, the next read takes few of them.
        let other = ModelContext(container)
        let again = try other.shelves()
        #expect(log.reads { count += again[0].things.count } == (1, 9600))
        #expect(log.reads { count += again[32].things.count } == (1, 3900))
        #expect(count == 600)
    }

    @Test func `an object that was fetched alone faults alone`() throws {
        let log = StatementLog()
        let container = try log.shelves()
        try container.fill(20)
        let context = ModelContext(container)
        let one = try context.shelves {
            $0.predicate = #Predicate { $0.number == 3 }
        }
        var count = 0
        #expect(log.reads { count += one[0].things.count } == (1, 3))
        let all = try context.shelves()
        // It does not leave the others.
        _ = try context.shelves { $0.predicate = #Predicate { $0.number == 7 } }
        #expect(log.reads { count += all[7].things.count } == (1, 57))
        #expect(log.reads { for shelf in all { count += shelf.things.count } } == (0, 0))
        #expect(count == 66)
    }

    @Test func `a tree is read depth by depth`() throws {
        let log = StatementLog()
        let container = try log.shelves()
        let writer = ModelContext(container)
        func grow(_ room: FaultRoom, _ depth: Int) {
            if depth == 0 { return }
            room.rooms = ["a", "b", "c"].map { FaultRoom(room.name + $0) }
            for room in room.rooms { grow(room, depth - 1) }
        }
        let root = FaultRoom("")
        grow(root, 5)
        writer.insert(root)
        try writer.save()
        let context = ModelContext(container)
        let roots = try context.fetch(
            FetchDescriptor<FaultRoom>(predicate: #Predicate { $0.parent == nil })
        )
        var level = roots
        var sizes: [Int] = []
        let read = log.reads {
            while !level.isEmpty {
                sizes.append(level.count)
                level = level.flatMap { $0.rooms }
            }
        }
        #expect(sizes == [1, 3, 9, 27, 81, 243])
        // 1, 3, 9, 27, 32 and 49, and of the leaves 32 and 64, 49 and 98.
        #expect(read.statements == 10)
        let leaf = try #require(
            try context.fetch(
                FetchDescriptor<FaultRoom>(predicate: #Predicate { $0.name == "abcab" })
            ).first
        )
        let up = sequence(first: leaf) { $0.parent }.map(\.name)
        #expect(up == ["abcab", "abca", "abc", "ab", "a", ""])
    }

    @Test(arguments: StoreKind.allCases)
    func `objects that were deleted meanwhile are left out`(_ kind: StoreKind) throws {
        let container = try kind.shelves()
        try container.fill(40)
        let mine = ModelContext(container), theirs = ModelContext(container)
        let shelves = try mine.shelves()
        let others = try theirs.shelves()
        theirs.delete(others[3])
        theirs.delete(others[0].things[0])
        try theirs.save()
        mine.delete(shelves[5])
        mine.delete(shelves[6].things[2])
        #expect(shelves[0].things.map(\.name) == ["b0", "c0"])
        #expect(shelves[6].things.map(\.name) == ["a6", "b6"])
        let whole = shelves.filter { ![0, 3, 5, 6].contains($0.number) }
        #expect(whole.count == 36 && whole.areFull)
        #expect(shelves[3].things.isEmpty && shelves[5].things.count == 3)
        mine.rollback()
        mine.processPendingChanges()
        #expect(shelves[3].isDeleted && shelves[5].isFull && shelves[6].isFull)
    }

    @Test(arguments: StoreKind.allCases)
    func `what waits is in the lists of a batch`(_ kind: StoreKind) throws {
        let container = try kind.shelves()
        try container.fill(40)
        let context = ModelContext(container)
        let shelves = try context.shelves()
        let thing = try #require(shelves[0].things.first)
        let later = shelves[20...].map { FaultThing("new \($0.number)") }
        for (shelf, thing) in zip(shelves[20...], later) { thing.shelf = shelf }
        thing.shelf = shelves[30]
        shelves[25].tags.append(FaultTag("mine"))
        let new = FaultShelf(40)
        new.things = [FaultThing("x")]
        context.insert(new)
        for (shelf, thing) in zip(shelves[20...], later) where shelf.number != 30 {
            #expect(shelf.things.last === thing && shelf.things.count == 4)
        }
        #expect(shelves[30].things.suffix(2) == [later[10], thing])
        #expect(shelves[25].tags.map(\.name) == ["tag 4", "tag 0", "mine"])
        #expect(shelves[26].tags.count == 2 && new.things.count == 1)
        context.rollback()
        #expect(shelves.areFull)
    }

    @Test(arguments: StoreKind.allCases)
    func `what others save is read again, for all that were fetched`(_ kind: StoreKind) throws {
        let container = try kind.shelves()
        try container.fill(40)
        let mine = ModelContext(container), theirs = ModelContext(container)
        let shelves = try mine.shelves()
        #expect(shelves[0].isFull)
        for shelf in try theirs.shelves() {
            shelf.things.removeFirst()
            shelf.tags.append(FaultTag("tag of \(shelf.number)"))
        }
        try theirs.save()
        mine.processPendingChanges()
        for shelf in shelves {
            #expect(shelf.things.map(\.name) == ["b\(shelf.number)", "c\(shelf.number)"])
            #expect(shelf.tags.last?.name == "tag of \(shelf.number)" && shelf.tags.count == 3)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a transaction that throws unloads what it has loaded`(_ kind: StoreKind) throws {
        let container = try kind.shelves()
        try container.fill(40)
        let context = ModelContext(container)
        let shelves = try context.shelves()
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try context.transaction {
                shelves[1].things.append(FaultThing("late"))
                context.delete(shelves[2])
                shelves[3].things[0].shelf = shelves[4]
                try context.save()
                #expect(shelves[4].things.count == 4 && shelves[5].isFull)
                shelves[6].things = []
                throw Stop()
            }
        }
        #expect(!context.hasChanges && shelves.areFull)
        #expect(try context.fetchCount(FetchDescriptor<FaultThing>()) == 120)
    }

    @Test(arguments: StoreKind.allCases)
    func `a rollback gives those back that do not know who holds them`(_ kind: StoreKind) throws {
        let container = try kind.shelves()
        try container.fill(3)
        let context = ModelContext(container)
        let shelves = try context.shelves()
        let lamp = try #require(shelves[1].lamps.first)
        context.delete(shelves[1])
        context.rollback()
        #expect(shelves.areFull && shelves[1].lamps == [lamp])
        lamp.power = 1
        try context.save()
        let other = ModelContext(container)
        #expect(try other.shelves().map(\.lamps.count) == [1, 1, 1])
    }

    @Test(arguments: StoreKind.allCases)
    func `a context that reads only loads in the same way`(_ kind: StoreKind) async throws {
        let container = try kind.shelves()
        try container.fill(40)
        try await container.read { context in
            try #expect(context.shelves().areFull)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `objects of an enumeration fault together`(_ kind: StoreKind) throws {
        let container = try kind.shelves()
        try container.fill(40)
        let context = ModelContext(container)
        var count = 0
        try context.enumerate(FetchDescriptor<FaultShelf>(), batchSize: 15) { shelf in
            #expect(shelf.isFull)
            count += 1
        }
        #expect(count == 40)
    }

    @Test func `an enumeration takes few statements`() throws {
        let log = StatementLog()
        let container = try log.shelves()
        try container.fill(45)
        let context = ModelContext(container)
        let read = try log.reads {
            try context.enumerate(FetchDescriptor<FaultShelf>(), batchSize: 15) { shelf in
                #expect(shelf.things.count == 3)
            }
        }
        #expect(read.statements == 4)
    }

    @Test func `objects of several classes fault with those of their own`() throws {
        let log = StatementLog()
        let container = try log.shelves()
        try container.fill(200)
        let context = ModelContext(container)
        let all = try context.fetch(FetchDescriptor<any NamedFault>())
        var count = 0
        let read = log.reads {
            for case let room as FaultRoom in all { count += room.shelves.count }
            for case let tag as FaultTag in all { count += tag.shelves.count }
        }
        #expect(all.count == 27 && count == 600)
        // The shelves are known when the tags are asked.
        #expect(read.statements == 2)
    }

    @Test func `a model actor takes few statements`() async throws {
        let log = StatementLog()
        let container = try log.shelves()
        try container.fill(100)
        _ = log.take()
        #expect(try await ShelfReader(modelContainer: container).countThings() == 300)
        #expect(log.takeReads().count == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `objects do not keep each other`(_ kind: StoreKind) throws {
        let container = try kind.shelves()
        try container.fill(40)
        weak var gone: FaultShelf?
        weak var thing: FaultThing?
        var kept: FaultShelf?
        do {
            let context = ModelContext(container)
            let shelves = try context.shelves()
            #expect(shelves.areFull)
            (gone, thing, kept) = (shelves[1], shelves[0].things[0], shelves[0])
        }
        #expect(gone == nil && thing == nil && kept?.number == 0)
    }

    @Test func `a row that cannot be read is an error of those that read it`() throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer(
            for: FaultShelf.self,
            configurations: ModelConfiguration(url: folder.file())
        )
        try container.fill(20)
        let raw = try RawDatabase(folder.file())
        try raw.loosen("FaultThing")
        try raw.execute("UPDATE FaultThing SET name = x'ff' WHERE name = 'b3'")
        let context = ModelContext(container)
        let shelves = try context.shelves()
        #expect(shelves.count { $0.number != 3 && $0.isFull } == 19)
        #expect(try context.shelves().count == 20)
        #expect(shelves[3].things.isEmpty)
        #expect(throws: ModelDecodingError.self) { try context.shelves() }
        #expect(throws: ModelDecodingError.self) {
            try context.shelves { $0.relationshipKeyPathsForPrefetching = [\.things] }
        }
        try raw.execute("UPDATE FaultThing SET name = 'b3' WHERE name = x'ff'")
        #expect(shelves.areFull)
        #expect(try context.shelves { $0.relationshipKeyPathsForPrefetching = [\.things] }.areFull)
    }

    @Test func `a document asks once for each relationship of what is there`() throws {
        let log = StatementLog()
        let container = try log.cases()
        let writer = ModelContext(container)
        for number in 0..<50 {
            let file = FiledCase(number)
            file.pages = (0..<3).map { FiledPage("\(number).\($0)", of: file) }
            file.clerk = CaseClerk("\(number)")
            file.topics = [CaseTopic(number)]
            writer.insert(file)
        }
        try writer.save()
        let reader = ModelContext(container)
        let files = try reader.fetch(FetchDescriptor(sortBy: [SortDescriptor(\FiledCase.number)]))
        var document = Data()
        let written = try log.reads { document = try files.encoded(as: .json) }
        #expect(written.statements <= 25)
        let context = ModelContext(container)
        let read = try log.reads {
            let again = try context.decode([FiledCase].self, from: document, as: .json)
            #expect(again.count == 50 && again[7].pages.map(\.code) == ["7.0", "7.1", "7.2"])
        }
        #expect(read.statements <= 15)
        try context.save()
        #expect(!log.take().contains { $0.sql.hasPrefix("UPDATE") })
    }
}

@ModelActor
private actor ShelfReader {
    func countThings() throws -> Int {
        try modelContext.shelves().map(\.things.count).reduce(0, +)
    }
}

extension StatementLog {
    fileprivate func cases() throws -> ModelContainer {
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = trace()
        return try ModelContainer(for: FiledCase.self, configurations: configuration)
    }
}
