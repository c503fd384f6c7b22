import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// Relationships whose both sides hold several objects.
@Suite(.serialized)
struct ManyToManyTests {
    private func book(_ title: String, _ context: ModelContext) throws -> TaggedBook {
        let all = try context.fetch(FetchDescriptor<TaggedBook>())
        return try #require(all.first { $0.title == title })
    }

    private func tag(_ name: String, _ context: ModelContext) throws -> BookTag {
        let all = try context.fetch(FetchDescriptor<BookTag>())
        return try #require(all.first { $0.name == name })
    }

    /// The tags of a book as they are stored.
    private func tagNames(_ title: String, _ container: ModelContainer) throws -> [String] {
        let context = ModelContext(container)
        return try book(title, context).tags.map(\.name)
    }

    /// The number of rows of all join tables together.
    private func pairs(_ container: ModelContainer) throws -> Int {
        try container.store.withReadConnection { connection in
            try container.schema.bindings.filter { $0.table.contains("$") }
                .reduce(0) { try $0 + connection.count(of: Query($1)) }
        }
    }

    @Test func `the schema has the join tables, and describes the relationships`() throws {
        let schema = Schema([TaggedBook.self])
        #expect(
            schema.bindings.map(\.table).filter { $0.contains("$") } == [
                "BookTag$books", "BookNote$books", "BookReader$books", "BookReader$friends",
                "BookReader$teachers", "ReaderMentor$mentors",
            ]
        )
        let table = try #require(schema.bindings.first { $0.table == "BookTag$books" })
        #expect(
            table.attributes.map(\.name) == ["owner", "member", "member$order", "owner$order"]
        )
        #expect(table.keyColumns == [0, 1])
        #expect(table.description.references.map(\.table) == ["BookTag", "TaggedBook"])
        #expect(table.description.references.map(\.deleteRule) == [.cascade, .cascade])
        #expect(schema.entities.map(\.name).allSatisfy { !$0.contains("$") })
        #expect(Schema(schema.bindings.map(\.type)).bindings.count == schema.bindings.count)
        let book = try #require(schema.entity(for: TaggedBook.self))
        #expect(book.attributes.map(\.name) == ["title"])
        #expect(book.relationships.map(\.name) == ["tags", "notes", "readers"])
        #expect(book.relationships.map(\.inverseName) == ["books", "books", "books"])
        #expect(book.relationships.map(\.deleteRule) == [.nullify, .cascade, .deny])
        let tags = try #require(book.relationshipsByName["tags"])
        #expect(tags.destination == "BookTag" && !tags.isToOneRelationship && !tags.isOptional)
        #expect(tags.keypath == \TaggedBook.tags && tags.inverseKeyPath == \BookTag.books)
        #expect(ObjectIdentifier(tags.valueType) == ObjectIdentifier([BookTag].self))
        #expect(book.storedProperties.map(\.name) == ["title", "tags", "notes", "readers"])
    }

    @Test func `statements are those of the pairs that have changed`() throws {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let container = try ModelContainer(for: TaggedBook.self, configurations: configuration)
        let context = ModelContext(container)
        for title in ["a", "b"] {
            context.insert(TaggedBook(title, tags: ["1", "2", "3"].map { BookTag(title + $0) }))
        }
        try context.save()
        let other = ModelContext(container)
        let books = try other.fetch(FetchDescriptor<TaggedBook>(sortBy: [SortDescriptor(\.title)]))
        func statements(_ body: () throws -> Void) rethrows -> [String] {
            _ = log.take()
            try body()
            return log.take().map(\.sql)
        }
        // The pairs, and the objects that are not known.
        var read: [Int] = []
        let first = statements { read.append(books[0].tags.count) }
        let tag = books[0].tags[2]
        let second = statements { read.append(tag.books.count) }
        #expect(read == [3, 1])
        #expect([first, second].map { $0.count { $0.hasPrefix("SELECT") } } == [2, 1])
        let written = try statements {
            books[1].tags.append(tag)
            books[0].tags.removeFirst()
            try other.save()
        }
        #expect(written.count { $0.hasPrefix("INSERT INTO \"BookTag$books\"") } == 1)
        #expect(written.count { $0.hasPrefix("DELETE FROM \"BookTag$books\"") } == 1)
        #expect(!written.contains { $0.hasPrefix("UPDATE") })
        let moved = try statements {
            books[1].tags.swapAt(0, 1)
            try other.save()
        }
        #expect(moved.count { $0.hasPrefix("UPDATE \"BookTag$books\"") } == 1)
        let nothing = try statements {
            books[1].tags = Array(books[1].tags)
            try other.save()
        }
        #expect(!nothing.contains { $0.contains("$books") && !$0.hasPrefix("SELECT") })
    }

    @Test(arguments: StoreKind.allCases)
    func `both lists change at once`(_ kind: StoreKind) throws {
        let container = try kind.books()
        let context = ModelContext(container)
        let x = BookTag("x"), y = BookTag("y"), z = BookTag("z")
        let a = TaggedBook("a", tags: [x, y]), b = TaggedBook("b")
        #expect(x.books == [a] && y.books == [a] && z.books.isEmpty)
        y.books.append(b)
        #expect(b.tags == [y] && y.books == [a, b])
        context.insert(b)
        #expect(a.modelContext === context && x.modelContext === context)
        b.tags.insert(z, at: 0)
        b.tags.append(y)
        #expect(b.tags == [z, y] && z.books == [b] && z.modelContext === context)
        try context.save()
        #expect(!context.hasChanges)
        #expect(try pairs(container) == 4)

        let other = ModelContext(container)
        let found = try book("b", other)
        #expect(found.tags.map(\.name) == ["z", "y"])
        #expect(found.tags[1].books.map(\.title) == ["a", "b"])
        #expect(found.tags[1].books[1] === found)
        found.tags.swapAt(0, 1)
        found.tags[0].books.reverse()
        #expect(found.hasChanges && found.tags[0].books.map(\.title) == ["b", "a"])
        try other.save()

        let third = ModelContext(container)
        #expect(try book("b", third).tags.map(\.name) == ["y", "z"])
        #expect(try tag("y", third).books.map(\.title) == ["b", "a"])
        try book("b", third).tags.removeAll { $0.name == "y" }
        #expect(try tag("y", third).books.map(\.title) == ["a"])
        try third.save()
        #expect(try pairs(container) == 3)
        #expect(try book("b", context).tags == [z] && y.books == [a])
    }

    @Test(arguments: StoreKind.allCases)
    func `lists to the own class`(_ kind: StoreKind) throws {
        let container = try kind.books()
        let context = ModelContext(container)
        let ann = BookReader("Ann"), bob = BookReader("Bob"), eve = BookReader("Eve")
        ann.friends = [bob, eve, ann]
        #expect(bob.friends == [ann] && eve.friends == [ann] && ann.friends == [bob, eve, ann])
        context.insert(ann)
        try context.save()
        #expect(try pairs(container) == 5)
        bob.friends.append(eve)
        eve.friends.removeAll { $0 === ann }
        #expect(eve.friends == [bob] && ann.friends == [bob, ann])
        try context.save()
        #expect(try pairs(container) == 5)
        let other = ModelContext(container)
        let all = try other.fetch(FetchDescriptor<BookReader>(sortBy: [SortDescriptor(\.name)]))
        #expect(all.map { $0.friends.map(\.name).joined() } == ["BobAnn", "AnnEve", "Bob"])

        let old = ReaderMentor("old"), young = ReaderMentor("young")
        old.pupils = [young]
        young.pupils = [young]
        #expect(young.mentors == [old, young])
        context.insert(young)
        try context.save()
        let third = ModelContext(container)
        let mentors = try third.fetch(FetchDescriptor<ReaderMentor>())
        let found = try #require(mentors.first { $0.name == "young" })
        #expect(found.mentors.map(\.name) == ["old", "young"] && found.pupils == [found])
    }

    @Test(arguments: StoreKind.allCases)
    func `only what has changed is written, and what two contexts add is added`(
        _ kind: StoreKind
    ) throws {
        let container = try kind.books()
        let context = ModelContext(container)
        let tags = ["1", "2", "3", "4"].map { BookTag($0) }
        context.insert(TaggedBook("a", tags: tags))
        context.insert(BookTag("5"))
        try context.save()
        let (one, two) = (ModelContext(container), ModelContext(container))
        let (mine, theirs) = (try book("a", one), try book("a", two))
        mine.tags.append(try tag("5", one))
        mine.tags.append(BookTag("6"))
        mine.tags.remove(at: 0)
        theirs.tags.append(try tag("5", two))
        theirs.tags.append(BookTag("7"))
        theirs.tags.remove(at: 0)
        theirs.tags.swapAt(0, 1)
        try one.save()
        try two.save()
        let names = try tagNames("a", container)
        #expect(
            names.prefix(3) == ["3", "2", "4"] && Set(names) == ["2", "3", "4", "5", "6", "7"]
        )
        #expect(names.count == 6)
        #expect(try book("a", one).tags.map(\.name) == names)
        // An order of what others have removed adds nothing.
        let (first, second) = (try book("a", one), try book("a", two))
        first.tags.removeAll { $0.name == "3" || $0.name == "2" }
        second.tags.reverse()
        try one.save()
        try two.save()
        #expect(Set(try book("a", two).tags.map(\.name)) == ["4", "5", "6", "7"])
        // What was put back is as it was.
        let last = try book("a", one)
        let removed = last.tags.removeLast()
        last.tags.append(removed)
        try one.save()
        #expect(try tagNames("a", container).last == removed.name)
    }

    @Test(arguments: StoreKind.allCases)
    func `deleting an object takes it out of all lists`(_ kind: StoreKind) throws {
        let container = try kind.books()
        let context = ModelContext(container)
        let x = BookTag("x"), y = BookTag("y")
        let a = TaggedBook("a", tags: [x, y]), b = TaggedBook("b", tags: [x])
        context.insert(a)
        context.insert(b)
        try context.save()
        context.delete(a)
        #expect(x.books == [b] && y.books.isEmpty && a.tags == [x, y])
        context.insert(a)
        #expect(x.books == [a, b] && y.books == [a] && a.tags == [x, y] && !a.isDeleted)
        context.delete(x)
        #expect(a.tags == [y] && b.tags.isEmpty)
        try context.save()
        #expect(try pairs(container) == 1 && x.books.isEmpty && a.tags == [y])
        // The store does it where no object is known.
        let other = ModelContext(container)
        try other.delete(model: BookTag.self)
        try other.save()
        #expect(try pairs(container) == 0)
        #expect(try tagNames("a", container).isEmpty)
        #expect(try book("a", context).tags.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `delete rules of lists on both sides`(_ kind: StoreKind) throws {
        let container = try kind.books()
        let context = ModelContext(container)
        let a = TaggedBook("a"), b = TaggedBook("b"), note = BookNote("n"), ann = BookReader("Ann")
        a.notes = [note, BookNote("m")]
        b.notes = [note]
        a.readers = [ann]
        context.insert(a)
        try context.save()
        context.delete(a)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(
            error?.kind == .foreignKeyViolation && error?.description.contains("readers") == true
        )
        context.rollback()
        #expect(a.readers == [ann] && b.notes == [note] && note.books == [a, b])
        a.readers = []
        context.delete(a)
        #expect(note.isDeleted && b.notes.isEmpty)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<BookNote>()) == 0)
        #expect(try pairs(container) == 0)
        // What the store alone deletes follows the same rules.
        b.notes.append(BookNote("o"))
        b.readers.append(ann)
        try context.save()
        let other = ModelContext(container)
        try other.delete(model: TaggedBook.self)
        #expect(throws: StoreError.self) { try other.save() }
        other.rollback()
        try other.delete(model: BookReader.self)
        try other.save()
        try other.delete(model: TaggedBook.self)
        try other.save()
        #expect(try other.fetchCount(FetchDescriptor<BookNote>()) == 0)
        #expect(try pairs(container) == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `lists are taken back`(_ kind: StoreKind) throws {
        let container = try kind.books()
        let context = ModelContext(container)
        let x = BookTag("x"), y = BookTag("y")
        let a = TaggedBook("a", tags: [x, y])
        context.insert(a)
        try context.save()
        let b = TaggedBook("b", tags: [y])
        context.insert(b)
        a.tags.removeFirst()
        context.rollback()
        #expect(a.tags == [x, y] && x.books == [a] && y.books == [a] && b.modelContext == nil)
        #expect(b.tags == [y])
        context.insert(b)
        #expect(y.books == [a, b])
        try context.save()
        #expect(try pairs(container) == 3)
        struct Refused: Error {}
        #expect(throws: Refused.self) {
            try context.transaction {
                a.tags = [y]
                try context.save()
                b.tags = [x]
                try? context.transaction {
                    a.tags = []
                    throw Refused()
                }
                throw Refused()
            }
        }
        #expect(a.tags == [x, y] && b.tags == [y] && x.books == [a] && y.books == [a, b])
        try context.save()
        #expect(try pairs(container) == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `predicates and counts lead through lists on both sides`(_ kind: StoreKind) throws {
        let container = try kind.books()
        let context = ModelContext(container)
        let x = BookTag("x"), y = BookTag("y")
        let a = TaggedBook("a", tags: [x, y]), b = TaggedBook("b", tags: [y])
        let c = TaggedBook("c")
        let ann = BookReader("Ann"), bob = BookReader("Bob")
        ann.friends = [bob]
        ann.books = [a]
        for book in [a, b, c] { context.insert(book) }
        func titles(_ predicate: Predicate<TaggedBook>) throws -> String {
            let all = try context.fetch(FetchDescriptor(predicate: predicate))
            #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == all.count)
            return all.map(\.title).sorted().joined()
        }
        let id = x.persistentModelID
        func check() throws {
            #expect(try titles(#Predicate { $0.tags.contains { $0.name == "x" } }) == "a")
            #expect(try titles(#Predicate { $0.tags.contains { $0.name == "y" } }) == "ab")
            #expect(try titles(#Predicate { !$0.tags.contains { $0.name == "x" } }) == "bc")
            #expect(try titles(#Predicate { $0.tags.isEmpty }) == "c")
            #expect(try titles(#Predicate { $0.tags.count == 2 }) == "a")
            #expect(try titles(#Predicate { $0.tags.allSatisfy { $0.name == "y" } }) == "bc")
            #expect(
                try titles(#Predicate { $0.tags.contains { $0.persistentModelID == id } }) == "a"
            )
            #expect(
                try titles(
                    #Predicate { $0.tags.contains { $0.books.contains { $0.title == "a" } } }
                ) == "ab"
            )
            #expect(
                try titles(
                    #Predicate { $0.readers.contains { $0.friends.contains { $0.name == "Bob" } } }
                ) == "a"
            )
        }
        try check()
        try context.save()
        try check()
        a.tags = [x]
        c.tags = [y, x]
        #expect(try titles(#Predicate { $0.tags.contains { $0.name == "y" } }) == "bc")
        #expect(try titles(#Predicate { $0.tags.count == 2 }) == "c")
        context.delete(y)
        #expect(try titles(#Predicate { $0.tags.isEmpty }) == "b")
        #expect(!c.tags.isEmpty && c.tags == [x])
        let readers = try context.fetch(FetchDescriptor<BookReader>())
        #expect(readers.map(\.friends.count) == [1, 1])
    }

    @Test(arguments: StoreKind.allCases)
    func `a list that nobody reads is not read`(_ kind: StoreKind) throws {
        let container = try kind.books()
        let context = ModelContext(container)
        let y = BookTag("y")
        for title in ["a", "b", "c"] { context.insert(TaggedBook(title, tags: [y])) }
        try context.save()
        let other = ModelContext(container)
        let found = try tag("y", other)
        let new = TaggedBook("d")
        new.tags.append(found)
        let ids = try context.fetch(FetchDescriptor<TaggedBook>()).map(\.persistentModelID)
        func registered() -> Int {
            ids.count { other.registeredModel(for: $0) as TaggedBook? != nil }
        }
        #expect(registered() == 0)
        try other.save()
        #expect(registered() == 0)
        #expect(found.books.map(\.title) == ["a", "b", "c", "d"])
    }

    @Test(arguments: StoreKind.allCases)
    func `containers are copied, emptied and opened again with their join tables`(
        _ kind: StoreKind
    ) async throws {
        let container = try kind.books()
        let context = ModelContext(container)
        let ann = BookReader("Ann")
        ann.friends = [BookReader("Bob")]
        ann.books = [TaggedBook("a", tags: [BookTag("x"), BookTag("y")])]
        context.insert(ann)
        try context.save()
        for target in StoreKind.allCases {
            let copy = try target.books()
            let report = try await container.copy(to: copy)
            #expect(report.tables.first { $0.name == "BookTag$books" }?.rows == 2)
            #expect(try tagNames("a", copy) == ["x", "y"])
            #expect(try pairs(copy) == 5)
            try copy.erase()
            #expect(try pairs(copy) == 0)
        }
        container.deleteAllData()
        #expect(try pairs(container) == 0)
    }

    @Test func `a join table is where its classes are`() throws {
        let one = ModelConfiguration(for: TaggedBook.self, isStoredInMemoryOnly: true)
        let container = try ModelContainer(
            for: [TaggedBook.self, StoredBox.self],
            configurations: [one, MemoryConfiguration()]
        )
        let context = ModelContext(container)
        context.insert(TaggedBook("a", tags: [BookTag("x")]))
        try context.save()
        #expect(try tagNames("a", container) == ["x"])
    }
}
