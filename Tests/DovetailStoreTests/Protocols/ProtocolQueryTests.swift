import Dovetail
import StoreTestSupport
import TestAssets
import Testing

/// Queries over `any P`: which tables are asked for what, and what comes.
@Suite struct ProtocolQueryTests {
    private let context: ModelContext

    init() throws {
        context = try Self.filled(.inMemory(Tune.self, Photo.self, Clip.self))
    }

    @Test(arguments: ToolchainMedia.predicates.indices)
    func `the toolchain's macro makes the same conditions`(index: Int) throws {
        let (predicate, count) = ToolchainMedia.predicates[index]
        #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == count)
        let all = try context.fetch(FetchDescriptor<any Medium>())
        #expect(try all.filter { try predicate.evaluate($0) }.count == count)
    }

    @Test func `protocols and conformers may be of several modules`() throws {
        let context = ModelContext(try .inMemory(ShelfFile.self, ShelfBook.self))
        context.insert(ShelfFile(id: 1, title: "a", path: "x"))
        context.insert(ShelfFile(id: 2, title: "b", path: "x"))
        context.insert(ShelfBook(id: 1, title: "a"))
        try context.save()
        let named = #Predicate<any ShelfItem> { $0.title == "a" }
        #expect(try context.fetchCount(FetchDescriptor(predicate: named)) == 2)
        let files = FetchDescriptor<any FiledItem>(
            predicate: #Predicate { $0.title == "a" && $0.path == "x" }
        )
        #expect(try context.fetch(files).map { ($0 as? ShelfFile)?.id } == [1])
    }

