import Dovetail
import Testing

@Suite struct PredicateSQLTests {
    @Test func `equality of required attributes is plain`() throws {
        try expect(where: #"("id" = ?1)"#, .integer(2), ids: [2], #Predicate { $0.id == 2 })
        try expect(
            where: #"(NOT ("name" = ?1))"#,
            .text("Mia"),
            ids: [1, 3, 4],
            #Predicate { $0.name != "Mia" }
        )
    }

    @Test func `equality of optional attributes takes nil as a value`() throws {
        try expect(where: #"("age" IS ?1)"#, .integer(3), ids: [1], #Predicate { $0.age == 3 })
        try expect(where: #"("age" IS NULL)"#, ids: [3], #Predicate { $0.age == nil })
        try expect(
            where: #"(NOT ("age" IS ?1))"#,
            .integer(3),
            ids: [2, 3, 4],
            #Predicate { $0.age != 3 }
        )
        try expect(where: #"(NOT ("age" IS NULL))"#, ids: [1, 2, 4], #Predicate { $0.age != nil })
        let missing: Int? = nil
        try expect(where: #"("age" IS NULL)"#, ids: [3], #Predicate { $0.age == missing })
    }

    @Test func `the four comparisons`() throws {
        try expect(where: #"("id" < ?1)"#, .integer(2), ids: [1], #Predicate { $0.id < 2 })
        try expect(where: #"("id" <= ?1)"#, .integer(2), ids: [1, 2], #Predicate { $0.id <= 2 })
        try expect(
            where: #"("weight" > ?1)"#,
            .double(1),
            ids: [1],
            #Predicate { $0.weight > 1 }
        )
        try expect(
            where: #"("name" >= ?1)"#,
            .text("Rex"),
            ids: [1, 4],
            #Predicate { $0.name >= "Rex" }
        )
    }

    @Test func `both sides may be attributes or constants`() throws {
        try expect(
            where: #"("nickname" IS "nickname")"#,
            ids: [1, 2, 3, 4],
            #Predicate { $0.nickname == $0.nickname }
        )
        try expect(where: #"(?1 < "id")"#, .integer(3), ids: [4], #Predicate { 3 < $0.id })
    }

    @Test func `truth values stand alone and are compared`() throws {
        try expect(where: #""isTame""#, ids: [1, 3, 4], #Predicate { $0.isTame })
        try expect(where: #"(NOT "isTame")"#, ids: [2], #Predicate { !$0.isTame })
        try expect(
            where: #"("isTame" = ?1)"#,
            .bool(false),
            ids: [2],
            #Predicate { $0.isTame == false }
        )
        try expect(where: "?1", .bool(true), ids: [1, 2, 3, 4], #Predicate { _ in true })
    }

    @Test func `conjunction, disjunction and negation keep their grouping`() throws {
        try expect(
            where: #"(("id" > ?1) AND ("isTame" OR ("id" = ?2)))"#,
            .integer(1),
            .integer(2),
            ids: [2, 3, 4],
            #Predicate { $0.id > 1 && ($0.isTame || $0.id == 2) }
        )
        try expect(
            where: #"(NOT (("id" = ?1) OR ("id" = ?2)))"#,
            .integer(1),
            .integer(2),
            ids: [3, 4],
            #Predicate { !($0.id == 1 || $0.id == 2) }
        )
    }

    @Test func `a chain of one operator has one pair of parentheses`() throws {
        try expect(
            where: #"("isTame" AND ("id" > ?1) AND ("id" < ?2))"#,
            .integer(1),
            .integer(4),
            ids: [3],
            #Predicate { $0.isTame && $0.id > 1 && $0.id < 4 }
        )
        try expect(
            where: #"((NOT "isTame") OR ("id" = ?1) OR ("id" = ?2))"#,
            .integer(3),
            .integer(4),
            ids: [2, 3, 4],
            #Predicate { !$0.isTame || ($0.id == 3 || $0.id == 4) }
        )
    }

    @Test func `raw enums and typed identifiers are compared as raw values`() throws {
        let dog = Species.dog
        try expect(
            where: #"("species" = ?1)"#,
            .text("dog"),
            ids: [1, 4],
            #Predicate { $0.species == dog }
        )
        let owner = OwnerID(rawValue: 7)
        try expect(
            where: #"("owner" IS ?1)"#,
            .integer(7),
            ids: [1, 3],
            #Predicate { $0.owner == owner }
        )
    }
}
