import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Model final class RelatedRoom {
    @Attribute(.unique) var code: String
    @Relationship(inverse: \RelatedShelf.room) var shelves: [RelatedShelf] = []
    init(_ code: String) { self.code = code }
}

@Model final class RelatedShelf {
    #Index<RelatedShelf>([\.label])
    var label: String?
    var name: String
    var room: RelatedRoom?
    @Relationship(inverse: \RelatedBook.shelf) var books: [RelatedBook] = []
    init(_ name: String, _ label: String?, _ room: RelatedRoom?) {
        self.name = name
        self.label = label
        self.room = room
    }
}

@Model final class RelatedBook {
    #Index<RelatedBook>([\.year])
    @Attribute(.primaryKey) var number: Int
    var year: Int
    var nick: String?
    var shelf: RelatedShelf?
    var tags: [RelatedTag] = []
    @Relationship(inverse: .itself) var similar: [RelatedBook] = []
    @Relationship var model: RelatedBook?
    init(_ number: Int) {
        self.number = number
        year = 1900 + number % 10
    }
}

@Model final class RelatedTag {
    @Attribute(.unique) var name: String
    var books: [RelatedBook] = []
    init(_ name: String) { self.name = name }
}

/// Conditions that lead through relationships to what an index knows: they begin with the other table.
struct RelatedConditionTests {
    private func container(_ kind: StoreKind) throws -> ModelContainer {
        let container = try kind.container(
            RelatedRoom.self,
            RelatedShelf.self,
            RelatedBook.self,
            RelatedTag.self
        )
        let context = ModelContext(container)
        let rooms = ["a", "b", "c"].map { RelatedRoom($0) }
        let shelves = (0..<7).map {
            RelatedShelf("s\($0)", $0 == 3 ? nil : "l\($0 % 3)", $0 < 6 ? rooms[$0 % 3] : nil)
        }
        let tags = (0..<5).map { RelatedTag("t\($0)") }
        var books: [RelatedBook] = []
        for number in 0..<60 {
            let book = RelatedBook(number)
            context.insert(book)
            book.nick = number % 4 == 0 ? nil : "n\(number % 3)"
            book.shelf = number % 8 == 7 ? nil : shelves[number % 8]
            book.tags = tags.filter { _ in number % 5 != 4 }.enumerated()
                .filter { number % ($0.offset + 2) == 0 }.map(\.element)
            book.model = books.last { $0.number % 6 == number % 6 }
            book.similar = books.suffix(2)
            books.append(book)
        }
        try context.save()
        return container
    }

    private static let codes = ["b", "c"]

    private static let conditions: [Predicate<RelatedBook>] = [
        #Predicate { $0.shelf?.room?.code == "a" },
        #Predicate { "a" == $0.shelf?.room?.code },
        #Predicate { $0.shelf?.room?.code ?? "" == "b" },
        #Predicate { ($0.shelf?.room?.code ?? "b") == "b" },
        #Predicate { ($0.shelf?.room?.code ?? "b") != "b" },
        #Predicate { codes.contains($0.shelf?.room?.code ?? "") },
        #Predicate { codes.contains($0.shelf?.room?.code ?? "c") },
        #Predicate { $0.shelf?.room?.code == nil },
        #Predicate { !($0.shelf?.room?.code == "a") && $0.number > 10 },
        #Predicate { $0.shelf?.room?.code == "a" || $0.tags.contains { $0.name == "t1" } },
        #Predicate { $0.shelf?.room?.code == "a" && $0.tags.contains { $0.name == "t1" } },
        #Predicate { $0.shelf?.label == "l1" },
        #Predicate { $0.shelf?.label == "l1" && $0.year == 1905 },
        #Predicate { $0.shelf?.label == "l1" && $0.number == 9 },
        #Predicate { $0.shelf?.name == "s2" },
        #Predicate { ($0.nick ?? "") == "n1" },
        #Predicate { ($0.nick ?? "n1") == "n1" },
        #Predicate { ($0.nick ?? "n1") != "n2" },
        #Predicate { $0.tags.contains { $0.name == "t0" } && $0.tags.contains { $0.name == "t2" } },
        #Predicate { !$0.tags.contains { $0.name == "t0" } },
        #Predicate { $0.tags.allSatisfy { $0.name == "t0" } },
        #Predicate { $0.model?.number == 3 },
        #Predicate { $0.model?.shelf?.room?.code == "c" },
        #Predicate { $0.model?.model?.number == 3 },
        #Predicate { $0.similar.contains { $0.number == 5 || $0.number == 7 } },
        #Predicate { $0.similar.contains { $0.shelf?.room?.code == "b" && $0.year > 1903 } },
        #Predicate { $0.shelf.flatMap { $0.room }?.code == "a" },
        #Predicate { $0.shelf?.books.contains { $0.number == 4 } == true },
    ]