    @Test func `what is no model protocol of the container is an error`() throws {
        let context = ModelContext(try .inMemory(Photo.self))
        let error = #expect(throws: StoreError.self) {
            try context.fetch(FetchDescriptor<any TimedMedium>())
        }
        #expect(error?.kind == .invalidSchema)
        #expect(error?.description.contains("conforms to TimedMedium") == true)
        let table = RootCoding(CompositionCoding<MediumModel, any Medium & Sendable>.self)
        #expect(throws: QueryError.self) {
            try context.fetch(FetchDescriptor<any Medium & Sendable>(), by: table)
        }
        var page = FetchDescriptor<any Medium>()
        page.fetchLimit = -1
        #expect(throws: QueryError.self) { try context.fetch(page) }
        #expect(throws: QueryError.self) { try context.fetchCount(page) }
    }

    private static func filled(_ container: ModelContainer) throws -> ModelContext {
        let context = ModelContext(container)
        context.insert(Photo(id: 1, name: "b", size: 10, caption: "x", width: 200))
        context.insert(Photo(id: 2, name: "a", size: 20, caption: nil, width: 50, tags: ["new"]))
        context.insert(Clip(id: 1, name: "a", size: 30, caption: nil, seconds: 3, codec: "h"))
        context.insert(Tune(id: "t", name: "c", size: 5, caption: "x", seconds: 9, codec: "o"))
        try context.save()
        return context
    }

    private func keys(
        _ predicate: Predicate<any Medium>?,
        _ order: SortDescriptor<any Medium>...
    ) throws -> [String] {
        let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: order))
        return found.map { "\(type(of: $0)) \($0.name)\($0.size)" }
    }

    @Test func `values of all conformers come in one order`() throws {
        let byName = SortDescriptor<any Medium>(\.name, comparator: .lexical)
        #expect(try keys(nil, byName) == ["Clip a30", "Photo a20", "Photo b10", "Tune c5"])
        let bySize = SortDescriptor<any Medium>(\.size, order: .reverse)
        #expect(
            try keys(#Predicate { $0.size > 5 }, bySize) == ["Clip a30", "Photo a20", "Photo b10"]
        )
        #expect(
            try keys(nil, SortDescriptor(\.caption, comparator: .lexical), bySize)
                == ["Clip a30", "Photo a20", "Photo b10", "Tune c5"]
        )
        #expect(try keys(#Predicate { $0.name == "a" }).sorted() == ["Clip a30", "Photo a20"])
    }

    @Test func `all values come in the order of pages, which are merged row by row`() throws {
        let context = ModelContext(
            try .inMemory(Tune.self, Photo.self, Clip.self)
        )
        // Names that are equal, that begin with the same eight bytes, and that have a NUL or nothing.
        let names = ["", "a", "a\0", "common begin", "common beginning", "é", "éé", "z"]
        for number in 0..<120 {
            let (name, size) = (names[number * 7 % 8], number * 11 % 5)
            let caption = number.isMultiple(of: 3) ? nil : names[number * 3 % 8]
            let seconds = Double(number % 4)
            context.insert(
                Photo(id: number, name: name, size: size, caption: caption, width: number)
            )
            context.insert(
                Clip(
                    id: number,
                    name: name,
                    size: size,
                    caption: caption,
                    seconds: -seconds,
                    codec: ""
                )
            )
            context.insert(
                Tune(
                    id: "\(number)",
                    name: name,
                    size: size,
                    caption: caption,
                    seconds: 0,
                    codec: ""
                )
            )
        }
        try context.save()
        let name = SortDescriptor<any Medium>(\.name, comparator: .lexical)
        let lastName = SortDescriptor<any Medium>(\.name, comparator: .lexical, order: .reverse)
        let size = SortDescriptor<any Medium>(\.size, order: .reverse)
        let caption = SortDescriptor<any Medium>(\.caption, comparator: .lexical)
        let orders = [
            [name], [lastName], [size], [caption, lastName], [size, name], [name, caption],
        ]
        for order in orders {
            let descriptor = FetchDescriptor<any Medium>(sortBy: order)
            var page = descriptor
            page.fetchLimit = 1000
            let (all, merged) = (try context.fetch(descriptor), try context.fetch(page))
            #expect(all.count == 360)
            #expect(all.map { "\($0)" } == merged.map { "\($0)" })
        }
    }

    @Test func `a page without an order comes by the tables and the keys`() throws {
        var page = FetchDescriptor<any Medium>()
        (page.fetchLimit, page.fetchOffset) = (2, 1)
        #expect(try context.fetch(page).map(\.size) == [10, 20])
        #expect(try context.fetchCount(page) == 2)
        page.fetchOffset = 3
        #expect(try context.fetch(page).map(\.size) == [5])
        #expect(try context.fetchCount(page) == 1)
    }

    @Test func `what waits is seen`() throws {
        context.delete(Photo(id: 1, name: "", size: 0, caption: nil, width: 0))
        context.insert(Clip(id: 7, name: "b", size: 1, caption: nil, seconds: 0, codec: "h"))
        let byName = SortDescriptor<any Medium>(\.name, comparator: .lexical)
        #expect(try keys(nil, byName) == ["Clip a30", "Photo a20", "Clip b1", "Tune c5"])
        try context.delete(model: Clip.self, where: #Predicate { $0.size == 30 })
        #expect(try keys(nil, byName) == ["Photo a20", "Clip b1", "Tune c5"])
        #expect(try context.fetchCount(FetchDescriptor<any Medium>()) == 3)
    }

    @Test func `types and casts are conditions`() throws {
        #expect(try keys(#Predicate { $0 is Photo }).count == 2)
        #expect(try keys(#Predicate { (($0 as? Photo)?.width ?? 0) > 100 }) == ["Photo b10"])
        #expect(try keys(#Predicate { !($0 is any TimedMedium) && $0.size > 10 }) == ["Photo a20"])
        #expect(try keys(#Predicate { ($0 as? Photo) == nil }).sorted() == ["Clip a30", "Tune c5"])
        let tagged = #Predicate<any Medium> { medium in
            if let photo = medium as? Photo { photo.tags.contains("new") } else { medium.size < 10 }
        }
        #expect(try keys(tagged).sorted() == ["Photo a20", "Tune c5"])
        let wide = #Predicate<Photo> { $0.width > 100 }
        let nested = #Predicate<any Medium> {
            try ($0 as? Photo).flatMap { try wide.evaluate($0) } ?? false
        }
        #expect(try keys(nested) == ["Photo b10"])
        #expect(try keys(.all([tagged, .not(nested)])).sorted() == ["Photo a20", "Tune c5"])
    }

    @Test func `a protocol that refines another has the requirements of both`() throws {
        let timed = try context.fetch(
            FetchDescriptor<any TimedMedium>(
                predicate: #Predicate { $0.seconds > 1 && $0.name != "z" && $0.codec != "z" },
                sortBy: [SortDescriptor(\.name, comparator: .lexical, order: .reverse)]
            )
        )
        #expect(timed.map(\.codec) == ["o", "h"])
        let captioned = #Predicate<any TimedMedium> { $0.caption == "x" }
        #expect(try context.fetch(FetchDescriptor(predicate: captioned)).map(\.codec) == ["o"])
    }

    @Test func `a table of which no row can match is not asked`() throws {
        let context = try Self.filled(StoreKind.sqlite.container(Tune.self, Photo.self, Clip.self))
        func explain(_ predicate: Predicate<any Medium>) throws -> QueryExplanation {
            try context.explain(FetchDescriptor(predicate: predicate))
        }
        let photos = try explain(#Predicate { (($0 as? Photo)?.width ?? 0) > 100 })
        #expect(!photos.statement.contains("\n"))
        #expect(photos.statement.hasSuffix(#"FROM "Photo" WHERE ("width" > ?1)"#))
        #expect(
            photos.steps.suffix(2) == [
                "does not ask Clip, of which no row can match",
                "does not ask Tune, of which no row can match",
            ]
        )
        let all = try explain(#Predicate { $0 is any TimedMedium })
        #expect(
            all.statement
                == #"""
                SELECT "id", "name", "size", "caption", "seconds", "codec" FROM "Clip"
                SELECT "id", "the_name", "size", "caption", "seconds", "codec" FROM "Tune"
                """#
        )
        let page = try context.explain(
            FetchDescriptor<any Medium>(sortBy: [SortDescriptor(\.size, order: .reverse)])
        )
        #expect(page.statement.contains(#"FROM "Photo" ORDER BY "size" DESC, "id""#))
        #expect(page.steps.last == "merges the rows by the order")
    }

    @Test func `each table is asked once, for no more rows than are needed`() throws {
        let folder = try TemporaryFolder()
        let log = StatementLog()
        var configuration = ModelConfiguration(url: folder.file())
        configuration.trace = log.trace()
        let container = try ModelContainer(
            for: Tune.self,
            Photo.self,
            Clip.self,
            configurations: configuration
        )
        let context = ModelContext(container)
        context.insert(
            contentsOf: (0..<50).map {
                Photo(id: $0, name: "\($0)", size: $0, caption: nil, width: $0)
            }
        )
        try context.save()
        _ = log.take()
        var page = FetchDescriptor<any Medium>(sortBy: [SortDescriptor(\.size)])
        (page.fetchLimit, page.fetchOffset) = (3, 2)
        #expect(try context.fetch(page).map(\.size) == [2, 3, 4])
        let statements = log.takeReads()
        #expect(statements.count == 3)
        #expect(statements.map(\.rows).max() == 5)
        #expect(statements.allSatisfy { $0.sql.contains("LIMIT") })
        let clips = FetchDescriptor<any Medium>(predicate: #Predicate { $0 is Clip })
        #expect(try context.fetch(clips).isEmpty)
        #expect(log.takeReads().allSatisfy { $0.sql.contains("\"Clip\"") })
    }
}

@Model struct ShelfFile: FiledItem, Identifiable { var id: Int; var title, path: String }
@Model struct ShelfBook: Identifiable { var id: Int; var title: String }
extension ShelfBook: ShelfItem {}
