import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Managed classes whose deleted rows are marked.
@Suite struct MarkedObjectTests {
    private struct Stop: Error {}

    /// Two shelves, and three tomes on the first.
    private func library(_ kind: StoreKind) throws -> (ModelContext, Shelf, [Tome]) {
        let context = ModelContext(try kind.container(Library.models))
        let shelf = Shelf("a", title: "A")
        let tomes = ["x", "y", "z"].map { Tome($0) }
        shelf.tomes = tomes
        shelf.readers = [Reader("ann")]
        context.insert(shelf)
        context.insert(Shelf("b"))
        try context.save()
        return (context, shelf, tomes)
    }

    private func expect(
        _ kind: StoreError.Kind,
        _ context: ModelContext,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: StoreError.self, sourceLocation: location) {
            try context.save()
        }
        #expect(error?.kind == kind, sourceLocation: location)
        context.rollback()
    }

    @Test(arguments: StoreKind.allCases)
    func `a deleted object is in the bin, and nowhere else`(_ kind: StoreKind) throws {
        let (context, shelf, tomes) = try library(kind)
        _ = Stamp("s", tome: tomes[0])
        tomes[1].prequel = tomes[0]
        let topic = Topic("t")
        topic.tomes = [tomes[0], tomes[1]]
        context.insert(topic)
        try context.save()
        let id = tomes[0].persistentModelID

        context.delete(tomes[0])
        // Nothing is saved, and the bin has the object itself.
        #expect(try context.tomes(.only).map { $0 === tomes[0] } == [true])
        #expect(try context.deletionDate(of: Tome.self, id: id) == nil)
        try context.save()
        #expect(tomes[0].isDeleted && shelf.tomes.map(\.name) == ["y", "z"])
        #expect(try context.tomes().map(\.name) == ["y", "z"])
        #expect(try context.tomes(.included).map(\.isDeleted) == [true, false, false])
        #expect(tomes[1].prequel == nil && topic.tomes.map(\.name) == ["y"])
        #expect(try context.fetchCount(FetchDescriptor<Stamp>()) == 0)
        #expect(context.model(for: id) == nil)
        let date = try #require(try context.deletionDate(of: Tome.self, id: id))
        #expect(abs(date.timeIntervalSinceNow) < 600)

        let bin = try context.tomes(.only)
        #expect(bin.map(\.name) == ["x"] && bin[0].isDeleted && bin[0] !== tomes[0])
        #expect(bin[0].persistentModelID == id)
        // What its row says can be read, and nobody is in its lists.
        #expect(bin[0].shelf === shelf && bin[0].stamps.isEmpty && bin[0].topics.isEmpty)
        let counted = FetchDescriptor<Shelf>(
            predicate: #Predicate { $0.tomes.count == 2 && !$0.tomes.contains { $0.name == "x" } }
        )
        #expect(try context.fetch(counted).map(\.code) == ["a"])
        var some = FetchDescriptor<Tome>(predicate: #Predicate { $0.name > "w" })
        some.deletedValues = .only
        some.relationshipKeyPathsForPrefetching = [\.shelf]
        #expect(try context.fetch(some).map { $0.shelf === shelf } == [true])
        #expect(try context.fetchCount(some) == 1)
        #expect(throws: QueryError.self) { try context.purge(Reader.self) }
    }

    @Test(arguments: StoreKind.allCases)
    func `inserting one brings it back to its place`(_ kind: StoreKind) throws {
        let (context, shelf, tomes) = try library(kind)
        let other = ModelContext(context.container)
        let theirs = try #require(try other.shelves().first)
        #expect(theirs.tomes.count == 3)
        context.delete(tomes[0])
        try context.save()
        #expect(theirs.tomes.map(\.name) == ["x", "y", "z"])
        other.processPendingChanges()
        #expect(theirs.tomes.map(\.name) == ["y", "z"])

        let gone = try context.tomes(.only)[0]
        context.insert(gone)
        #expect(!gone.isDeleted && shelf.tomes.map(\.name) == ["x", "y", "z"])
        context.rollback()
        #expect(gone.isDeleted && shelf.tomes.map(\.name) == ["y", "z"])
        gone.name = "new"
        context.insert(gone)
        #expect(try context.tomes().map(\.name) == ["new", "y", "z"])
        context.delete(gone)
        #expect(gone.isDeleted)
        context.insert(gone)
        try context.save()
        #expect(shelf.tomes.map(\.name) == ["new", "y", "z"])
        #expect(try context.tomes(.included).count == 3)
        other.processPendingChanges()
        #expect(theirs.tomes.map(\.name) == ["new", "y", "z"])

        // The object itself, too, with all that it keeps.
        context.delete(gone)
        try context.save()
        context.insert(gone)
        try context.save()
        #expect(gone.shelf === shelf && shelf.tomes.map(\.name) == ["new", "y", "z"])
        #expect(try ModelContext(context.container).shelves()[0].tomes.count == 3)
        // Two objects of one row.
        context.delete(gone)
        try context.save()
        let twice = try [context.tomes(.only)[0], context.tomes(.only)[0]]
        twice.forEach(context.insert)
        expect(.uniqueViolation, context)
    }

    @Test(arguments: StoreKind.allCases)
    func `what an object refers to does not come back with it`(_ kind: StoreKind) throws {
        let (context, shelf, _) = try library(kind)
        context.delete(shelf)
        try context.save()
        #expect(try context.tomes().isEmpty && context.shelves().map(\.code) == ["b"])
        #expect(try context.fetch(FetchDescriptor<Reader>()).map { $0.shelf == nil } == [true])
        let gone = try context.tomes(.only)
        #expect(gone.count == 3)
        for tome in gone { #expect(tome.shelf?.code == "a" && tome.shelf?.isDeleted == true) }

        context.insert(gone[0])
        expect(.foreignKeyViolation, context)
        #expect(try context.tomes().isEmpty)
        context.insert(gone[0])
        context.insert(shelf)
        context.insert(gone[2])
        #expect(shelf.tomes.map(\.name) == ["x", "z"])
        try context.save()
        #expect(gone[0].shelf === shelf && shelf.tomes.map(\.name) == ["x", "z"])
        // Somewhere else instead.
        let last = try #require(try context.tomes(.only).first)
        last.shelf = try context.shelves()[1]
        #expect(!last.isDeleted)
        try context.save()
        let fresh = ModelContext(context.container)
        #expect(try fresh.shelves().map { $0.tomes.map(\.name) } == [["x", "z"], ["y"]])
        #expect(try fresh.tomes(.only).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `rules refuse, and purging removes`(_ kind: StoreKind) throws {
        let (context, shelf, tomes) = try library(kind)
        let lock = Lock(1, shelf: shelf)
        context.insert(lock)
        try context.save()
        context.delete(shelf)
        expect(.foreignKeyViolation, context)
        #expect(try context.shelves().count == 2 && shelf.tomes.count == 3)
        // A reference that others have given since.
        context.delete(lock)
        try context.save()
        let other = ModelContext(context.container)
        let theirs = try other.shelves()[0]
        context.delete(shelf)
        try context.save()
        let late = Lock(2, shelf: theirs)
        other.insert(late)
        try other.save()
        #expect(late.shelf == nil && theirs.isDeleted)
        other.delete(late)
        try other.save()

        context.insert(shelf)
        context.insert(tomes[0])
        try context.save()
        try context.purge(Tome.self, olderThan: .now - 3600)
        try context.save()
        #expect(try context.tomes(.only).count == 2)
        context.delete(tomes[0])
        try context.purge(Tome.self)
        #expect(context.hasChanges)
        #expect(try context.tomes(.included).isEmpty)
        context.rollback()
        #expect(try context.tomes(.included).count == 3)
        context.delete(tomes[0])
        try context.purge(Tome.self)
        try context.save()
        #expect(try context.tomes(.included).isEmpty)
        // Its row is gone, and it is inserted as another one would be.
        context.insert(tomes[0])
        try context.save()
        #expect(try ModelContext(context.container).shelves()[0].tomes.map(\.name) == ["x"])
    }

    @Test(arguments: StoreKind.allCases)
    func `transactions that fail take both back`(_ kind: StoreKind) throws {
        let (context, shelf, tomes) = try library(kind)
        #expect(throws: Stop.self) {
            try context.transaction {
                context.delete(tomes[2])
                try context.save()
                #expect(try context.tomes(.only).map(\.name) == ["z"])
                throw Stop()
            }
        }
        #expect(!tomes[2].isDeleted && shelf.tomes.map(\.name) == ["x", "y", "z"])
        context.delete(tomes[2])
        try context.save()
        #expect(throws: Stop.self) {
            try context.transaction {
                context.insert(tomes[2])
                try context.save()
                #expect(shelf.tomes.map(\.name) == ["x", "y", "z"])
                throw Stop()
            }
        }
        #expect(tomes[2].isDeleted && shelf.tomes.map(\.name) == ["x", "y"])
        #expect(try context.tomes(.only).map(\.name) == ["z"])
        context.insert(tomes[2])
        try context.save()
        #expect(try context.tomes(.only).isEmpty && shelf.tomes.count == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `what waited before a transaction that fails still waits`(_ kind: StoreKind) throws {
        let (context, shelf, tomes) = try library(kind)
        context.delete(tomes[0])
        context.delete(tomes[1])
        try context.save()
        // One comes back, one is to go, and the bin is to be emptied.
        func wait() throws {
            context.insert(tomes[0])
            context.delete(tomes[2])
            try context.purge(Tome.self)
        }
        func fail() {
            #expect(throws: Stop.self) {
                try context.transaction {
                    try context.save()
                    #expect(try context.tomes(.included).map(\.name) == ["x"])
                    throw Stop()
                }
            }
            #expect(context.hasChanges && !tomes[0].isDeleted && tomes[2].isDeleted)
            #expect(shelf.tomes.map(\.name) == ["x"])
        }
        try wait()
        fail()
        context.rollback()
        #expect(tomes[0].isDeleted && !tomes[2].isDeleted && !context.hasChanges)
        #expect(try context.tomes(.only).map(\.name) == ["x", "y"])
        #expect(shelf.tomes.map(\.name) == ["z"])
        try wait()
        fail()
        try context.save()
        #expect(try context.tomes(.included).map(\.name) == ["x"])
        #expect(try ModelContext(context.container).shelves()[0].tomes.map(\.name) == ["x"])
    }

    @Test(arguments: StoreKind.allCases)
    func `the class at the top says it for those below it`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Library.models))
        let dock = Dock("d")
        context.insert(dock)
        let crafts = [Craft("c", dock: dock), Ferry("f", dock: dock, seats: 3)]
        crafts.forEach(context.insert)
        try context.save()
        context.delete(crafts[1])
        try context.save()
        #expect(try context.objects(Craft.self) { $0.name }.map(\.name) == ["c"])
        #expect(try context.objects(Ferry.self) { $0.name }.isEmpty)
        #expect(try context.objects(Ferry.self, .only) { $0.name }.map(\.seats) == [3])
        #expect(try context.objects(Ferry.self, .included) { $0.name }.map(\.seats) == [3])
        #expect(try context.objects(Craft.self, .only) { $0.name }.map { $0 is Ferry } == [true])
        #expect(dock.crafts.map(\.name) == ["c"])
        context.delete(dock)
        try context.save()
        let all = try context.objects(Craft.self, .only) { $0.name }
        // What cannot be nil is read where it is marked, too.
        #expect(all.map(\.dock.code) == ["d", "d"] && all.allSatisfy(\.dock.isDeleted))
        // A declared key brings the row back, with the values of the new object.
        let again = Dock("d")
        context.insert(again)
        context.insert(all[1])
        #expect(again.crafts.map(\.name) == ["f"])
        try context.save()
        #expect(again.crafts.map(\.name) == ["f"] && all[1].dock === again)
        let fresh = ModelContext(context.container)
        #expect(try fresh.objects(Dock.self) { $0.code }.map { $0.crafts.map(\.name) } == [["f"]])
        try context.delete(model: Craft.self)
        try context.save()
        #expect(try context.objects(Craft.self, .only) { $0.name }.count == 2)
        try context.purge(Ferry.self)
        try context.save()
        #expect(try context.objects(Craft.self, .included) { $0.name }.map(\.name) == ["c"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a document marks what it lacks`(_ kind: StoreKind) throws {
        let (context, _, _) = try library(kind)
        func synchronize(_ text: String) throws -> String {
            let result = try context.synchronize([Shelf].self, from: Data(text.utf8), as: .json)
            try context.save()
            return "\(result)"
        }
        let less = #"[{"code":"b","title":"B","tomes":[{"name":"n"}]}]"#
        #expect(try synchronize(less) == "0 added, 1 updated, 1 removed, 0 unchanged")
        #expect(try context.shelves(.only).map(\.code) == ["a"])
        #expect(try context.tomes(.only).map(\.name) == ["x", "y", "z"])
        // Its unique value is free: another row has it, and the marked one stays.
        #expect(
            try synchronize(#"[{"code":"a","title":"new"},{"code":"b","title":"B"}]"#)
                == "1 added, 0 updated, 0 removed, 1 unchanged"
        )
        #expect(try context.shelves().map(\.title) == ["new", "B"])
        let old = try #require(try context.shelves(.only).first)
        #expect(old.title == "A")
        // Inserted, it stands for the row that has its unique value by now, as every object does.
        context.insert(old)
        try context.save()
        #expect(try context.shelves().map(\.title) == ["A", "B"])
        #expect(try context.shelves(.only).map(\.title) == ["A"])
    }

    @Test func `the history, copies and other contexts see a deletion`() async throws {
        let (context, shelf, tomes) = try history()
        context.delete(tomes[0])
        try context.save()
        context.insert(tomes[0])
        try context.save()
        context.delete(shelf)
        try context.save()
        let changes = try context.history(since: 0).flatMap(\.changes)
        let verbs = changes.filter { $0.table == "Tome" }.map(\.verb)
        #expect(verbs == [.insert, .insert, .insert, .delete, .insert, .delete, .delete, .delete])

        let target = try StoreKind.memory.container(Library.models)
        try await context.container.copy(to: target)
        let copied = ModelContext(target)
        #expect(try copied.tomes(.only).map(\.name) == ["x", "y", "z"])
        #expect(try copied.tomes(.only).allSatisfy { $0.shelf?.code == "a" })
        // New keys come after those of marked rows.
        copied.insert(Shelf("new"))
        try copied.save()
        for tome in try copied.tomes(.only) { copied.insert(tome) }
        for shelf in try copied.shelves(.only) { copied.insert(shelf) }
        try copied.save()
        #expect(try copied.shelves().map { $0.tomes.map(\.name) } == [["x", "y", "z"], [], []])
        // An object that is given to another container is a new one there.
        let other = ModelContext(try StoreKind.memory.container(Library.models))
        other.insert(try #require(try context.tomes(.only).first))
        try other.save()
        #expect(try other.tomes().map { $0.shelf == nil } == [true])
    }

    private func history() throws -> (ModelContext, Shelf, [Tome]) {
        let context = ModelContext(try StoreKind.sqlite.following(Library.models))
        let shelf = Shelf("a", title: "A")
        shelf.tomes = ["x", "y", "z"].map { Tome($0) }
        context.insert(shelf)
        context.insert(Shelf("b"))
        try context.save()
        return (context, shelf, shelf.tomes)
    }

    @Test(arguments: StoreKind.allCases)
    func `an object outlives its context, and reads what it refers to`(_ kind: StoreKind) throws {
        let container: ModelContainer
        var gone: [Tome] = []
        do {
            let (context, shelf, _) = try library(kind)
            container = context.container
            context.delete(shelf)
            try context.save()
            gone = try context.tomes(.only)
        }
        #expect(gone.map { $0.shelf?.code } == ["a", "a", "a"])
        let context = ModelContext(container)
        let shelf = try #require(gone[1].shelf)
        context.insert(gone[1])
        context.insert(shelf)
        try context.save()
        #expect(gone[1].shelf === shelf)
        #expect(try ModelContext(container).shelves()[0].tomes.map(\.name) == ["y"])
    }

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `random stories of two contexts`(seed: UInt64, kind: StoreKind) throws {
        var story = MarkedObjectStory(try kind.container(Library.models), seed: seed)
        do {
            try story.run(saves: 60)
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }

    @Test func `one question is asked for many new rows`() throws {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let container = try ModelContainer(
            for: Library.models + Stationery.models,
            configuration: configuration
        )
        let context = ModelContext(container)
        func questions(_ table: String) throws -> Int {
            _ = log.takeReads()
            try context.save()
            return log.takeReads().count {
                $0.sql.contains(#"FROM "\#(table)""#) && $0.sql.contains("$deleted")
            }
        }
        for number in 0..<1200 { context.insert(Tome("\(number)")) }
        #expect(try questions("Tome") <= 3)
        context.insert(contentsOf: (0..<1200).map { Sheet($0, "\($0)") })
        #expect(try questions("Sheet") <= 3)
        context.delete((0..<1200).map { Sheet($0, "") })
        _ = log.take()
        try context.save()
        #expect(log.take().count { $0.sql.hasPrefix(#"UPDATE "Sheet""#) } <= 3)
        #expect(try context.sheets(.only).count == 1200)
        // Of a list some are marked, and one is there twice.
        context.insert(Sheet(5000, "there"))
        try context.save()
        context.insert(contentsOf: (0..<600).map { Sheet($0, "back \($0)") } + [Sheet(9000, "n")])
        try context.save()
        #expect(try context.sheets().count == 602 && context.sheets(.only).count == 600)
        context.insert(contentsOf: [Sheet(700, "r"), Sheet(701, "s"), Sheet(700, "t")])
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation && error?.keys == [[.integer(700)]])
        context.rollback()
        context.update([Sheet(1, "u"), Sheet(800, "v"), Sheet(2, "w")])
        let missing = #expect(throws: StoreError.self) { try context.save() }
        #expect(missing?.kind == .notFound && missing?.keys == [[.integer(800)]])
        context.rollback()
    }
}
