import Dovetail
import StoreTestSupport
import Testing

@Model(table: "stock")
struct StockPart: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
    var price: Double?
}

@Model(table: "cheap_stock")
struct CheapPart: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
}

@Model(table: "doubled_stock")
struct DoubledPart: Identifiable, Equatable, Sendable {
    let id: Int
    var price: Int
    var doubled: Int
}

/// Tables and views that others have made.
@Suite struct ForeignTableTests {
    private let folder: TemporaryFolder
    private let database: RawDatabase

    init() throws {
        folder = try TemporaryFolder()
        database = try RawDatabase(folder.file())
    }

    @Test(arguments: ["STORED", "VIRTUAL"])
    func `a column that is computed is read, and not written`(_ storage: String) throws {
        try database.execute(
            """
            CREATE TABLE doubled_stock (id INTEGER PRIMARY KEY, price INTEGER NOT NULL,
                doubled INTEGER GENERATED ALWAYS AS (price * 2) \(storage));
            INSERT INTO doubled_stock (id, price) VALUES (1, 4), (2, 5);
            """
        )
        let context = ModelContext(try .file(folder.file(), DoubledPart.self))
        let found = try context.fetch(
            FetchDescriptor<DoubledPart>(predicate: #Predicate { $0.doubled == 8 })
        )
        #expect(found == [DoubledPart(id: 1, price: 4, doubled: 8)])
        context.upsert(DoubledPart(id: 1, price: 1, doubled: 2))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .readOnly)
    }

    @Test func `a table of others is read and written, and nothing of ours is added`() throws {
        try database.execute(
            """
            CREATE TABLE stock (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL, price NUMERIC,
                changed TEXT DEFAULT CURRENT_TIMESTAMP);
            CREATE UNIQUE INDEX names ON stock (name);
            INSERT INTO stock VALUES (1, 'bolt', 2, 'now');
            """
        )
        let before = try database.rows("SELECT * FROM sqlite_schema")
        do {
            let context = ModelContext(try .file(folder.file(), StockPart.self))
            context.insert(StockPart(id: 2, name: "nut", price: 0.5))
            try context.save()
            let all = FetchDescriptor<StockPart>(sortBy: [SortDescriptor(\.id)])
            #expect(
                try context.fetch(all) == [
                    StockPart(id: 1, name: "bolt", price: 2),
                    StockPart(id: 2, name: "nut", price: 0.5),
                ]
            )
            context.insert(StockPart(id: 3, name: "nut", price: nil))
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.kind == .uniqueViolation)
            #expect(error?.column == "name")
        }
        #expect(try database.rows("SELECT * FROM sqlite_schema") == before)
        #expect(try database.value("PRAGMA journal_mode") == "delete")
    }

    @Test func `a table that is named and missing is made`() throws {
        let context = ModelContext(try .file(folder.file(), StockPart.self))
        context.insert(StockPart(id: 1, name: "bolt", price: nil))
        try context.save()
        #expect(try database.value("SELECT name FROM stock") == "bolt")
        #expect(try database.value("SELECT entity FROM dovetail_schema") == "stock")
    }

    @Test func `a view is read, and every write is a typed error`() throws {
        try database.execute(
            """
            CREATE TABLE stock (id INTEGER PRIMARY KEY, name TEXT, price REAL);
            INSERT INTO stock VALUES (1, 'bolt', 2), (2, 'nut', 0.5);
            CREATE VIEW cheap_stock AS SELECT id, name FROM stock WHERE price < 1;
            """
        )
        let context = ModelContext(try .file(folder.file(), CheapPart.self))
        #expect(try context.fetch(FetchDescriptor<CheapPart>()) == [CheapPart(id: 2, name: "nut")])
        let writes: [(ModelContext) throws -> Void] = [
            { $0.insert(CheapPart(id: 3, name: "pin")) },
            { $0.upsert(CheapPart(id: 2, name: "pin")) },
            { $0.update(CheapPart(id: 2, name: "pin")) },
            { $0.delete(CheapPart(id: 2, name: "nut")) },
            { try $0.delete(model: CheapPart.self) },
        ]
        for write in writes {
            try write(context)
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.kind == .readOnly)
            #expect(error?.table == "cheap_stock")
            context.rollback()
        }
        #expect(try database.value("SELECT count(*) FROM stock") == "2")
    }

    /// Column types of others, and whether `StockPart` can use them.
    static let types: [(name: String, price: String, fits: Bool)] = [
        ("TEXT", "REAL", true), ("VARCHAR(9)", "DECIMAL(9,2)", true), ("", "", true),
        ("BLOB", "INTEGER", true), ("UUID", "DOUBLE PRECISION", true), ("INTEGER", "REAL", false),
        ("STRING", "REAL", false), ("TEXT", "TEXT", false), ("CLOB", "VARCHAR", false),
    ]

    @Test(arguments: types.indices)
    func `a column type that would change values is refused`(index: Int) throws {
        let (name, price, fits) = Self.types[index]
        try database.execute(
            "CREATE TABLE stock (id INTEGER PRIMARY KEY, name \(name), price \(price))"
        )
        if fits {
            let context = ModelContext(try .file(folder.file(), StockPart.self))
            let part = StockPart(id: 1, name: "x7", price: 2.5)
            context.insert(part)
            try context.save()
            #expect(try context.fetch(FetchDescriptor<StockPart>()) == [part])
        } else {
            let error = #expect(throws: StoreError.self) {
                try ModelContainer.file(folder.file(), StockPart.self)
            }
            #expect(error?.kind == .invalidSchema)
            #expect(error?.column == (price == "REAL" ? "name" : "price"))
        }
    }

    /// Names that no store takes.
    @Model(table: "dovetail_things") struct Reserved: Identifiable { let id: Int }
    @Model(typeName: "SQLite_things") struct ReservedBySQLite: Identifiable { let id: Int }
    @Model struct LongName: Identifiable {
        let id: Int
        @Attribute(name: "a123456789b123456789c123456789d123456789e123456789f123456789g123")
        var text: String
    }

    @Test(arguments: [Reserved.self, ReservedBySQLite.self, LongName.self] as [any Model.Type])
    func `names that are reserved or too long are refused`(model: any Model.Type) throws {
        let error = #expect(throws: StoreError.self) { try ModelContainer.inMemory(model) }
        #expect(error?.kind == .invalidSchema)
    }
}

