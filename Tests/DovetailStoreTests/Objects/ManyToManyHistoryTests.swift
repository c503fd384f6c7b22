import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// Random work with lists on both sides, compared with plain values after each step.
struct ManyToManyHistoryTests {
    /// What the objects shall be. Numbers of books, tags and readers are different.
    fileprivate struct Plain: Equatable {
        var books: [Int: [Int]] = [:]
        var tags: [Int: [Int]] = [:]
        var friends: [Int: [Int]] = [:]

        mutating func setTags(_ book: Int, _ new: [Int]) {
            let old = books[book] ?? []
            books[book] = new
            for tag in old where !new.contains(tag) { tags[tag]?.removeAll { $0 == book } }
            for tag in new where !old.contains(tag) { tags[tag]?.append(book) }
        }

        mutating func setBooks(_ tag: Int, _ new: [Int]) {
            let old = tags[tag] ?? []
            tags[tag] = new
            for book in old where !new.contains(book) { books[book]?.removeAll { $0 == tag } }
            for book in new where !old.contains(book) { books[book]?.append(tag) }
        }

        mutating func setFriends(_ reader: Int, _ new: [Int]) {
            let old = friends[reader] ?? []
            friends[reader] = new
            for other in old where !new.contains(other) {
                friends[other]?.removeAll { $0 == reader }
            }
            for other in new where !old.contains(other) && other != reader {
                friends[other]?.append(reader)
            }
        }

        mutating func delete(_ number: Int) {
            setTags(number, [])
            setBooks(number, [])
            setFriends(number, [])
            (books[number], tags[number], friends[number]) = (nil, nil, nil)
        }

        /// Puts an object that had no row yet, was deleted and inserted again, last everywhere.
        mutating func insertAgain(_ number: Int) {
            for tag in books[number] ?? [] { Self.moveLast(number, &tags[tag]) }
            for book in tags[number] ?? [] { Self.moveLast(number, &books[book]) }
            for other in friends[number] ?? [] where other != number {
                Self.moveLast(number, &friends[other])
            }
        }

        private static func moveLast(_ number: Int, _ list: inout [Int]?) {
            list?.removeAll { $0 == number }
            list?.append(number)
        }
    }

    private struct World: SharedObjectWorld {
        typealias Plain = ManyToManyHistoryTests.Plain

        let container: ModelContainer
        let context: ModelContext
        var random: SeededRandom
        var now = Plain()
        var saved = Plain()
        var books: [Int: TaggedBook] = [:]
        var tags: [Int: BookTag] = [:]
        var readers: [Int: BookReader] = [:]
        var next = 0
        var depth = 0

        init(_ container: ModelContainer, _ random: SeededRandom) {
            self.container = container
            self.random = random
            context = ModelContext(container)
        }

        mutating func change() -> String {
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                guard let book = pick(now.books.keys) else { return "nothing" }
                let new = changed(now.books[book] ?? [], now.tags.keys)
                books[book]?.tags = new.compactMap { tags[$0] }
                now.setTags(book, new)
                return "book \(book): \(new)"
            case 1:
                guard let tag = pick(now.tags.keys) else { return "nothing" }
                let new = changed(now.tags[tag] ?? [], now.books.keys)
                tags[tag]?.books = new.compactMap { books[$0] }
                now.setBooks(tag, new)
                return "tag \(tag): \(new)"
            default:
                guard let reader = pick(now.friends.keys) else { return "nothing" }
                let new = changed(now.friends[reader] ?? [], now.friends.keys)
                readers[reader]?.friends = new.compactMap { readers[$0] }
                now.setFriends(reader, new)
                return "reader \(reader): \(new)"
            }
        }

