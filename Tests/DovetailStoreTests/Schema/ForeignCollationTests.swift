import Dovetail
import StoreTestSupport
import Testing

/// A row of a table of others, whose columns compare in their own ways.
@Model(table: "visitors")
struct Visitor: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
    var nick: String?
    var came: Date?
    var paid: Decimal?
}

/// The same, found by its name.
@Model(table: "badges")
struct Badge: Equatable, Sendable {
    @Attribute(.primaryKey) var name: String
    var door: Int
}

@Model(table: "marks")
struct Mark: Equatable, Sendable {
    @Attribute(.primaryKey) var day: Date
    @Attribute(.primaryKey) var name: String
}

/// Text of tables that others have made is compared by its bytes, dates by their instants and
/// decimals by their values, as in tables of our own.
@Suite struct ForeignCollationTests {
    private let folder: TemporaryFolder
    private let database: RawDatabase

    init() throws {
        folder = try TemporaryFolder()
        database = try RawDatabase(folder.file())
    }

    private static let rows = """
        (1, 'ann', 'x ', '2024-01-02', 1), (2, 'ANN', 'x', '2024-01-02 00:00:00.000', 1.0),
        (3, 'Bob', 'X', '2024-01-02T01:00:00+01:00', 0.1), (4, 'bob', NULL, '2024-01-01', 10),
        (5, 'Ann', 'x  ', NULL, NULL), (6, 'a', '', '2024-01-03 12:00:00', 9.99)
        """

    /// The rows in a table whose columns have collations, and in one of ours in memory.
    private func contexts() throws -> (foreign: ModelContext, oracle: ModelContext) {
        try database.execute(
            """
            CREATE TABLE visitors (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE NOT NULL,
                nick TEXT COLLATE RTRIM, came DATETIME, paid NUMERIC);
            CREATE INDEX names ON visitors (name);
            INSERT INTO visitors VALUES \(Self.rows);
            """
        )
        let foreign = ModelContext(try .file(folder.file(), Visitor.self, allowsSave: false))
        let oracle = ModelContext(try StoreKind.memory.container(Visitor.self))
        oracle.insert(contentsOf: try foreign.fetch(FetchDescriptor<Visitor>()))
        try oracle.save()
        return (foreign, oracle)
    }

