import Dovetail
import Foundation
import Observation
import StoreTestSupport
import Synchronization
import Testing

/// What the options of `@Attribute` and `@Relationship`, `#Unique` and `#Index` do to objects.
struct OptionTests {
    private func container(_ kind: StoreKind) throws -> ModelContainer {
        try kind.container(OptionShelf.self)
    }

    /// A shelf in a room with as many books.
    private func shelf(_ name: String, books count: Int) -> OptionShelf {
        let shelf = OptionShelf(name: name)
        shelf.room = OptionRoom(number: 1)
        for number in 0..<count {
            shelf.books.append(OptionBook(isbn: "\(name)-\(number)", title: "\(number)"))
        }
        return shelf
    }

    @Test(arguments: StoreKind.allCases)
    func `values of all options come back`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let context = ModelContext(container)
        let shelf = shelf("a", books: 1)
        let book = shelf.books[0]
        book.cover = Data([1, 2])
        book.scan = Data([3])
        book.color = OptionColor(red: 7)
        book.secret = "s"
        book.scratch = 4
        context.insert(shelf)
        try context.save()
        let other = ModelContext(container)
        let found = try #require(try other.fetch(FetchDescriptor<OptionBook>()).first)
        #expect(found.cover == Data([1, 2]) && found.scan == Data([3]) && found.secret == "s")
        #expect(found.color.red == 7 && found.spine == nil && found.scratch == 0)
        found.spine = OptionColor(red: 9)
        found.color = OptionColor(red: 8)
        try other.save()
        #expect(try context.fetch(FetchDescriptor<OptionBook>()).first === book)
        #expect(book.spine?.red == 9 && book.color.red == 8)
    }

    @Test(arguments: StoreKind.allCases)
    func `an ephemeral property is observed and not stored`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let context = ModelContext(container)
        let shelf = shelf("a", books: 1)
        context.insert(shelf)
        try context.save()
        let book = shelf.books[0]
        let changes = Mutex(0)
        withObservationTracking {
            _ = book.isSelected
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        book.isSelected = true
        book.progress = 0.5
        #expect(changes.withLock { $0 } == 1)
        #expect(book.hasChanges && context.hasChanges)
        let before = container.schema.entities
        try context.save()
        #expect(!context.hasChanges && book.isSelected && book.progress == 0.5)
        #expect(before.flatMap(\.attributes).allSatisfy { $0.name != "isSelected" })
        let found = try #require(
            try ModelContext(container).fetch(FetchDescriptor<OptionBook>()).first
        )
        #expect(!found.isSelected && found.progress == nil)
    }

    @Test func `saving an ephemeral property runs no statement that writes`() throws {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let container = try ModelContainer(
            for: OptionShelf.self,
            configurations: configuration
        )
        let context = ModelContext(container)
        let shelf = shelf("a", books: 1)
        context.insert(shelf)
        try context.save()
        _ = log.take()
        shelf.books[0].isSelected = true
        try context.save()
        #expect(!log.take().contains { $0.sql.hasPrefix("UPDATE") || $0.sql.hasPrefix("INSERT") })
    }

    @Test(arguments: StoreKind.allCases)
    func `groups and single values are unique, with relationships too`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let context = ModelContext(container)
        let shelf = shelf("a", books: 2)
        context.insert(shelf)
        try context.save()
        shelf.books[1].title = shelf.books[0].title
        #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        #expect(shelf.books.map(\.title) == ["0", "1"])
        let third = OptionBook(isbn: "third", title: "3")
        shelf.books[0].twin = third
        try context.save()
        shelf.books[1].twin = third
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
    }

    @Test(arguments: StoreKind.allCases)
    func `relationships are counted at the save`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let context = ModelContext(container)
        func refusal() -> StoreError? {
            do {
                try context.save()
                return nil
            } catch {
                return error as? StoreError
            }
        }
        // One that is new.
        let shelf = shelf("a", books: 0)
        context.insert(shelf)
        let tooFew = refusal()
        #expect(tooFew?.kind == .invalidObject && tooFew?.column == "books")
        #expect(tooFew?.table == "OptionShelf")
        #expect("\(tooFew!)".contains("minimumModelCount, 1"))
        shelf.books = (0..<3).map { OptionBook(isbn: "\($0)", title: "\($0)") }
        #expect(refusal() == nil)
        // By the list itself, and by the other side.
        shelf.books.append(OptionBook(isbn: "4", title: "4"))
        let tooMany = refusal()
        #expect(tooMany?.kind == .invalidObject && tooMany?.column == "books")
        context.rollback()
        OptionBook(isbn: "5", title: "5").shelf = shelf
        #expect(refusal()?.column == "books")
        context.rollback()
        // By a deletion, where the list was not read.
        let other = ModelContext(container)
        for book in try other.fetch(FetchDescriptor<OptionBook>()) { other.delete(book) }
        #expect(throws: StoreError.self) { try other.save() }
        other.rollback()
        try other.delete(model: OptionBook.self)
        #expect(throws: StoreError.self) { try other.save() }
        other.rollback()
        // Lists without inverse, and one object.
        shelf.tags = [OptionTag("x"), OptionTag("y"), OptionTag("z")]
        #expect(refusal()?.column == "tags")
        context.rollback()
        shelf.room = nil
        #expect(refusal()?.column == "room")
        context.rollback()
        #expect(refusal() == nil)
        // What is deleted is not counted.
        context.delete(shelf)
        #expect(refusal() == nil)
        #expect(try context.fetchCount(FetchDescriptor<OptionBook>()) == 0)
    }

    @Test func `the schema has what was declared`() throws {
        let schema = Schema([OptionShelf.self])
        let book = try #require(schema.entitiesByName["OptionBook"])
        let attributes = book.attributesByName
        #expect(attributes["isbn"]?.options == [.unique])
        #expect(attributes["isbn"]?.originalName == "number")
        #expect(attributes["title"]?.originalName == "label")
        #expect(attributes["year"]?.hashModifier == "v2")
        #expect(
            attributes["note"]?.originalName == "note" && attributes["note"]?.hashModifier == "m"
        )
        #expect(attributes["cover"]?.options == [.externalStorage])
        #expect(attributes["scan"]?.options == [.externalStorage, .allowsCloudEncryption])
        #expect(attributes["color"]?.options == [.transformable])
        #expect(attributes["owner"]?.options == [.preserveValueOnDeletion])
        #expect(attributes["summary"]?.options == [.spotlight])
        for name in ["isSelected", "progress", "scratch", "cache", "computed", "$id", "shelf"] {
            #expect(attributes[name] == nil)
        }
        #expect(book.uniquenessConstraints.contains(["isbn"]))
        #expect(book.uniquenessConstraints.contains(["title", "year"]))
        #expect(book.indices == [["year"], ["title", "pages"], ["shelf", "year"]])
        let shelf = try #require(book.relationshipsByName["shelf"])
        #expect(shelf.destination == "OptionShelf" && shelf.inverseName == "books")
        #expect(shelf.inverseKeyPath == \OptionShelf.books && shelf.keypath == \OptionBook.shelf)
        #expect(shelf.isToOneRelationship && shelf.isOptional && !shelf.isUnique)
        #expect(shelf.originalName == "place" && shelf.hashModifier == "r")
        #expect(shelf.minimumModelCount == 0 && shelf.maximumModelCount == 1)
        let twin = try #require(book.relationshipsByName["twin"])
        #expect(twin.isUnique && twin.options == [.unique] && twin.inverseName == nil)
        let books = try #require(schema.entitiesByName["OptionShelf"]?.relationshipsByName["books"])
        #expect(!books.isToOneRelationship && books.deleteRule == .cascade)
        #expect(books.minimumModelCount == 1 && books.maximumModelCount == 3)
        #expect(books.valueType == [OptionBook].self && books.originalName == "volumes")
    }

    @Test(arguments: StoreKind.allCases)
    func `a transformer that makes nothing of a value is an error`(_ kind: StoreKind) throws {
        let container = try kind.container(Untransformed.self)
        let context = ModelContext(container)
        let object = Untransformed(OptionColor(red: 1))
        context.insert(object)
        #expect(throws: ModelEncodingError.self) { try context.save() }
        object.color = OptionColor(red: 2)
        try context.save()
        let error = #expect(throws: ModelDecodingError.self) {
            try ModelContext(container).fetch(FetchDescriptor<Untransformed>())
        }
        #expect(error?.kind == .rejected && error?.path == "color")
    }

    @Test func `the history keeps all values of what was deleted`() throws {
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.history = StoreHistory()
        let container = try ModelContainer(for: OptionRoom.self, configurations: configuration)
        let context = ModelContext(container)
        let room = OptionRoom(number: 77)
        context.insert(room)
        try context.save()
        context.delete(room)
        try context.save()
        let change = try #require(try context.history(since: 0).last?.changes.last)
        #expect(change.verb == .delete && change.values.contains(.integer(77)))
    }

    @Test func `a column that still has the original name is named`() throws {
        let folder = try TemporaryFolder()
        let url = folder.file()
        _ = try ModelContainer(for: FormerName.V1.Renamed.self, configurations: .init(url: url))
        let error = #expect(throws: StoreError.self) {
            _ = try ModelContainer(for: FormerName.V2.Renamed.self, configurations: .init(url: url))
        }
        #expect(error?.kind == .invalidSchema)
        #expect("\(error!)".contains("title: the column is still named label"))
        #expect(!"\(error!)".contains("label: the column is gone"))
        _ = try ModelContainer(for: FormerName.V1.Renamed.self, configurations: .init(url: url))
    }
}

/// A class before and after one of its properties was renamed.
enum FormerName {
    enum V1 {
        @Model final class Renamed {
            var label = ""
            init() {}
        }
    }

    enum V2 {
        @Model final class Renamed {
            @Attribute(originalName: "label") var title = ""
            init() {}
        }
    }
}

/// Gives no data for one colour, and makes no colour of data.
final class StubbornTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? OptionColor)?.red == 1 ? nil : Data([0])
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? { nil }
}

@Model final class Untransformed {
    @Attribute(.transformable(by: StubbornTransformer.self)) var color: OptionColor

    init(_ color: OptionColor) { self.color = color }
}
