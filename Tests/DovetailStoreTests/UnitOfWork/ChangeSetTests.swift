import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@testable import DovetailContext

@Model struct Deed: Identifiable, Equatable, Sendable {
    let id: Int
    var owner: String
    var closed: Date?
}

/// What waits as a value, and rows that are written only where they are what they were.
@Suite struct ChangeSetTests {
    private let folder: TemporaryFolder
    private let context: ModelContext
    private let rows = [
        Deed(id: 1, owner: "ann", closed: nil),
        Deed(id: 2, owner: "bob", closed: Date(timeIntervalSince1970: 1_577_836_800)),
    ]

    init() throws {
        folder = try TemporaryFolder()
        context = ModelContext(try .inMemory(Deed.self))
        context.insert(contentsOf: rows)
        try context.save()
    }

    private func update(_ columns: ColumnSet, _ mine: Deed, from base: Deed) throws -> RowChange {
        try RowChange(
            updating: columns,
            of: context.container.schema.entity(Deed.self),
            to: RowImage(of: mine),
            from: RowImage(of: base)
        )
    }

    @Test func `what waits is counted and gone over`() throws {
        let schema = context.container.schema
        #expect(context.changes.isEmpty)
        context.author = "eve"
        context.update(Deed(id: 1, owner: "new", closed: nil))
        context.delete(rows[1])
        context.insert(contentsOf: [3, 4].map { Deed(id: $0, owner: "", closed: nil) })
        #expect(context.changes.count == 4)
        #expect(context.changes.author == "eve")
        let changes = try context.changes.rows(of: schema)
        #expect(changes.map(\.verb) == [.update, .delete, .insert, .insert])
        #expect(changes.map(\.key) == [1, 2, 3, 4].map { [.integer($0)] })
        #expect(changes[1].mine == nil)
        try context.delete(model: Deed.self, where: #Predicate { $0.owner == "" })
        #expect(context.changes.count == nil)
        #expect(try context.changes.rows(of: schema).count == 4)
    }

    @Test func `changes are written to another store, and a second time`() throws {
        let other = try ModelContainer(for: Deed.self, configurations: MemoryConfiguration())
        context.upsert(rows)
        try context.delete(model: Deed.self, where: #Predicate { $0.owner == "bob" })
        for _ in 0..<2 {
            _ = try other.store.withConnection { try $0.apply(context.changes, of: other.schema) }
            let copied = try ModelContext(other).fetch(FetchDescriptor<Deed>())
            #expect(copied == [rows[0]])
        }
        #expect(context.hasChanges)
    }

    @Test func `a conflict ends the save, which stores nothing`() throws {
        context.insert(Deed(id: 9, owner: "nine", closed: nil))
        let change = try update(
            [1],
            Deed(id: 1, owner: "mine", closed: nil),
            from: Deed(id: 1, owner: "old", closed: nil)
        )
        context.enqueue(RowBatch(Deed.self, .update, [change]))
        // Until then the context sees it as it would be.
        #expect(try context.fetch(Deed.self, id: 1)?.owner == "mine")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .conflict)
        #expect(error?.table == "Deed")
        #expect(error?.column == "owner")
        #expect(error?.keys == [[.integer(1)]])
        #expect(error.map { "\($0)" } == "Deed.owner: the row was changed since it was read")
        #expect(try ModelContext(context.container).fetch(FetchDescriptor<Deed>()) == rows)
        #expect(context.changes.count == 2)
    }

    @Test func `the history has the columns that a change has set`() throws {
        let configuration = {
            var configuration = ModelConfiguration(url: folder.file("history"))
            configuration.history = StoreHistory()
            return configuration
        }()
        let container = try ModelContainer(for: Deed.self, configurations: configuration)
        let context = ModelContext(container)
        context.insert(rows[0])
        try context.save()
        let change = try update([1, 2], Deed(id: 1, owner: "mine", closed: nil), from: rows[0])
        let commit = try container.store.withConnection {
            let changes = ChangeSet([RowBatch(Deed.self, .update, [change])], author: "eve")
            return try $0.apply(changes, of: container.schema)
        }
        let last = try #require(try context.history(since: 1).first)
        #expect(commit.number == last.number)
        #expect(last.author == "eve")
        #expect(last.changes.map(\.changedColumns) == [["owner"]])
    }

    @Test func `a value that another program writes in another way is no conflict`() throws {
        let database = try RawDatabase(folder.file("foreign"))
        try database.execute(
            """
            CREATE TABLE Deed (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, closed TEXT);
            INSERT INTO Deed VALUES (2, 'bob', '2020-01-01T00:00:00+00:00');
            CREATE VIEW closed AS SELECT * FROM Deed;
            """
        )
        let container = try ModelContainer.file(folder.file("foreign"), Deed.self)
        let reader = ModelContext(container)
        let base = try #require(try reader.fetch(Deed.self, id: 2))
        #expect(base == rows[1])
        let change = try update([2], Deed(id: 2, owner: "bob", closed: nil), from: base)
        let commit = try container.store.withConnection {
            try $0.apply(
                ChangeSet([RowBatch(Deed.self, .update, [change])]),
                of: container.schema
            )
        }
        #expect(commit.conflicts == [])
        #expect(try reader.fetch(Deed.self, id: 2)?.closed == nil)
    }

    @Test(arguments: SeededRandom.seeds)
    func `a set of columns holds any position from 0 on`(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let columns = Set((0..<8).map { _ in generator.below(200) })
            var set = ColumnSet(columns)
            #expect(Array(set) == columns.sorted())
            #expect(set.count == columns.count)
            #expect((-1...200).allSatisfy { set.contains($0) == columns.contains($0) })
            set.insert(-1)
            #expect(set == ColumnSet(columns.shuffled(using: &generator)))
        }
        #expect(ColumnSet().isEmpty)
        #expect(ColumnSet([]) == [])
    }
}