    @Test(arguments: StoreKind.allCases)
    func `stores find what holds in memory`(_ kind: StoreKind) throws {
        let context = ModelContext(try container(kind))
        let books = try context.fetch(FetchDescriptor<RelatedBook>())
        #expect(books.count == 60)
        for (place, condition) in Self.conditions.enumerated() {
            let wanted = try books.filter { try condition.evaluate($0) }.map(\.number).sorted()
            var descriptor = FetchDescriptor(
                predicate: condition,
                sortBy: [SortDescriptor(\.number)]
            )
            #expect(try context.fetch(descriptor).map(\.number) == wanted, "condition \(place)")
            #expect(try context.fetchCount(descriptor) == wanted.count, "condition \(place)")
            (descriptor.fetchOffset, descriptor.fetchLimit) = (1, 3)
            let page = try context.fetch(descriptor).map(\.number)
            #expect(page == Array(wanted.dropFirst().prefix(3)), "condition \(place)")
            // The same with what waits.
            books[0].year += 1
            #expect(try context.fetch(descriptor).map(\.number) == page, "condition \(place)")
            context.rollback()
        }
        let all = try books.filter { try !Self.conditions[0].evaluate($0) }.count
        try context.delete(model: RelatedBook.self, where: Self.conditions[0])
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor(predicate: Self.conditions[0])) == 0)
        #expect(try context.fetchCount(FetchDescriptor<RelatedBook>()) == all)
    }

    private func statement<Object: PersistentModel>(
        _ condition: Predicate<Object>,
        limit: Int? = nil,
        _ kind: StoreKind = .sqlite
    ) throws -> QueryExplanation {
        var descriptor = FetchDescriptor(predicate: condition)
        descriptor.fetchLimit = limit
        return try ModelContext(container(kind)).explain(descriptor)
    }

    @Test func `SQLite begins with the few rows that an index knows`() throws {
        let unique = #Predicate<RelatedBook> { $0.shelf?.room?.code == "a" }
        #expect(
            try statement(unique).statement.hasSuffix(
                #"WHERE "RelatedBook"."shelf" IN (SELECT "dovetail_1"."$id" FROM "RelatedShelf" AS "#
                    + #""dovetail_1" WHERE "dovetail_1"."room" IN (SELECT "dovetail_2"."$id" FROM "#
                    + #""RelatedRoom" AS "dovetail_2" WHERE ("dovetail_2"."code" = ?1)))"#
            )
        )
        // Shelves of a room may be many, and the first rows be found before these are.
        #expect(try statement(unique, limit: 3).statement.contains(" IN ") == false)
        let direct = #Predicate<RelatedShelf> { $0.room?.code == "a" }
        #expect(try statement(direct, limit: 3).statement.contains(" IN (SELECT"))
        let indexed = #Predicate<RelatedBook> { $0.shelf?.label == "l1" }
        #expect(try statement(indexed).statement.contains(" IN (SELECT"))
        let beside = #Predicate<RelatedBook> { $0.shelf?.label == "l1" && $0.year == 1905 }
        #expect(try statement(beside).statement.contains(" IN (SELECT") == false)
        let other = #Predicate<RelatedBook> { $0.shelf?.name == "s1" }
        let explained = try statement(other)
        #expect(explained.statement.contains(" IN (SELECT") == false)
        #expect(
            explained.advice == #"An index of name would help: #Index<RelatedShelf>([\.name])"#
        )
    }

    @Test(.enabled(if: StoreKind.allCases.contains(.postgres)))
    func `a server joins the other table`() throws {
        let condition = #Predicate<RelatedBook> { $0.shelf?.room?.code == "a" }
        let explained = try statement(condition, limit: 3, .postgres)
        #expect(explained.statement.contains("EXISTS (SELECT 1"))
        #expect(explained.statement.contains(" IN (SELECT") == false)
    }

    @Test func `an index serves what has a default`() throws {
        let explained = try statement(#Predicate<RelatedBook> { ($0.nick ?? "") == "n1" })
        #expect(
            explained.statement.hasSuffix(#"WHERE ("nick" = ?1)"#)
                || explained.statement.hasSuffix(#"WHERE ("nick" IS ?1)"#)
        )
        #expect(explained.advice == #"An index of nick would help: #Index<RelatedBook>([\.nick])"#)
    }
}
