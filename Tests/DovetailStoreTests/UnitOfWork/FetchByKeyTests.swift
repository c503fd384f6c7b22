import Dovetail
import DovetailStore
import StoreTestSupport
import Testing

/// `fetch(_:id:)`, and predicates that say no more than what the key is.
@Suite struct FetchByKeyTests {
    @Model struct Book: Identifiable, Equatable {
        struct Number: TypedIdentifier { let rawValue: Int64 }

        var id: Number
        var title: String
    }

    @Model struct Ticket: Identifiable, Equatable {
        @Attribute(.primaryKey) var token: UUID
        var seat: Int
    }

    @Model struct Shift: Identifiable, Equatable {
        @Attribute(.transformed(by: SecondsSince1970.self)) var id: Date
        var name: String
    }

    @Model struct Seat: Equatable {
        @Attribute(.primaryKey) var row: String
        @Attribute(.primaryKey) var number: Int
    }

    @Model struct Note: Identifiable, Equatable {
        @Attribute(.primaryKey, .generated) var id: Int64?
        var text: String
    }

    @Model struct Word: Identifiable, Equatable {
        var id: String
        var count: Int
    }

    @Model struct Crate: Identifiable, Equatable {
        var id: Int
        var weight: Int
        var label: String
    }

    @Model struct Parcel: Identifiable, Equatable {
        @Attribute(.transformed(by: Doubled.self)) var id: Int
        var weight: Int
    }

    /// Keeps twice the number.
    enum Doubled: ModelTransform {
        static func decode(_ stored: Int) throws -> Int { stored / 2 }
        static func encode(_ value: Int) throws -> Int { value * 2 }
    }

