import Dovetail
import StoreTestSupport
import Testing

@Model final class EditedBook {
    var name: String { didSet { edits += 1 } }
    var edits = 0
    var size = 0
    /// The names that were to be set.
    var asked: [String] = []
    var note: String? { willSet { asked.append(newValue ?? "") } }
    var pages: [EditedPage] = [] { didSet { edits += 1 } }

    init(name: String) { self.name = name }
}

@Model final class EditedPage {
    var book: EditedBook?
    var text: String { didSet { book?.size = text.count } }

    init(text: String) { self.text = text }
}

/// `willSet` and `didSet` of properties of objects: a program sets them, and nobody else.
@Suite struct ObservedPropertyTests {
    private func context(_ kind: StoreKind) throws -> (ModelContext, EditedBook) {
        let context = ModelContext(try kind.container(EditedBook.self, EditedPage.self))
        let book = EditedBook(name: "a")
        book.pages = [EditedPage(text: "p")]
        context.insert(book)
        try context.save()
        #expect(book.edits == 1)
        return (context, book)
    }

    private func stored(_ context: ModelContext) throws -> String {
        let book = try #require(
            try ModelContext(context.container).fetch(FetchDescriptor<EditedBook>()).first
        )
        return "\(book.name) \(book.edits) \(book.size)"
    }

    @Test(arguments: StoreKind.allCases)
    func `they run where a program sets the property`(_ kind: StoreKind) throws {
        let (context, book) = try context(kind)
        book.name = "b"
        book.name += "c"
        book.note = "n"
        #expect(book.edits == 3 && book.asked == ["n"])
        try context.save()
        #expect(try stored(context) == "bc 3 0")
    }

    @Test(arguments: StoreKind.allCases)
    func `a rollback does not run them, and what is changed after it is saved`(
        _ kind: StoreKind
    ) throws {
        let (context, book) = try context(kind)
        book.name = "b"
        book.pages[0].text = "four"
        #expect(book.edits == 2 && book.size == 4)
        context.rollback()
        #expect(book.name == "a" && book.edits == 1 && book.size == 0)
        #expect(!context.hasChanges && book.pages[0].text == "p")
        book.size = 5
        #expect(context.hasChanges)
        try context.save()
        #expect(try stored(context) == "a 1 5")
    }

    @Test(arguments: StoreKind.allCases)
    func `a transaction that throws does not run them`(_ kind: StoreKind) throws {
        struct Stop: Error {}
        let (context, book) = try context(kind)
        for name in ["a", "w"] {
            book.name = name
            let before = book.edits
            #expect(throws: Stop.self) {
                try context.transaction {
                    book.name = "q"
                    book.note = "n"
                    throw Stop()
                }
            }
            #expect(book.name == name && book.edits == before && book.asked.isEmpty)
        }
        book.size = 5
        try context.save()
        #expect(try stored(context) == "w 3 5")
    }

    @Test(arguments: StoreKind.allCases)
    func `what another context has saved does not run them`(_ kind: StoreKind) throws {
        let (context, book) = try context(kind)
        let other = ModelContext(context.container)
        let same = try #require(try other.fetch(FetchDescriptor<EditedBook>()).first)
        same.name = "theirs"
        try other.save()
        context.processPendingChanges()
        #expect(book.name == "theirs" && book.edits == 2 && !context.hasChanges)
        book.size = 5
        try context.save()
        #expect(try stored(context) == "theirs 2 5")
    }

    @Test func `who observes an object and sets another attribute while it is taken back`() throws {
        let (context, book) = try context(.memory)
        book.name = "b"
        withObservationTracking {
            _ = book.name
        } onChange: { [box = Unchecked(book)] in
            box.value.size = 9
        }
        context.rollback()
        book.edits = 7
        #expect(context.hasChanges)
        try context.save()
        #expect(try stored(context).hasPrefix("a 7"))
    }
}

/// Invariant of the unchecked `Sendable`: tests use it on their own thread.
private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
