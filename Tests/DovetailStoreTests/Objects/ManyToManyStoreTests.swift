import Dovetail
import StoreTestSupport
import Testing

/// What stores, other contexts and histories make of lists on both sides.
@Suite(.serialized)
struct ManyToManyStoreTests {
    private func book(_ context: ModelContext) throws -> TaggedBook {
        try #require(try context.fetch(FetchDescriptor<TaggedBook>()).first)
    }

    @Test(arguments: StoreKind.allCases)
    func `a changed list has what others have saved meanwhile`(_ kind: StoreKind) throws {
        let container = try kind.books()
        let one = ModelContext(container), two = ModelContext(container)
        let mine = TaggedBook("a", tags: ["1", "2", "3"].map { BookTag($0) })
        one.insert(mine)
        try one.save()
        let first = mine.tags[0]
        mine.tags.append(BookTag("4"))
        mine.tags.remove(at: 1)
        let theirs = try book(two)
        theirs.tags.removeFirst()
        theirs.tags.append(BookTag("5"))
        try two.save()
        #expect(mine.tags.map(\.name) == ["1", "3", "4"])
        #expect(try book(one) === mine)
        #expect(mine.tags.map(\.name) == ["3", "4", "5"] && first.books.isEmpty)
        try one.save()
        #expect(theirs.tags.map(\.name) == ["2", "3", "5"])
        #expect(try book(two) === theirs)
        #expect(theirs.tags.map(\.name) == ["3", "4", "5"])
        #expect(theirs.tags.allSatisfy { $0.books == [theirs] })
    }

    @Test(arguments: StoreKind.allCases)
    func `a deletion by a predicate takes known objects out of lists`(_ kind: StoreKind) throws {
        let container = try kind.books()
        let context = ModelContext(container)
        let a = TaggedBook("a", tags: ["1", "2", "3"].map { BookTag($0) })
        context.insert(a)
        try context.save()
        try context.delete(model: BookTag.self, where: #Predicate { $0.name == "2" })
        #expect(a.tags.map(\.name) == ["1", "3"])
        let isTwo = #Predicate<TaggedBook> { $0.tags.count == 2 }
        #expect(try context.fetchCount(FetchDescriptor(predicate: isTwo)) == 1)
        try context.save()
        let other = ModelContext(container)
        #expect(try book(other).tags.map(\.name) == ["1", "3"])
        // Of another context's objects nothing is left to write.
        other.delete(try book(other).tags[0])
        try other.save()
        a.tags.swapAt(0, 1)
        a.tags.removeAll { $0.name == "1" }
        try context.save()
        #expect(try book(other).tags.map(\.name) == ["3"])
    }

    @Test func `a file keeps join tables, and its history has their rows`() throws {
        let folder = try TemporaryFolder()
        var configuration = ModelConfiguration(url: folder.file())
        configuration.history = StoreHistory()
        var names: [String] = []
        for step in 0..<3 {
            let container = try ModelContainer(
                for: TaggedBook.self,
                configurations: configuration
            )
            let context = ModelContext(container)
            switch step {
            case 0: context.insert(TaggedBook("a", tags: [BookTag("1"), BookTag("2")]))
            case 1: try book(context).tags.swapAt(0, 1)
            default: context.delete(try book(context).tags[0])
            }
            try context.save()
            let commit = try #require(try context.history(since: 0).last)
            names.append(
                commit.changes.filter { $0.table == "BookTag$books" }
                    .map { "\($0.verb)" }.joined(separator: " ")
            )
        }
        #expect(names == ["insert insert", "update", "delete"])
        let container = try ModelContainer(for: BookTag.self, configurations: configuration)
        let context = ModelContext(container)
        #expect(try book(context).tags.map(\.name) == ["1"])
    }
}