extension ForeignTableTests {
    @Model(table: "people")
    struct Person: Identifiable, Equatable {
        let id: Int
        var born: Date?
    }

    @Test func `a day without a time is its midnight in UTC`() throws {
        let (folder, database) = try fresh()
        try database.execute(
            """
            CREATE TABLE people (id INTEGER PRIMARY KEY, born DATE);
            INSERT INTO people VALUES (1, '1815-12-10'), (2, NULL), (3, '1815-12-10 00:00:01');
            """
        )
        let context = ModelContext(try .file(folder.file(), Person.self))
        let people = try context.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.id)]))
        let midnight = Date(timeIntervalSince1970: -4_861_728_000)
        #expect(people.map(\.born) == [midnight, nil, midnight + 1])
        context.upsert(people)
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Person>()) == people)
    }

    @Test func `a column that another program takes away is named`() throws {
        let (folder, database) = try fresh()
        let context = ModelContext(try .file(folder.file(), Person.self))
        try database.execute("ALTER TABLE people RENAME COLUMN born TO birthday")
        let read = #expect(throws: StoreError.self) {
            try context.fetch(FetchDescriptor<Person>())
        }
        context.insert(Person(id: 1, born: nil))
        let write = #expect(throws: StoreError.self) { try context.save() }
        for error in [read, write] {
            #expect(error?.kind == .invalidSchema)
            #expect(error?.table == "people")
            #expect(error?.column == "born")
        }
    }

    private func fresh() throws -> (TemporaryFolder, RawDatabase) {
        let folder = try TemporaryFolder()
        return (folder, try RawDatabase(folder.file()))
    }
}
