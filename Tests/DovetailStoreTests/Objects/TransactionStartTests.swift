import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// What waited when a transaction began which throws.
struct TransactionStartTests {
    private struct Stop: Error {}

    private func stopped(_ context: ModelContext, _ body: () throws -> Void) {
        #expect(throws: Stop.self) {
            try context.transaction {
                try body()
                throw Stop()
            }
        }
    }

    private func titles(_ container: ModelContainer) throws -> [String] {
        try ModelContext(container).fetch(
            FetchDescriptor<StoredBox>(sortBy: [SortDescriptor(\.title)])
        )
        .map(\.title)
    }

    /// A new object that had left its context before has no row, and a reference to it is none. It was taken
    /// for the row of its key after the transaction, which the save refused.
    @Test(arguments: StoreKind.allCases, [false, true])
    func `a reference to what has left stays none`(_ kind: StoreKind, _ saves: Bool) throws {
        let context = ModelContext(try kind.shops())
        let job = ShopJob("j")
        context.insert(job)
        try context.save()
        let engineer = ShopEngineer("e")
        context.insert(engineer)
        job.helper = engineer
        context.delete(engineer)
        stopped(context) {
            job.minutes = 5
            if saves { try context.save() }
        }
        #expect(job.helper == nil && job.minutes == 0)
        job.minutes = 7
        try context.save()
        let found = try ModelContext(context.container).fetch(FetchDescriptor<ShopJob>())
        #expect(found.map(\.minutes) == [7] && found[0].helper == nil)
    }

    /// A list that was read says where what is put into it comes, also after a transaction in which no list has
    /// changed: it had forgotten the places of what it holds, and what was put in the middle came last.
    @Test(arguments: StoreKind.allCases)
    func `lists that were read keep their order`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.books())
        let tags = ["a", "b", "c"].map { BookTag($0) }
        let book = TaggedBook("book", tags: [tags[0], tags[2]])
        context.insert(book)
        context.insert(tags[1])
        try context.save()
        #expect(book.tags.count == 2)
        book.title = "title"
        stopped(context) { context.insert(BookReader("reader")) }
        book.tags.insert(tags[1], at: 1)
        try context.save()
        let found = try ModelContext(context.container).fetch(FetchDescriptor<TaggedBook>())
        #expect(found.map { $0.tags.map(\.name) } == [["a", "b", "c"]])
        book.tags = tags.reversed()
        stopped(context) { context.insert(BookReader("reader")) }
        #expect(book.tags == tags.reversed())
        try context.save()
        let again = try ModelContext(context.container).fetch(FetchDescriptor<TaggedBook>())
        #expect(again.map { $0.tags.map(\.name) } == [["c", "b", "a"]])
    }

    /// A new object that stands for a stored row inside is another one again, and who has referred to the row
    /// does so.
    @Test(arguments: StoreKind.allCases, [false, true])
    func `references to a row outlive who stood for it`(_ kind: StoreKind, _ waits: Bool) throws {
        let context = ModelContext(try kind.shops())
        let (job, manager) = (ShopJob("j"), ShopManager("m"))
        context.insert(job)
        context.insert(manager)
        job.helper = manager
        try context.save()
        let new = ShopManager("m")
        new.level = 9
        if waits { context.insert(new) }
        stopped(context) {
            context.insert(new)
            try context.save()
            #expect((job.helper as? ShopManager)?.level == 9)
        }
        #expect(job.helper === manager && manager.level == 1 && new.level == 9)
        #expect(context.hasChanges == waits)
        context.rollback()
        job.minutes = 7
        try context.save()
        let found = try ModelContext(context.container).fetch(FetchDescriptor<ShopJob>())
        #expect(found.map { ($0.helper as? ShopManager)?.level } == [1])
    }

    /// A context in which an object waits to be changed, one to be inserted, and one to be deleted.
    fileprivate struct Waiting {
        let context: ModelContext
        let changed = StoredBox(title: "a")
        let new = StoredBox(title: "n")
        let gone = StoredBox(title: "z")
        let item = StoredItem(name: "x")
        let newItem = StoredItem(name: "y")

        init(_ kind: StoreKind) throws {
            context = ModelContext(try kind.boxes())
            changed.items = [item]
            context.insert(changed)
            context.insert(gone)
            try context.save()
            changed.title = "b"
            changed.weight = 1
            new.items = [newItem]
            new.tags = ["kept"]
            context.insert(new)
            context.delete(gone)
        }

        func isAsBefore() -> Bool {
            changed.title == "b" && changed.weight == 1 && changed.items == [item]
                && item.box === changed && new.title == "n" && new.items == [newItem]
                && newItem.box === new && new.tags == ["kept"] && gone.isDeleted
                && new.modelContext === context && !new.isDeleted
                && context.insertedModelsArray.count == 2
                && context.changedModelsArray.count == 1 && context.deletedModelsArray.count == 1
        }
    }

    /// What happens before the transaction throws.
    enum Inside: CaseIterable {
        case nothing, changes, moves, deletions, keeping, save, rollback, saveAndChanges, inner

        fileprivate func run(_ waiting: Waiting) throws {
            let context = waiting.context
            switch self {
            case .nothing: break
            case .changes:
                waiting.changed.title = "c"
                waiting.changed.title = "d"
                waiting.changed.kind = .closed
                waiting.new.title = "m"
                waiting.new.tags.append("lost")
                waiting.newItem.name = "lost"
                context.insert(StoredBox(title: "inside"))
            case .moves:
                waiting.changed.items = [waiting.newItem, StoredItem(name: "inside"), waiting.item]
                waiting.new.owner = BoxOwner(id: 1, name: "inside")
                waiting.item.box = waiting.new
                #expect(waiting.changed.items.count == 2 && waiting.new.items == [waiting.item])
            case .deletions:
                context.delete(waiting.changed)
                context.delete(waiting.new)
                #expect(waiting.item.isDeleted && waiting.changed.isDeleted)
            case .keeping:
                context.insert(waiting.gone)
                context.delete(waiting.newItem)
                context.insert(waiting.newItem)
                waiting.gone.title = "kept"
                #expect(!waiting.gone.isDeleted)
            case .save: try context.save()
            case .rollback:
                context.rollback()
                #expect(waiting.changed.title == "a" && waiting.new.modelContext == nil)
                waiting.changed.title = "r"
            case .saveAndChanges:
                try context.save()
                try Inside.changes.run(waiting)
                try Inside.moves.run(waiting)
                try context.save()
                try Inside.deletions.run(waiting)
                #expect(try context.fetchCount(FetchDescriptor<StoredBox>()) == 1)
            case .inner:
                try? context.transaction {
                    try Inside.changes.run(waiting)
                    throw Stop()
                }
                #expect(waiting.changed.title == "b" && waiting.new.tags == ["kept"])
                try context.transaction { try Inside.moves.run(waiting) }
            }
        }
    }

    @Test(arguments: StoreKind.allCases, Inside.allCases)
    func `a transaction that throws leaves what waited before it`(
        _ kind: StoreKind,
        _ inside: Inside
    ) throws {
        let waiting = try Waiting(kind)
        let context = waiting.context
        for _ in 0..<2 {
            stopped(context) { try inside.run(waiting) }
            #expect(waiting.isAsBefore())
            #expect(try titles(context.container) == ["a", "z"])
        }
        #expect(
            try context.fetch(FetchDescriptor<StoredBox>(sortBy: [SortDescriptor(\.title)]))
                .map(\.title) == ["b", "n"]
        )
        try context.save()
        #expect(try titles(context.container) == ["b", "n"])
        let stored = try ModelContext(context.container)
            .fetch(FetchDescriptor<StoredItem>(sortBy: [SortDescriptor(\.name)]))
        #expect(stored.map(\.name) == ["x", "y"] && stored.map(\.box?.title) == ["b", "n"])
    }

    @Test(arguments: StoreKind.allCases)
    func `what waited stays where the transaction meets a conflict at its end`(
        _ kind: StoreKind
    ) throws {
        let waiting = try Waiting(kind)
        let context = waiting.context
        let other = ModelContext(context.container)
        let same = try #require(other.model(for: waiting.changed.persistentModelID) as? StoredBox)
        same.title = "theirs"
        try other.save()
        #expect(throws: ConflictError.self) {
            try context.transaction {
                waiting.changed.weight = 7
                waiting.new.title = "lost"
            }
        }
        #expect(waiting.isAsBefore())
        context.conflictPolicy = .storeWins
        stopped(context) {
            try context.save()
            #expect(waiting.changed.title == "theirs")
        }
        #expect(waiting.isAsBefore())
        context.conflictPolicy = .contextWins
        try context.save()
        #expect(try titles(context.container) == ["b", "n"])
    }

    @Test(arguments: StoreKind.allCases)
    func `an object that has become a stored row is new again`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.boxes())
        let known = StoredBox(title: "a")
        known.weight = 1
        context.insert(known)
        try context.save()
        let again = StoredBox(title: "a")
        again.items = [StoredItem(name: "x")]
        context.insert(again)
        let identifiers = [known, again].map(\.persistentModelID)
        stopped(context) {
            try context.save()
            #expect(known.isDeleted && again.persistentModelID == identifiers[0])
            again.title = "c"
        }
        #expect([known, again].map(\.persistentModelID) == identifiers)
        #expect(!known.isDeleted && again.title == "a" && again.items.map(\.name) == ["x"])
        #expect(context.model(for: identifiers[0]) === known)
        #expect(context.model(for: identifiers[1]) === again)
        #expect(context.insertedModelsArray.count == 2)
        try context.save()
        #expect(try titles(context.container) == ["a"] && known.isDeleted)
    }

    @Test(arguments: StoreKind.allCases)
    func `pairs of a join table that waited still wait`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.books())
        let tags = ["a", "b", "c", "d"].map { BookTag($0) }
        let book = TaggedBook("one", tags: [tags[0], tags[1]])
        context.insert(book)
        tags.forEach { context.insert($0) }
        try context.save()
        let new = TaggedBook("two", tags: [tags[3]])
        context.insert(new)
        book.tags = [tags[2], tags[1]]
        func check() {
            #expect(book.tags == [tags[2], tags[1]] && new.tags == [tags[3]])
            #expect(tags.map(\.books) == [[], [book], [book], [new]])
        }
        stopped(context) {
            book.tags = [tags[3]]
            new.tags = [tags[0], tags[2]]
        }
        check()
        stopped(context) {
            try context.save()
            book.tags = []
            context.delete(new)
            try context.save()
        }
        check()
        stopped(context) { context.rollback() }
        check()
        try context.save()
        let stored = try ModelContext(context.container).fetch(
            FetchDescriptor<TaggedBook>(sortBy: [SortDescriptor(\.title)])
        )
        #expect(stored.map { $0.tags.map(\.name) } == [["c", "b"], ["d"]])
    }

    @Test(arguments: StoreKind.allCases)
    func `what cannot be saved yet is as it was, and so is what no column holds`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.boxes())
        let box = StoredBox(title: "a")
        context.insert(box)
        try context.save()
        box.weight = .nan
        stopped(context) { box.weight = 1 }
        #expect(box.weight?.isNaN == true)
        #expect(throws: ModelEncodingError.self) { try context.transaction { box.title = "b" } }
        #expect(box.weight?.isNaN == true && box.title == "a" && context.hasChanges)
        try context.transaction { box.weight = 2 }
        #expect(!context.hasChanges)
    }

    @Test func `those who track an object learn of what it is again`() throws {
        let waiting = try Waiting(.memory)
        final class Heard: @unchecked Sendable { var titles = 0, items = 0 }
        let heard = Heard()
        stopped(waiting.context) {
            waiting.changed.title = "c"
            waiting.new.items.append(StoredItem(name: "inside"))
            withObservationTracking {
                _ = waiting.changed.title
            } onChange: {
                heard.titles += 1
            }
            withObservationTracking {
                _ = waiting.new.items
            } onChange: {
                heard.items += 1
            }
        }
        #expect(heard.titles == 1 && heard.items == 1)
    }
}