    private static func context(_ store: StoreKind) throws -> ModelContext {
        ModelContext(
            try store.container(
                Crate.self,
                Parcel.self,
                Book.self,
                Ticket.self,
                Shift.self,
                Seat.self,
                Note.self,
                Word.self
            )
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `every kind of key finds its value`(_ store: StoreKind) throws {
        let context = try Self.context(store)
        let book = Book(id: .init(rawValue: 7), title: "Seven")
        let ticket = Ticket(token: UUID(), seat: 3)
        let shift = Shift(id: Date(timeIntervalSince1970: 60), name: "early")
        let words = ["", "é", "e\u{301}", store.kept("a\0b"), "'; --"].enumerated()
            .map { Word(id: $1, count: $0) }
        context.insert(book)
        context.insert(ticket)
        context.insert(shift)
        context.insert(contentsOf: words)
        context.insert(Note(id: nil, text: "first"))
        func check() throws {
            #expect(try context.fetch(Book.self, id: book.id) == book)
            #expect(try context.fetch(Book.self, id: .init(rawValue: 8)) == nil)
            #expect(try context.fetch(Ticket.self, id: ticket.token) == ticket)
            #expect(try context.fetch(Ticket.self, id: UUID()) == nil)
            #expect(try context.fetch(Shift.self, id: shift.id) == shift)
            // The column holds whole seconds.
            #expect(try context.fetch(Shift.self, id: shift.id + 0.5) == nil)
            for word in words { #expect(try context.fetch(Word.self, id: word.id) == word) }
            #expect(try context.fetch(Word.self, id: "E") == nil)
            #expect(try context.fetch(Note.self, id: nil) == nil)
        }
        try check()
        try context.save()
        try check()
        let key = try #require(context.lastCommit.keys(of: Note.self).first)
        #expect(try context.fetch(Note.self, id: key)?.text == "first")
        try context.transaction { try check() }
    }

    @Test(arguments: StoreKind.allCases)
    func `a limit and an offset count beside the key, too`(_ store: StoreKind) throws {
        let context = try Self.context(store)
        let ticket = Ticket(token: UUID(), seat: 3)
        for isStored in [false, true] {
            if isStored { try context.save() } else { context.insert(Word(id: "a", count: 1)) }
            if !isStored { context.insert(ticket) }
            for (limit, offset, count) in [(0, 0, 0), (1, 0, 1), (9, 0, 1), (1, 1, 0)] {
                let token = ticket.token
                var word = FetchDescriptor<Word>(predicate: #Predicate { $0.id == "a" })
                var seat = FetchDescriptor<Ticket>(predicate: #Predicate { $0.token == token })
                (word.fetchLimit, seat.fetchLimit) = (limit, limit)
                if offset > 0 { (word.fetchOffset, seat.fetchOffset) = (offset, offset) }
                #expect(try context.fetch(word).count == count)
                #expect(try context.fetch(seat).count == count)
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a predicate of the key gives what the translation gives`(_ store: StoreKind) throws {
        let context = try Self.context(store)
        let shift = Shift(id: Date(timeIntervalSince1970: 60), name: "early")
        let ticket = Ticket(token: UUID(), seat: 3)
        context.insert(shift)
        context.insert(ticket)
        try context.save()
        var checked = 0
        for date in [shift.id, shift.id + 0.5, shift.id + 1] {
            let short = FetchDescriptor<Shift>(predicate: #Predicate { $0.id == date })
            let long = FetchDescriptor<Shift>(predicate: #Predicate { $0.id == date && true })
            #expect(try context.fetch(short) == context.fetch(long))
            let count = try context.fetch(short).count
            #expect(try context.fetchCount(short) == count)
            checked += 1
        }
        #expect(checked == 3)
        // Either name of the key, and a column that is none.
        let token = ticket.token
        let byToken = FetchDescriptor<Ticket>(predicate: #Predicate { $0.token == token })
        #expect(try context.fetch(byToken) == [ticket])
        let byID = FetchDescriptor<Ticket>(predicate: #Predicate { $0.id == token })
        #expect(try context.fetch(byID) == [ticket])
        let seat = 3
        let bySeat = FetchDescriptor<Ticket>(predicate: #Predicate { $0.seat == seat })
        #expect(try context.fetch(bySeat) == [ticket])
        var none = byToken
        none.fetchOffset = 1
        #expect(try context.fetch(none) == [])
    }

    /// The types of these predicates are the same; only the key path tells whether it is the key.
    @Test(arguments: StoreKind.allCases)
    func `a number or a text is the key only where the key path says so`(
        _ store: StoreKind
    ) throws {
        let context = try Self.context(store)
        for number in 0..<4 {
            context.insert(Crate(id: number, weight: 1, label: "\(number % 2)"))
            context.insert(Parcel(id: number, weight: 2))
            context.insert(Word(id: "\(number)", count: number))
        }
        var checked = 0
        func check<Value: Model & Equatable>(
            _ short: Predicate<Value>,
            _ long: Predicate<Value>,
            _ count: Int
        ) throws {
            let values = try context.fetch(FetchDescriptor(predicate: short))
            #expect(try values == context.fetch(FetchDescriptor(predicate: long)))
            #expect(values.count == count)
            checked += 1
        }
        func checkAll() throws {
            for number in [1, 2, 9] {
                let one = number == 9 ? 0 : 1
                let text = "\(number)"
                try check(
                    #Predicate<Crate> { $0.id == number },
                    #Predicate<Crate> { $0.id == number && true },
                    one
                )
                try check(
                    #Predicate<Crate> { $0.weight == number },
                    #Predicate<Crate> { $0.weight == number && true },
                    number == 1 ? 4 : 0
                )
                try check(
                    #Predicate<Crate> { $0.label == text },
                    #Predicate<Crate> { $0.label == text && true },
                    number == 1 ? 2 : 0
                )
                try check(
                    #Predicate<Parcel> { $0.id == number },
                    #Predicate<Parcel> { $0.id == number && true },
                    one
                )
                try check(
                    #Predicate<Parcel> { $0.weight == number },
                    #Predicate<Parcel> { $0.weight == number && true },
                    number == 2 ? 4 : 0
                )
                try check(
                    #Predicate<Word> { $0.id == text },
                    #Predicate<Word> { $0.id == text && true },
                    one
                )
            }
        }
        try checkAll()
        try context.save()
        try checkAll()
        try context.transaction { try checkAll() }
        context.delete(Crate(id: 3, weight: 0, label: ""))
        let three = 3
        #expect(
            try context.fetch(FetchDescriptor<Crate>(predicate: #Predicate { $0.id == three }))
                == []
        )
        #expect(checked == 54)
    }

    @Test func `a model that the container was made without is refused by name`() throws {
        let context = ModelContext(try .inMemory(Word.self))
        let key = 1
        let descriptor = FetchDescriptor<Crate>(predicate: #Predicate { $0.id == key })
        #expect(throws: StoreError.self) { try context.fetch(descriptor) }
        #expect(throws: StoreError.self) { try context.fetch(Crate.self, id: 1) }
    }

    @Test(arguments: StoreKind.allCases)
    func `what waits is seen, and what waits to be deleted is not`(_ store: StoreKind) throws {
        let context = try Self.context(store)
        context.insert(contentsOf: [Word(id: "a", count: 1), Word(id: "b", count: 2)])
        try context.save()
        context.update(Word(id: "a", count: 10))
        context.delete(Word(id: "b", count: 0))
        context.insert(Word(id: "c", count: 3))
        #expect(try context.fetch(Word.self, id: "a")?.count == 10)
        #expect(try context.fetch(Word.self, id: "b") == nil)
        #expect(try context.fetch(Word.self, id: "c")?.count == 3)
        context.rollback()
        #expect(try context.fetch(Word.self, id: "b")?.count == 2)
        try context.delete(model: Word.self, where: #Predicate { $0.count == 2 })
        #expect(try context.fetch(Word.self, id: "b") == nil)
        #expect(try context.fetch(Word.self, id: "a")?.count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `a key of several columns is that of an identifier with these members`(
        _ store: StoreKind
    ) throws {
        let context = try Self.context(store)
        let seat = Seat(row: "A", number: 1)
        context.insert(seat)
        for _ in 0..<2 {
            #expect(try context.fetch(Seat.self, id: seat.id) != nil)
            #expect(try context.fetch(Seat.self, id: Seat(row: "B", number: 1).id) == nil)
            try context.save()
        }
    }

    @Test func `a fetch inside of the reading of one does not disturb it`() throws {
        let folder = try TemporaryFolder()
        let context = ModelContext(try .file(folder.file(), Word.self))
        context.insert(contentsOf: (0..<4).map { Word(id: "\($0)", count: $0) })
        try context.save()
        try context.transaction {
            let key = "1"
            let one = FetchDescriptor<Word>(predicate: #Predicate { $0.id == key })
            let counts: [Int?] = try context.withRows(of: one) { cursor, _ in
                let before = try context.fetch(Word.self, id: "2")?.count
                let hasRow = try cursor.next()
                let during = try context.fetch(Word.self, id: "3")?.count
                let own = cursor.integer(1).map { Int($0) }
                let hasMore = try cursor.next()
                return [before, hasRow ? 1 : 0, during, own, hasMore ? 1 : 0]
            }
            #expect(counts == [2, 1, 3, 1, 0])
            let last = try context.fetch(Word.self, id: "0")
            #expect(last?.count == 0)
        }
    }

    @Test func `a row of two thousand bytes and more is bound whole`() throws {
        let context = ModelContext(
            try .inMemory(Word.self, Book.self)
        )
        let words = [1, 2047, 2048, 2049, 100_000].map {
            Word(id: String(repeating: "x", count: $0), count: $0)
        }
        context.insert(contentsOf: words + words.map { Word(id: $0.id + "é", count: -$0.count) })
        try context.save()
        for word in words {
            #expect(try context.fetch(Word.self, id: word.id) == word)
            #expect(try context.fetch(Word.self, id: word.id + "é")?.count == -word.count)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a key that the store will give is nil until then`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Note.self))
        context.insert(Note(id: nil, text: "stored"))
        try context.save()
        let first = try #require(try context.fetch(FetchDescriptor<Note>()).first?.id)
        context.insert(Note(id: nil, text: "new"))
        context.insert(Note(id: 90, text: "ninety"))
        func count(_ predicate: Predicate<Note>) throws -> Int {
            try context.fetchCount(FetchDescriptor(predicate: predicate))
        }
        let ids: [Int64?] = [nil, first]
        #expect(try count(#Predicate { $0.id == nil }) == 1)
        #expect(try count(#Predicate { $0.id != nil }) == 2)
        #expect(try count(#Predicate { $0.id == nil && $0.text == "new" }) == 1)
        #expect(try count(#Predicate { ids.contains($0.id) }) == 2)
        // This one has to be written to be seen.
        try context.update(Note.self, where: #Predicate { $0.text == "old" }) {
            try $0.set(\.text, "older")
        }
        let order = [SortDescriptor(\Note.text, comparator: .lexical)]
        let seen = try context.fetch(FetchDescriptor(sortBy: order))
        #expect(seen.map(\.id) == [nil, 90, first])
        try context.save()
        #expect(try count(#Predicate { $0.id == nil }) == 0)
    }
}
