import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Large values that come when they are read.
struct DeferredValueTests: SnapTests {
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
        let folder = try TemporaryFolder()
        let file = folder.file("snaps.sqlite")
        let container = try ModelContainer(
            for: Self.models,
            configuration: ModelConfiguration(url: file)
        )
        try save("a", in: container)
        let context = ModelContext(container)
        let snap = try snap("a", in: context)
        #expect(snap.picture == Data("a".utf8))
        let database = try RawDatabase(file)
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
        let folder = try TemporaryFolder()
        let file = folder.file("snaps.sqlite")
        let container = try ModelContainer(
            for: Self.models,
            configuration: ModelConfiguration(url: file)
        )
        let context = ModelContext(container)
        let snap = LazySnap(name: "a")
        snap.picture = Data(count: 100_000)
        snap.rating = 3
        context.insert(snap)
        try context.save()
        let database = try RawDatabase(file)
        let columns = try database.rows("SELECT name FROM pragma_table_info('LazySnap')")
        let names = columns.compactMap { $0.first ?? nil }
        #expect(names.suffix(5) == ["picture", "scan", "text", "points", "notes"])
        #expect(try self.snap("a", in: ModelContext(container)).rating == 3)
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
}
