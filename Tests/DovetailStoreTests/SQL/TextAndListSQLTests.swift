import Dovetail
import StoreTestSupport
import Testing

@Suite struct TextAndListSQLTests {
    @Test func `text contains text, upper and lower case apart`() throws {
        try expect(
            where: #"(instr("name", ?1) > 0)"#,
            .text("b"),
            ids: [3],
            #Predicate { $0.name.contains("b") }
        )
        try expect(
            where: #"(instr("name", ?1) > 0)"#,
            .text("\"the\" "),
            ids: [4],
            #Predicate { $0.name.contains("\"the\" ") }
        )
        try expect(
            where: #"(instr("name", ?1) > 0)"#,
            .text(""),
            ids: [1, 2, 3, 4],
            #Predicate { $0.name.contains("") }
        )
    }

    @Test func `signs of LIKE and GLOB mean themselves`() throws {
        for sign in ["%", "_", "*", "?", "[a-z]"] {
            try expect(
                where: #"(instr("name", ?1) > 0)"#,
                .text(sign),
                ids: [],
                #Predicate { $0.name.contains(sign) }
            )
        }
    }

    @Test(arguments: [("M", [2]), ("m", [4]), ("", [1, 2, 3, 4]), ("Bubbles and more", [])])
    func `text starts with text`(prefix: String, ids: [Int]) throws {
        let context = ModelContext(try .inMemory(Pet.self))
        context.insert(contentsOf: Pet.four)
        let predicate = #Predicate<Pet> { $0.name.starts(with: prefix) }
        let found = try context.fetch(FetchDescriptor(predicate: predicate))
        #expect(found.map(\.id) == ids)
        #expect(try Pet.four.filter { try predicate.evaluate($0) }.map(\.id) == ids)
    }

    @Test func `a captured list`() throws {
        let ids = [4, 2, 9]
        try expect(
            where: #"("id" IN (?1, ?2, ?3))"#,
            .integer(4),
            .integer(2),
            .integer(9),
            ids: [2, 4],
            #Predicate { ids.contains($0.id) }
        )
        try expect(
            where: #"(NOT ("id" IN (?1, ?2, ?3)))"#,
            .integer(4),
            .integer(2),
            .integer(9),
            ids: [1, 3],
            #Predicate { !ids.contains($0.id) }
        )
        let none: [String] = []
        try expect(where: #"("name" IN ())"#, ids: [], #Predicate { none.contains($0.name) })
    }

    @Test func `nil in a list, and a list without nil`() throws {
        let ages: [Int?] = [3, nil]
        try expect(
            where: #"(coalesce("age" IN (?1), FALSE) OR "age" IS NULL)"#,
            .integer(3),
            ids: [1, 3],
            #Predicate { ages.contains($0.age) }
        )
        let known: [Int?] = [3]
        try expect(
            where: #"(NOT coalesce("age" IN (?1), FALSE))"#,
            .integer(3),
            ids: [2, 3, 4],
            #Predicate { !known.contains($0.age) }
        )
    }

    @Test func `a value in place of nil`() throws {
        try expect(
            where: #"(coalesce("age", ?1) > ?2)"#,
            .integer(100),
            .integer(10),
            ids: [2, 3],
            #Predicate { ($0.age ?? 100) > 10 }
        )
        try expect(
            where: #"(coalesce("nickname", ?1) = ?2)"#,
            .text(""),
            .text(""),
            ids: [1, 3, 4],
            #Predicate { ($0.nickname ?? "") == "" }
        )
    }

    @Test func `optional chains`() throws {
        try expect(
            where: #"((instr("nickname", ?1) > 0) IS ?2)"#,
            .text("im"),
            .bool(true),
            ids: [2],
            #Predicate { $0.nickname?.contains("im") == true }
        )
        try expect(
            where: #"(NOT ((instr("nickname", ?1) > 0) IS ?2))"#,
            .text("im"),
            .bool(true),
            ids: [1, 3, 4],
            #Predicate { $0.nickname?.contains("im") != true }
        )
        try expect(
            where: #"(("age" > ?1) IS ?2)"#,
            .integer(2),
            .bool(true),
            ids: [1, 2],
            #Predicate { $0.age.flatMap { $0 > 2 } == true }
        )
        try expect(
            where: #"coalesce(("age" > ?1), ?2)"#,
            .integer(2),
            .bool(true),
            ids: [1, 2, 3],
            #Predicate { $0.age.flatMap { $0 > 2 } ?? true }
        )
    }
}