        mutating func step() throws -> String {
            switch Int.random(in: 0..<22, using: &random) {
            case 0:
                let id = number()
                let new = changed([], now.tags.keys)
                let book = TaggedBook("\(id)", tags: new.compactMap { tags[$0] })
                books[id] = book
                now.books[id] = []
                now.setTags(id, new)
                context.insert(book)
                return "insert book \(id): \(new)"
            case 1:
                let id = number()
                let tag = BookTag("\(id)")
                if let book = pick(now.books.keys) {
                    tag.books.append(contentsOf: [books[book], books[book]].compactMap(\.self))
                    now.tags[id] = []
                    now.setBooks(id, [book])
                }
                now.tags[id] = now.tags[id] ?? []
                tags[id] = tag
                context.insert(tag)
                return "insert tag \(id)"
            case 2:
                let id = number()
                let reader = BookReader("\(id)")
                readers[id] = reader
                now.friends[id] = []
                context.insert(reader)
                return "insert reader \(id)"
            case 3:
                let all = [now.books.keys, now.tags.keys, now.friends.keys].joined()
                guard let id = pick(all) else { return "nothing" }
                delete(id)
                now.delete(id)
                return "delete \(id)"
            case 4:
                let all = [now.books.keys, now.tags.keys, now.friends.keys].joined()
                guard let id = pick(all) else { return "nothing" }
                let isStored =
                    saved.books[id] != nil || saved.tags[id] != nil || saved.friends[id] != nil
                delete(id)
                if Bool.random(using: &random) { _ = try plain(context) }
                insert(id)
                if !isStored { now.insertAgain(id) }
                return "delete \(id) and insert it"
            case 5: return rollback()
            case 6: return refuse()
            case 7: return try changeElsewhere()
            case 8, 9, 10: return try save()
            default: return change()
            }
        }

        mutating func load(_ plain: Plain) throws {
            now = plain
            for book in try context.fetch(FetchDescriptor<TaggedBook>()) {
                books[Int(book.title) ?? 0] = book
            }
            for tag in try context.fetch(FetchDescriptor<BookTag>()) {
                tags[Int(tag.name) ?? 0] = tag
            }
            for reader in try context.fetch(FetchDescriptor<BookReader>()) {
                readers[Int(reader.name) ?? 0] = reader
            }
        }

        func delete(_ id: Int) {
            if let book = books[id] { context.delete(book) }
            if let tag = tags[id] { context.delete(tag) }
            if let reader = readers[id] { context.delete(reader) }
        }

        func insert(_ id: Int) {
            if let book = books[id] { context.insert(book) }
            if let tag = tags[id] { context.insert(tag) }
            if let reader = readers[id] { context.insert(reader) }
        }

        /// What objects say, those of this context or fresh ones.
        func plain(_ context: ModelContext) throws -> Plain {
            var plain = Plain()
            for book in try context.fetch(FetchDescriptor<TaggedBook>()) {
                plain.books[Int(book.title) ?? 0] = book.tags.map { Int($0.name) ?? 0 }
            }
            for tag in try context.fetch(FetchDescriptor<BookTag>()) {
                plain.tags[Int(tag.name) ?? 0] = tag.books.map { Int($0.title) ?? 0 }
            }
            for reader in try context.fetch(FetchDescriptor<BookReader>()) {
                plain.friends[Int(reader.name) ?? 0] = reader.friends.map { Int($0.name) ?? 0 }
            }
            return plain
        }

        /// Books by the number of their tags, and those with a tag, as the store finds them.
        func counts(_ tag: Int?) throws -> [[Int]] {
            func numbers(_ predicate: Predicate<TaggedBook>) throws -> [Int] {
                try context.fetch(FetchDescriptor(predicate: predicate))
                    .map { Int($0.title) ?? 0 }.sorted()
            }
            let name = "\(tag ?? 0)"
            return try [
                numbers(#Predicate { $0.tags.count == 2 }),
                numbers(#Predicate { $0.tags.isEmpty }),
                numbers(#Predicate { $0.tags.contains { $0.name == name } }),
                numbers(#Predicate { $0.tags.allSatisfy { $0.name == name } }),
            ]
        }
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `lists are what plain values would be`(_ kind: StoreKind, _ seed: UInt64) throws {
        var world = World(try kind.books(), SeededRandom(seed: seed))
        // Lists that nobody reads in between are in step, too.
        try world.run(400, seed: seed, pause: 3) { world, step in
            guard step.isMultiple(of: 5) else { return nil }
            let books = world.now.books
            let tag = world.pick(world.now.tags.keys)
            let expected = [
                books.filter { $0.value.count == 2 },
                books.filter { $0.value.isEmpty },
                books.filter { $0.value.contains(tag ?? 0) },
                books.filter { $0.value.allSatisfy { $0 == tag } },
            ].map { $0.keys.sorted() }
            let asked = try world.counts(tag)
            return asked == expected ? nil : "\(asked) are not \(expected)"
        }
    }
}
