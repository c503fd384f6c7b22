import Dovetail
import DovetailTesting
import Foundation
import Observation
import StoreTestSupport
import Synchronization
import Testing

/// Objects that change, or go, before all of their large values were read.
struct DeferredChangeTests: SnapTests {
    @Test(arguments: StoreKind.allCases)
    func `values are changed before they were read`(_ kind: StoreKind) throws {
        let container = try container(kind)
        try save("a", in: container)
        let context = ModelContext(container)
        let snap = try snap("a", in: context)
        snap.picture = Data([9])
        snap.text += "!"
        snap.points.append(3)
        snap.notes?["b"] = "c"
        #expect(snap.text == "text of a!" && snap.points == [1, 2.5, 3])
        try context.save()
        let next = ModelContext(container)
        let again = try self.snap("a", in: next)
        #expect(again.picture == Data([9]) && again.text == "text of a!")
        #expect(again.points == [1, 2.5, 3] && again.notes == ["a": "a", "b": "c"])
        #expect(again.scan == Data([1, 2, 3]))
        again.picture = nil
        again.notes = nil
        again.scan = Data()
        try next.save()
        #expect(try context.fetch(FetchDescriptor<LazySnap>()).first === snap)
        #expect(snap.picture == nil && snap.notes == nil && snap.scan.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `a rollback gives back what was not read, too`(_ kind: StoreKind) throws {
        let container = try container(kind)
        try save("a", in: container)
        let context = ModelContext(container)
        let snap = try snap("a", in: context)
        snap.rating = 4
        snap.text = "other"
        context.rollback()
        #expect(snap.rating == 0 && snap.text == "text of a" && !snap.hasChanges)
        #expect(snap.picture == Data("a".utf8))
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try context.transaction {
                snap.scan = Data([7])
                try context.save()
                context.delete(snap)
                try context.save()
                throw Stop()
            }
        }
        #expect(snap.scan == Data([1, 2, 3]) && snap.notes == ["a": "a"] && !snap.isDeleted)
        try context.save()
        #expect(try self.snap("a", in: ModelContext(container)).scan == Data([1, 2, 3]))
    }

    @Test(arguments: StoreKind.allCases)
    func `two that change a value are in conflict, also unread`(_ kind: StoreKind) throws {
        let container = try container(kind)
        try save("a", in: container)
        let (context, other) = (ModelContext(container), ModelContext(container))
        let (mine, theirs) = (try snap("a", in: context), try snap("a", in: other))
        mine.text = "mine"
        theirs.text = "theirs"
        theirs.picture = Data([5])
        try context.save()
        let error = #expect(throws: ConflictError.self) { try other.save() }
        let conflict = try #require(error?.conflicts.first)
        #expect(conflict.attributes == ["text"])
        #expect(conflict.base["text"] == .text("text of a"))
        #expect(conflict.theirs?["text"] == .text("mine"))
        #expect(conflict.theirs?["scan"] == .data(Data([1, 2, 3])))
        other.conflictPolicy = .storeWins
        try other.save()
        #expect(theirs.text == "mine" && theirs.picture == Data([5]))
        // What others save is read anew, and different attributes of one object are no conflict.
        #expect(try context.fetch(FetchDescriptor<LazySnap>()).first === mine)
        #expect(mine.picture == Data([5]))
        mine.scan = Data()
        theirs.points = []
        try context.save()
        try other.save()
        #expect(theirs.scan.isEmpty && theirs.picture == Data([5]) && theirs.points.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `who observes a value hears of another one`(_ kind: StoreKind) throws {
        let container = try container(kind)
        try save("a", in: container)
        let (context, other) = (ModelContext(container), ModelContext(container))
        let (mine, theirs) = (try snap("a", in: context), try snap("a", in: other))
        let changes = Mutex(0)
        func track() {
            withObservationTracking {
                _ = mine.picture
            } onChange: {
                changes.withLock { $0 += 1 }
            }
        }
        track()
        #expect(changes.withLock { $0 } == 0)
        theirs.picture = Data([8])
        try other.save()
        _ = try context.fetch(FetchDescriptor<LazySnap>())
        #expect(changes.withLock { $0 } == 1 && mine.picture == Data([8]))
        track()
        mine.picture = nil
        #expect(changes.withLock { $0 } == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `a deleted object keeps its values`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let album = SnapAlbum(title: "x")
        let first = ModelContext(container)
        first.insert(album)
        for name in ["a", "b"] {
            let snap = LazySnap(name: name)
            snap.text = name
            album.snaps.append(snap)
        }
        try first.save()
        let context = ModelContext(container)
        let found = try #require(try context.fetch(FetchDescriptor<SnapAlbum>()).first)
        let snaps = found.snaps
        context.delete(found)
        try context.save()
        #expect(snaps.map(\.text) == ["a", "b"] && snaps.allSatisfy(\.isDeleted))
        // It is inserted again with them.
        context.insert(snaps[1])
        try context.save()
        #expect(try snap("b", in: ModelContext(container)).text == "b")
    }

    @Test func `what others delete has no values that were not read`() throws {
        let container = try container(.sqlite)
        for name in ["a", "b"] { try save(name, in: container) }
        let (context, other) = (ModelContext(container), ModelContext(container))
        let film = SnapFilm(name: "film")
        film.content = Data([1])
        film.subtitles = "x"
        other.insert(film)
        try other.save()
        let lost = try #require(try context.fetch(FetchDescriptor<SnapFilm>()).first)
        let (read, unread) = (try snap("a", in: context), try snap("b", in: context))
        #expect(read.text == "text of a")
        try other.delete(model: LazySnap.self)
        try other.delete(model: SnapFile.self)
        try other.save()
        #expect(try context.fetch(FetchDescriptor<LazySnap>()).isEmpty)
        #expect(read.isDeleted && read.text == "text of a" && read.picture == nil)
        #expect(unread.isDeleted && unread.text.isEmpty && unread.name == "b")
        // It would be another object.
        context.insert(unread)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .invalidObject && error?.column == "picture")
        #expect(error.map { "\($0)" }?.contains("not read before the row was deleted") == true)
        unread.picture = nil
        unread.scan = Data()
        unread.text = "new"
        unread.points = []
        unread.notes = nil
        context.insert(unread)
        #expect(lost.isDeleted && lost.content == nil && lost.subtitles.isEmpty)
        lost.content = Data([2])
        lost.subtitles = "y"
        context.insert(lost)
        try context.save()
        #expect(try snap("b", in: ModelContext(container)).text == "new")
        let films = try other.fetch(FetchDescriptor<SnapFilm>())
        #expect(films.map(\.subtitles) == ["y"] && films.first?.content == Data([2]))
    }

    @Test(arguments: StoreKind.allCases)
    func `marked rows come back with their values`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let first = ModelContext(container)
        for name in ["a", "b"] {
            let file = SnapMarked(name: name)
            file.content = Data(name.utf8)
            first.insert(file)
        }
        try first.save()
        let (context, other) = (ModelContext(container), ModelContext(container))
        let sorted = FetchDescriptor<SnapMarked>(sortBy: [SortDescriptor(\.name)])
        let files = try context.fetch(sorted)
        for file in try other.fetch(sorted) { other.delete(file) }
        try other.save()
        #expect(try context.fetch(sorted).isEmpty)
        // Others have marked them, and their rows are there.
        #expect(files[0].isDeleted && files[0].content == Data("a".utf8))
        for file in files { context.insert(file) }
        try context.save()
        #expect(
            try ModelContext(container).fetch(sorted).map(\.content)
                == [Data("a".utf8), Data("b".utf8)]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `objects that go and come with their owners`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let first = ModelContext(container)
        let album = SnapAlbum(title: "x")
        first.insert(album)
        for number in 0..<5 {
            let snap = LazySnap(name: "\(number)")
            snap.picture = Data([UInt8(number)])
            album.snaps.append(snap)
        }
        try first.save()
        let context = ModelContext(container)
        var descriptor = FetchDescriptor<SnapAlbum>()
        descriptor.relationshipKeyPathsForPrefetching = [\.snaps]
        let found = try #require(try context.fetch(descriptor).first)
        found.snaps.remove(at: 1).name = "alone"
        found.snaps.swapAt(0, 1)
        try context.save()
        #expect(found.snaps.map { $0.picture?.first } == [2, 0, 3, 4])
        // What a new object of the same unique title takes over keeps what it did not read.
        let next = ModelContext(container)
        let same = SnapAlbum(title: "x")
        let added = LazySnap(name: "added")
        same.snaps.append(added)
        next.insert(same)
        try next.save()
        #expect(same.snaps.compactMap { $0.picture?.first } == [2, 0, 3, 4])
        #expect(same.snaps.count == 5)
        let alone = try self.snap("alone", in: ModelContext(container))
        #expect(alone.picture == Data([1]) && alone.album == nil)
    }

    @Test func `many that are deleted are read at once`() throws {
        let log = StatementLog()
        let container = try traced(log)
        let first = ModelContext(container)
        let album = SnapAlbum(title: "x")
        first.insert(album)
        for number in 0..<50 {
            let snap = LazySnap(name: "\(number)")
            snap.picture = Data([UInt8(number)])
            snap.text = "\(number)"
            album.snaps.append(snap)
        }
        try first.save()
        let context = ModelContext(container)
        let found = try #require(try context.fetch(FetchDescriptor<SnapAlbum>()).first)
        let snaps = found.snaps
        _ = log.take()
        context.delete(found)
        #expect(log.takeReads().count == 1)
        try context.save()
        #expect(snaps.map(\.text) == (0..<50).map { "\($0)" })
        #expect(snaps.map { $0.picture?.first } == (0..<50).map { UInt8($0) })
    }

    @Test(arguments: StoreKind.allCases)
    func `reading a value shows nothing else that others have changed`(_ kind: StoreKind) throws {
        let container = try container(kind)
        for name in ["a", "b"] { try save(name, in: container) }
        let (context, other) = (ModelContext(container), ModelContext(container))
        let mine = try snap("a", in: context)
        let second = try snap("b", in: context)
        let theirs = try snap("a", in: other)
        theirs.rating = 5
        theirs.text = "new"
        try snap("b", in: other).rating = 6
        try other.save()
        #expect(mine.picture == Data("a".utf8) && mine.rating == 0)
        context.delete(mine)
        #expect(mine.rating == 0)
        second.rating = 7
        let error = #expect(throws: ConflictError.self) { try context.save() }
        #expect(error?.conflicts.count == 2)
    }

    @Test(arguments: StoreKind.embedded)
    func `an object that was not read whole and has lost its row`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let (context, other) = (ModelContext(container), ModelContext(container))
        // The store in memory gives all values with the row.
        let isWhole = kind == .memory
        func lost(_ name: String) throws -> LazySnap {
            try save(name, in: container)
            let snap = try snap(name, in: context)
            snap.rating = 4
            other.delete(try self.snap(name, in: other))
            try other.save()
            return snap
        }
        let first = try lost("a")
        let error = #expect(throws: ConflictError.self) { try context.save() }
        let conflict = try #require(error?.conflicts.first)
        #expect(conflict.theirs == nil && conflict.base["rating"] == .integer(0))
        #expect((conflict.mine?["text"] == nil) == !isWhole)
        context.conflictPolicy = .storeWins
        try context.save()
        #expect(first.isDeleted && first.modelContext == nil)

        let second = try lost("b")
        second.points.append(3)
        context.conflictPolicy = .contextWins
        if !isWhole {
            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self) { try context.save() }
                #expect(error?.kind == .invalidObject && error?.column == "picture")
            }
            second.picture = Data([2])
            second.scan = Data()
            second.text = "b"
            second.notes = nil
            // What was changed where nothing could be read is no value of its own.
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.column == "points")
            second.points = [1, 2.5, 3]
        }
        try context.save()
        let found = try snap("b", in: ModelContext(container))
        #expect(found.rating == 4 && found.points == [1, 2.5, 3])
        #expect(!isWhole || found.text == "text of b")
    }
}
