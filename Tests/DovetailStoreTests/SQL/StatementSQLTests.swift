import Dovetail
import DovetailSQL
import StoreTestSupport
import Testing

/// A model whose names need quoting and whose key does not come first.
@Model(typeName: "order")
struct Order: Equatable, Sendable {
    @Attribute(name: "a\"b") var quoted: String
    @Attribute(.primaryKey, name: "primary key") var number: Int
    @Attribute(name: "select") var choice: String?
}

@Model
struct Seat: Equatable, Sendable {
    @Attribute(.primaryKey) var row: String
    @Attribute(.primaryKey) var number: Int
}

@Suite struct StatementSQLTests {
    private let renderer = SQLRenderer(SQLiteDialect())

    @Test func `tables of one key, of several, and of names that need quotes`() throws {
        #expect(
            renderer.createTable(EntityDescription(Order.self)) == """
                CREATE TABLE "order" (
                    "a""b" TEXT NOT NULL,
                    "primary key" INTEGER NOT NULL PRIMARY KEY,
                    "select" TEXT
                ) STRICT
                """
        )
        #expect(
            renderer.createTable(EntityDescription(Seat.self)) == """
                CREATE TABLE "Seat" (
                    "row" TEXT NOT NULL,
                    "number" INTEGER NOT NULL,
                    PRIMARY KEY ("row", "number")
                ) STRICT
                """
        )
    }

    @Test(arguments: [
        (
            WriteVerb.insert,
            #"INSERT INTO "order" ("a""b", "primary key", "select") VALUES (?1, ?2, ?3)"#
        ),
        (
            .upsert,
            #"INSERT INTO "order" ("a""b", "primary key", "select") VALUES (?1, ?2, ?3) "#
                + #"ON CONFLICT ("primary key") DO UPDATE SET "a""b" = excluded."a""b", "#
                + #""select" = excluded."select""#
        ),
        (
            .update,
            #"UPDATE "order" SET "a""b" = ?1, "select" = ?3 WHERE "primary key" = ?2"#
        ),
        (.delete, #"DELETE FROM "order" WHERE "primary key" = ?2"#),
    ])
    func `the verbs`(verb: WriteVerb, text: String) throws {
        #expect(renderer.write(verb, EntityBinding(Order.self)) == text)
    }

    @Test(arguments: [
        (WriteVerb.insert, #"INSERT INTO "Seat" ("row", "number") VALUES (?1, ?2)"#),
        (
            .upsert,
            #"INSERT INTO "Seat" ("row", "number") VALUES (?1, ?2) "#
                + #"ON CONFLICT ("row", "number") DO NOTHING"#
        ),
        (
            .update,
            #"UPDATE "Seat" SET "row" = ?1, "number" = ?2 WHERE "row" = ?1 AND "number" = ?2"#
        ),
        (.delete, #"DELETE FROM "Seat" WHERE "row" = ?1 AND "number" = ?2"#),
    ])
    func `the verbs of a model that is all key`(verb: WriteVerb, text: String) throws {
        #expect(renderer.write(verb, EntityBinding(Seat.self)) == text)
    }

    @Test func `the verbs do to a database what they say`() throws {
        let context = ModelContext(try .inMemory(Order.self, Seat.self))
        let order = Order(quoted: "x", number: 1, choice: nil)
        context.insert(order)
        context.upsert(Order(quoted: "y", number: 2, choice: "z"))
        context.update(Order(quoted: "w", number: 1, choice: "v"))
        context.insert(Seat(row: "A", number: 1))
        context.upsert([Seat(row: "A", number: 1), Seat(row: "A", number: 2)])
        context.update(Seat(row: "A", number: 2))
        context.delete(Seat(row: "A", number: 1))
        try context.save()
        let orders = try context.fetch(FetchDescriptor<Order>(sortBy: [SortDescriptor(\.number)]))
        #expect(
            orders == [
                Order(quoted: "w", number: 1, choice: "v"),
                Order(quoted: "y", number: 2, choice: "z"),
            ]
        )
        #expect(try context.fetch(FetchDescriptor<Seat>()) == [Seat(row: "A", number: 2)])
    }

    @Test func `counting and deleting rows of a query`() throws {
        let entity = EntityBinding(Order.self)
        let filter = try QueryTranslator(entity).filter(
            #Predicate<Order> { $0.choice == "a" && $0.number > 3 }
        )
        let condition = #" WHERE (("select" IS ?1) AND ("primary key" > ?2))"#
        let query = Query(entity, filter: filter, order: [QueryOrder(column: 0)])
        let count = try renderer.count(query)
        #expect(count.text == #"SELECT count(*) FROM "order""# + condition + #" ORDER BY "a""b""#)
        #expect(count.bindings == [.value(.text("a")), .value(.integer(3))])
        #expect(try renderer.delete(query).text == #"DELETE FROM "order""# + condition)
        let page = try renderer.count(Query(entity, limit: 2, offset: 1))
        let sql = #"SELECT count(*) FROM (SELECT 1 FROM "order" LIMIT 2 OFFSET 1) AS dovetail_rows"#
        #expect(page.text == sql)
    }
}