    private static let day = Date(timeIntervalSince1970: 1_704_153_600)
    private static let names = ["ann", "BOB"]
    private static let many = ["ann", "BOB", "c", "d", "e", "f", "g", "h", "i", "j"]
    private static let prices: [Decimal] = [1, Decimal(string: "9.99") ?? 0]
    private static let predicates: [(Predicate<Visitor>, ids: [Int])] = [
        (#Predicate { $0.name == "ann" }, [1]),
        (#Predicate { "ANN" == $0.name }, [2]),
        (#Predicate { $0.name != "ann" }, [2, 3, 4, 5, 6]),
        (#Predicate { $0.name < "B" }, [2, 5]),
        (#Predicate { $0.name >= "a" && $0.name <= "b" }, [1, 6]),
        (#Predicate { names.contains($0.name) }, [1]),
        (#Predicate { !names.contains($0.name) }, [2, 3, 4, 5, 6]),
        (#Predicate { many.contains($0.name) }, [1]),
        (#Predicate { $0.nick == "x" }, [2]),
        (#Predicate { $0.nick != "x" }, [1, 3, 4, 5, 6]),
        (#Predicate { $0.nick == nil }, [4]),
        (#Predicate { $0.nick == "" }, [6]),
        (#Predicate { $0.nick?.isEmpty == true }, [6]),
        (#Predicate { ($0.nick ?? "x") == "x" }, [2, 4]),
        (#Predicate { $0.name == $0.nick ?? "" || $0.nick ?? "" == $0.name }, []),
        (#Predicate { $0.name.contains("nn") }, [1, 5]),
        (#Predicate { $0.name.lowercased() == "ann" }, [1, 2, 5]),
        (#Predicate { $0.came == day }, [1, 2, 3]),
        (#Predicate { $0.came ?? day > day }, [6]),
        (#Predicate { $0.came ?? day <= day }, [1, 2, 3, 4, 5]),
        (#Predicate { $0.paid == 1 }, [1, 2]),
        (#Predicate { $0.paid ?? 0 > 0.1 }, [1, 2, 4, 6]),
        (#Predicate { prices.contains($0.paid ?? 0) }, [1, 2, 6]),
        (#Predicate { ($0.paid ?? 0) + 1 == 2 }, [1, 2]),
    ]

    @Test func `predicates find the rows that they find in our own tables`() throws {
        let (foreign, oracle) = try contexts()
        var checked = 0
        for (predicate, ids) in Self.predicates {
            let order = [SortDescriptor(\Visitor.id)]
            for context in [foreign, oracle] {
                let found = try context.fetch(
                    FetchDescriptor(predicate: predicate, sortBy: order)
                )
                #expect(found.map(\.id) == ids, "\(predicate)")
            }
            checked += 1
        }
        #expect(checked == Self.predicates.count)
    }

    @Test func `orders, groups, distinct values and extremes are those of our own tables`() throws {
        let (foreign, oracle) = try contexts()
        let orders: [[SortDescriptor<Visitor>]] = [
            [SortDescriptor(\.name, comparator: .lexical)],
            [SortDescriptor(\.name, comparator: .lexical, order: .reverse)],
            [SortDescriptor(\.nick, comparator: .lexical), SortDescriptor(\.id, order: .reverse)],
            [SortDescriptor(\.came), SortDescriptor(\.paid, order: .reverse)],
        ]
        for order in orders {
            let descriptor = FetchDescriptor<Visitor>(sortBy: order)
            #expect(try foreign.fetch(descriptor) == oracle.fetch(descriptor))
        }
        var checked = 0
        for (mine, theirs) in zip(try answers(foreign), try answers(oracle)) {
            #expect(mine == theirs)
            checked += 1
        }
        #expect(checked == 8)
        #expect(try foreign.select(.value(\Visitor.name), distinct: true).count == 6)
        let days = try foreign.select(.value(\Visitor.came), .count())
        #expect(days.map { $0.1 } == [1, 1, 3, 1])
    }

    private func answers(_ context: ModelContext) throws -> [String] {
        let names = try context.select(.value(\Visitor.name), .count())
        let nicks = try context.select(.value(\Visitor.nick), .count(), having: .count() < 2)
        let days = try context.select(.value(\Visitor.came), .sum(\.paid))
        let prices = try context.select(.value(\Visitor.paid), .count())
        return [
            "\(names)", "\(nicks)", "\(days)", "\(prices)",
            "\(try context.select(.value(\Visitor.nick), distinct: true).map { $0 ?? "" }.sorted())",
            "\(try context.select(.value(\Visitor.came), distinct: true).count)",
            "\(try context.min(\Visitor.name) as Any) \(try context.max(\Visitor.name) as Any)",
            "\(try context.min(\Visitor.came) as Any) \(try context.max(\Visitor.paid) as Any)",
        ]
    }

    @Test func `what is equal by its bytes is found through the index of the column`() throws {
        let (foreign, _) = try contexts()
        func explain(_ predicate: Predicate<Visitor>) throws -> QueryExplanation {
            try foreign.explain(FetchDescriptor(predicate: predicate))
        }
        let equal = try explain(#Predicate { $0.name == "ann" })
        #expect(
            equal.statement.hasSuffix(#"WHERE ("name" = ?1 AND "name" COLLATE BINARY = ?1)"#)
        )
        #expect(equal.steps.first?.contains("(name=?)") == true, "\(equal)")
        #expect(equal.advice == nil)
        let names = Self.names
        let list = try explain(#Predicate { names.contains($0.name) })
        #expect(list.steps.first?.contains("(name=?)") == true, "\(list)")
        let range = try explain(#Predicate { $0.name < "b" })
        #expect(range.steps == ["goes over all rows of visitors"])
        #expect(range.advice?.hasPrefix("No index of name can serve this condition") == true)
        let day = Self.day
        let date = try explain(#Predicate { $0.came == day })
        #expect(date.statement.hasSuffix(#"WHERE (dovetail_date("came") IS ?1)"#))
        #expect(date.advice?.contains("several forms") == true)
    }

    @Test func `a table of others that compares as ours do has the same SQL`() throws {
        try database.execute(
            "CREATE TABLE visitors (id INTEGER PRIMARY KEY, name VARCHAR(9), nick TEXT "
                + "COLLATE binary, came TEXT, paid TEXT)"
        )
        let context = ModelContext(try .file(folder.file(), Visitor.self))
        let explanation = try context.explain(
            FetchDescriptor<Visitor>(predicate: #Predicate { $0.name < "b" && $0.nick == "x" })
        )
        #expect(explanation.statement.hasSuffix(#"WHERE (("name" < ?1) AND ("nick" IS ?2))"#))
        #expect(explanation.advice == "An index of name would help; whose table it is can make one")
    }

    @Test func `columns of a view are compared by bytes, whatever is behind them`() throws {
        try database.execute(
            """
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE NOT NULL,
                nick TEXT COLLATE RTRIM, came DATETIME, paid NUMERIC);
            INSERT INTO people VALUES \(Self.rows);
            CREATE VIEW visitors AS SELECT id, name, nick, came, paid * 1 AS paid FROM people;
            """
        )
        let context = ModelContext(try .file(folder.file(), Visitor.self))
        var checked = 0
        for (predicate, ids) in Self.predicates {
            let order = [SortDescriptor(\Visitor.id)]
            let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: order))
            #expect(found.map(\.id) == ids, "\(predicate)")
            checked += 1
        }
        #expect(checked == Self.predicates.count)
    }
}

extension ForeignCollationTests {
    private func badges(_ rows: String) throws -> ModelContext {
        try database.execute(
            "CREATE TABLE badges (name TEXT COLLATE NOCASE PRIMARY KEY, door INTEGER NOT NULL);"
                + "INSERT INTO badges VALUES \(rows)"
        )
        return ModelContext(try .file(folder.file(), Badge.self))
    }

    @Test func `a key is found, changed and deleted by its bytes`() throws {
        let context = try badges("('Ann', 1), ('bob', 2)")
        let fetch = { (name: String) in
            try context.fetch(FetchDescriptor<Badge>(predicate: #Predicate { $0.name == name }))
        }
        #expect(try fetch("Ann").map(\.door) == [1])
        #expect(try fetch("ann").isEmpty)
        context.update(Badge(name: "Ann", door: 7))
        context.upsert(Badge(name: "bob", door: 8))
        context.upsert(Badge(name: "cy", door: 9))
        context.delete(Badge(name: "BOB", door: 2))
        try context.save()
        let stored = try database.rows("SELECT name, door FROM badges ORDER BY door")
        #expect(stored == [["Ann", "7"], ["bob", "8"], ["cy", "9"]])
        context.delete(Badge(name: "bob", door: 8))
        try context.save()
        #expect(try database.value("SELECT count(*) FROM badges") == "2")
        context.update(Badge(name: "ANN", door: 0))
        #expect(throws: StoreError.self) { try context.save() }
        #expect(try database.value("SELECT door FROM badges WHERE name = 'Ann'") == "7")
    }

    @Test(arguments: ["insert", "upsert"])
    func `a key that only the table takes as equal violates its constraint`(verb: String) throws {
        let context = try badges("('Ann', 1)")
        let other = Badge(name: "ANN", door: 5)
        if verb == "insert" { context.insert(other) } else { context.upsert(other) }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
        #expect(error?.table == "badges")
        #expect(try database.rows("SELECT * FROM badges") == [["Ann", "1"]])
    }

    @Test func `a key of a date is found in any form, also where all columns are the key`() throws {
        try database.execute(
            """
            CREATE TABLE marks (day DATETIME NOT NULL, name TEXT COLLATE NOCASE NOT NULL,
                PRIMARY KEY (day, name));
            INSERT INTO marks VALUES ('2024-01-02', 'a'), ('2024-01-03T00:00:00Z', 'b');
            """
        )
        let context = ModelContext(try .file(folder.file(), Mark.self))
        let (first, second) = (Self.day, Self.day + 86_400)
        context.upsert(Mark(day: second, name: "c"))
        context.delete(Mark(day: first, name: "a"))
        try context.save()
        let stored = try database.rows("SELECT day, name FROM marks ORDER BY name")
        #expect(stored == [["2024-01-03T00:00:00Z", "b"], ["2024-01-03 00:00:00", "c"]])
        context.upsert(Mark(day: second, name: "C"))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
        context.rollback()
        context.upsert(Mark(day: second, name: "c"))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Mark>()) == 2)
    }

    @Test func `rows wait and are merged by the bytes of their keys`() throws {
        let context = try badges("('Ann', 1), ('bob', 2), ('Cy', 3)")
        context.upsert(Badge(name: "Bo", door: 4))
        context.delete(Badge(name: "CY", door: 3))
        context.update(Badge(name: "bob", door: 5))
        let order = [SortDescriptor(\Badge.name, comparator: .lexical)]
        let all = try context.fetch(FetchDescriptor<Badge>(sortBy: order))
        #expect(all.map(\.name) == ["Ann", "Bo", "Cy", "bob"])
        #expect(all.map(\.door) == [1, 4, 3, 5])
        #expect(try context.fetchCount(FetchDescriptor<Badge>()) == 4)
    }
}
