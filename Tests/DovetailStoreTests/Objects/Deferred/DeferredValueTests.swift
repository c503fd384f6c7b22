import Dovetail
import DovetailTesting
import Foundation
import Observation
import StoreTestSupport
import Synchronization
import Testing

/// Large values that come when they are read.
struct DeferredValueTests {
    private static let models: [any Model.Type] = [
        LazySnap.self, SnapAlbum.self, SnapFile.self, SnapFilm.self, SnapMarked.self,
        SnapObserved.self, SnapEager.self, SnapHooked.self,
    ]

    private func container(_ kind: StoreKind) throws -> ModelContainer {
        try kind.container(Self.models)
    }

    private func traced(_ log: StatementLog) throws -> ModelContainer {
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        return try ModelContainer(for: Self.models, configuration: configuration)
    }

    /// Saves a snap with all values.
    @discardableResult
    private func save(_ name: String, in container: ModelContainer) throws -> LazySnap {
        let context = ModelContext(container)
        let snap = LazySnap(name: name)
        snap.picture = Data(name.utf8)
        snap.scan = Data([1, 2, 3])
        snap.text = "text of \(name)"
        snap.points = [1, 2.5]
        snap.notes = ["a": name]
        context.insert(snap)
        try context.save()
        return snap
    }

    private func snap(_ name: String, in context: ModelContext) throws -> LazySnap {
        let named = FetchDescriptor<LazySnap>(predicate: #Predicate { $0.name == name })
        return try #require(try context.fetch(named).first)
    }

    @Test func `a value is one query when it is read, and none after that`() throws {
        let log = StatementLog()
        let container = try traced(log)
        for number in 0..<10 { try save("\(number)", in: container) }
        _ = log.take()
        let context = ModelContext(container)
        let sorted = FetchDescriptor<LazySnap>(sortBy: [SortDescriptor(\.rating)])
        let snaps = try context.fetch(sorted)
        let fetch = log.takeReads().map(\.sql)
        #expect(fetch.count == 1)
        #expect(fetch.first?.contains(#"NULLIF("picture" IS NULL, TRUE)"#) == true)
        #expect(try context.explain(sorted).statement == fetch.first)
        #expect(snaps.map(\.name).count == 10 && snaps.allSatisfy { $0.album == nil })
        #expect(log.takeReads().isEmpty)
        #expect(snaps[3].picture == Data("3".utf8))
        #expect(log.takeReads().count == 1)
        #expect(snaps[3].picture == Data("3".utf8) && !snaps[3].hasChanges)
        #expect(log.takeReads().isEmpty)
        #expect(snaps[3].scan == Data([1, 2, 3]) && snaps[3].text == "text of 3")
        #expect(snaps[3].points == [1, 2.5] && snaps[3].notes == ["a": "3"])
        #expect(log.takeReads().count == 4)
        // Those that are there stay.
        _ = try context.fetch(sorted)
        _ = log.take()
        #expect(snaps[3].text == "text of 3")
        #expect(log.takeReads().isEmpty)
    }

    @Test func `what is nil is no query`() throws {
        let log = StatementLog()
        let container = try traced(log)
        let context = ModelContext(container)
        context.insert(LazySnap(name: "a"))
        try context.save()
        let found = try snap("a", in: ModelContext(container))
        _ = log.take()
        #expect(found.picture == nil && found.notes == nil)
        #expect(log.takeReads().isEmpty)
        #expect(found.scan.isEmpty && found.text.isEmpty && found.points.isEmpty)
    }

    @Test func `a descriptor asks for values at once`() throws {
        let log = StatementLog()
        let container = try traced(log)
        for number in 0..<3 { try save("\(number)", in: container) }
        let context = ModelContext(container)
        let known = try snap("1", in: context)
        var all = FetchDescriptor<LazySnap>()
        all.propertiesToFetch = [\.name, \.picture, \.notes]
        _ = log.take()
        let snaps = try context.fetch(all)
        #expect(log.takeReads().count == 1)
        #expect(snaps.contains { $0 === known })
        for snap in snaps {
            #expect(snap.picture == Data(snap.name.utf8) && snap.notes == ["a": snap.name])
        }
        #expect(log.takeReads().isEmpty)
        #expect(known.text == "text of 1")
        #expect(log.takeReads().count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `predicates and orders see large values`(_ kind: StoreKind) throws {
        let container = try container(kind)
        for name in ["b", "a", "c"] { try save(name, in: container) }
        let context = ModelContext(container)
        let without = LazySnap(name: "d")
        context.insert(without)
        func names(_ descriptor: FetchDescriptor<LazySnap>) throws -> [String] {
            try context.fetch(descriptor).map(\.name)
        }
        let byText = [SortDescriptor(\LazySnap.text, comparator: .lexical)]
        let data = Data("c".utf8)
        for _ in 0..<2 {
            let snap = try snap("a", in: context)
            snap.rating += 1
            #expect(
                try names(.init(predicate: #Predicate { $0.picture != nil }, sortBy: byText))
                    == ["a", "b", "c"]
            )
            #expect(try names(.init(predicate: #Predicate { $0.picture == data })) == ["c"])
            #expect(try names(.init(predicate: #Predicate { $0.picture == nil })) == ["d"])
            #expect(
                try names(.init(predicate: #Predicate { $0.text.hasSuffix("a") && $0.rating > 0 }))
                    == ["a"]
            )
            #expect(try names(.init(sortBy: byText)) == ["d", "a", "b", "c"])
            #expect(
                try context.fetchCount(
                    FetchDescriptor<LazySnap>(predicate: #Predicate { $0.points.count == 2 })
                ) == 3
            )
            #expect(snap.text == "text of a" && snap.picture == Data("a".utf8))
            try context.save()
        }
    }

    @Test func `fetches do not read what waits once more`() throws {
        let log = StatementLog()
        let container = try traced(log)
        for number in 0..<20 { try save("\(number)", in: container) }
        let context = ModelContext(container)
        for snap in try context.fetch(FetchDescriptor<LazySnap>()) { snap.rating = 5 }
        _ = log.take()
        let rated = FetchDescriptor<LazySnap>(predicate: #Predicate { $0.rating == 5 })
        for _ in 0..<3 { #expect(try context.fetch(rated).count == 20) }
        #expect(log.takeReads().count == 3)
        // One that looks at them has to know all.
        let written = FetchDescriptor<LazySnap>(predicate: #Predicate { $0.text != "" })
        #expect(try context.fetch(written).count == 20)
        #expect(log.takeReads().count == 21)
        #expect(try context.fetch(written).count == 20)
        #expect(log.takeReads().count == 1)
        try context.save()
        let writes = log.take().filter { $0.sql.hasPrefix("UPDATE") }
        #expect(writes.allSatisfy { !$0.sql.contains("picture") } && !writes.isEmpty)
    }

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
    func `documents have all values`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let original = try save("a", in: container)
        let context = ModelContext(container)
        let json = try snap("a", in: context).encoded(as: .json())
        #expect(try json == original.encoded(as: .json()))
        let read = try LazySnap(decoding: json, as: .json())
        #expect(read.text == "text of a" && read.points == [1, 2.5])
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
    func `values can be read after the end of the context`(_ kind: StoreKind) throws {
        let container = try container(kind)
        try save("a", in: container)
        func left(_ body: (ModelContext) throws -> LazySnap) throws -> LazySnap {
            try body(ModelContext(container))
        }
        let snap = try left { try self.snap("a", in: $0) }
        #expect(snap.modelContext == nil && snap.text == "text of a")
        #expect(snap.picture == Data("a".utf8))
        // In another context it is a new one.
        let next = ModelContext(container)
        snap.name = "again"
        next.insert(snap)
        try next.save()
        let again = try self.snap("again", in: ModelContext(container))
        #expect(again.scan == Data([1, 2, 3]) && again.notes == ["a": "a"])
    }

    @Test(arguments: StoreKind.allCases)
    func `classes with a table in common`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let first = ModelContext(container)
        let film = SnapFilm(name: "film")
        film.content = Data([1])
        film.subtitles = "hello"
        film.minutes = 90
        let file = SnapFile(name: "file")
        file.content = Data([2])
        first.insert(film)
        first.insert(file)
        try first.save()
        let context = ModelContext(container)
        let sorted = FetchDescriptor<SnapFile>(sortBy: [SortDescriptor(\.name)])
        let files = try context.fetch(sorted)
        let found = try #require(files.last as? SnapFilm)
        #expect(files.count == 2 && found.minutes == 90)
        #expect(files.map(\.content) == [Data([2]), Data([1])] && found.subtitles == "hello")
        found.subtitles += "!"
        found.content = nil
        files[0].content?.append(3)
        try context.save()
        let films = try first.fetch(FetchDescriptor<SnapFilm>())
        #expect(films.count == 1 && films[0] === film)
        #expect(film.subtitles == "hello!" && film.content == nil)
        #expect(file.content == Data([2, 3]))
        let json = try #require(try ModelContext(container).fetch(sorted).last).encoded(as: .json())
        #expect(try json == film.encoded(as: .json()))
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

    @Test func `values that come with their objects`() throws {
        let log = StatementLog()
        let container = try traced(log)
        let first = ModelContext(container)
        let observed = SnapObserved(data: Data([1]))
        observed.count = 3
        observed.address = URL(string: "https://example.org")
        first.insert(observed)
        first.insert(SnapEager(data: Data([2])))
        first.insert(SnapHooked(data: Data([3, 4])))
        try first.save()
        let context = ModelContext(container)
        let found = try #require(try context.fetch(FetchDescriptor<SnapObserved>()).first)
        let eager = try #require(try context.fetch(FetchDescriptor<SnapEager>()).first)
        let hooked = try #require(try context.fetch(FetchDescriptor<SnapHooked>()).first)
        _ = log.take()
        #expect(found.data == Data([1]) && found.count == 3 && found.sets == 0)
        #expect(found.address == observed.address)
        #expect(try JSONEncoder().encode(eager).count > 8 && eager.data == Data([2]))
        #expect(hooked.size == 2 && hooked.data == Data([3, 4]))
        #expect(log.takeReads().isEmpty)
    }

    @Test func `a value that cannot be read is an error of the next fetch`() throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "deferred-\(UUID().uuidString).sqlite")
        defer { try? FileManager.default.removeItem(at: path) }
        let container = try ModelContainer(
            for: Self.models,
            configuration: ModelConfiguration(url: path)
        )
        try save("a", in: container)
        let context = ModelContext(container)
        let snap = try snap("a", in: context)
        #expect(snap.picture == Data("a".utf8))
        let database = try RawDatabase(path)
        try database.execute(#"UPDATE "LazySnap" SET "points" = '[1,', "text" = 'b'"#)
        #expect(snap.points.isEmpty)
        #expect(throws: ModelDecodingError.self) {
            try context.fetch(FetchDescriptor<SnapAlbum>())
        }
        // It is asked again.
        try database.execute(#"UPDATE "LazySnap" SET "points" = '[4]'"#)
        #expect(snap.points == [4] && snap.text == "b")
        try context.save()
    }

    @Test func `a list of rows goes over no large values`() throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "deferred-\(UUID().uuidString).sqlite")
        defer { try? FileManager.default.removeItem(at: path) }
        let container = try ModelContainer(
            for: Self.models,
            configuration: ModelConfiguration(url: path)
        )
        let context = ModelContext(container)
        let snap = LazySnap(name: "a")
        snap.picture = Data(count: 100_000)
        snap.rating = 3
        context.insert(snap)
        try context.save()
        let database = try RawDatabase(path)
        let columns = try database.rows("SELECT name FROM pragma_table_info('LazySnap')")
        let names = columns.compactMap { $0.first ?? nil }
        #expect(names.suffix(5) == ["picture", "scan", "text", "points", "notes"])
        #expect(try self.snap("a", in: ModelContext(container)).rating == 3)
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

    @Test func `a document is one query`() throws {
        let log = StatementLog()
        let container = try traced(log)
        try save("a", in: container)
        let context = ModelContext(container)
        let snap = try snap("a", in: context)
        _ = log.take()
        _ = try snap.encoded(as: .json())
        #expect(log.takeReads().count == 1)
        // Rows that a document is compared with are read whole.
        let files = (0..<20).map { number in
            let file = SnapFile(name: "\(number)")
            file.content = Data([UInt8(number)])
            return file
        }
        let json = try files.encoded(as: .json())
        for file in files { context.insert(file) }
        try context.save()
        let other = ModelContext(container)
        let known = try other.fetch(FetchDescriptor<SnapFile>())
        _ = log.take()
        let decoded = try other.decode([SnapFile].self, from: json, as: .json())
        #expect(log.takeReads().count < 5)
        #expect(decoded.count == 20 && !other.hasChanges)
        #expect(
            Set(decoded.map { ObjectIdentifier($0) }) == Set(known.map { ObjectIdentifier($0) })
        )
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
}
