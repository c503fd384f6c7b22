import Dovetail
import DovetailPostgres
import DovetailStore
import PostgresTestSupport
import StoreTestSupport
import Testing

/// Upserts that go by `COPY`.
@Suite(.needsPostgres) struct MergedUpsertTests {
    private let schema: FreshSchema

    init() throws {
        schema = try FreshSchema()
    }

    @Test func `many upserts are merged from a temporary table, as one by one`() throws {
        let log = StatementLog()
        let context = ModelContext(try schema.container(Account.self) { $0.trace = log.trace() })
        let raw = try schema.connect()
        try context.insertAndSave((0..<2000).map { Account(id: $0, owner: "a", balance: $0) })
        _ = log.take()
        let before = try raw.value(
            #"SELECT sum(xmin::text::bigint) FROM "Account" WHERE id < 1000"#
        )
        // A thousand that are equal, some that differ, some that are new, and some that come twice.
        context.upsert((0..<1000).map { Account(id: $0, owner: "a", balance: $0) })
        context.upsert((1000..<1100).map { Account(id: $0, owner: "a", balance: $0, tags: ["b"]) })
        context.upsert((3000..<3100).map { Account(id: $0, owner: "x", balance: 0) })
        context.upsert((3000..<3050).map { Account(id: $0, owner: "y", balance: 1) })
        try context.save()
        #expect(log.take().map { $0.sql.prefix(4) }.contains("COPY"))
        let found = try context.accounts()
        #expect(found.count == 2100)
        #expect(found[1000..<1100].allSatisfy { $0.tags == ["b"] && $0.owner == "a" })
        #expect(found[2000..<2050].allSatisfy { $0.owner == "y" && $0.balance == 1 })
        #expect(found[2050...].allSatisfy { $0.owner == "x" })
        #expect(
            try raw.value(#"SELECT sum(xmin::text::bigint) FROM "Account" WHERE id < 1000"#)
                == before
        )
        // In blocks, and one key in two of them.
        context.upsert((0..<140_000).map { Account(id: $0 % 139_000, owner: "z", balance: $0) })
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Account>()) == 139_000)
        #expect(try context.fetch(Account.self, id: 999)?.balance == 139_999)
    }

    /// The server says so of a block when the next one is on its way.
    @Test(arguments: [WriteVerb.insert, .upsert])
    func `a row in the middle of many that is refused is named, and none is stored`(
        verb: WriteVerb
    ) throws {
        let context = ModelContext(try schema.container(Berth.self) { $0.pool.size = 1 })
        try context.insertAndSave((0..<10).map { Berth(id: $0, place: "\($0)") })
        let many = (10..<200_000).map { Berth(id: $0, place: $0 == 50_000 ? "3" : "\($0)") }
        if verb == .insert { context.insert(contentsOf: many) } else { context.upsert(many) }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
        #expect(error?.keys.first == [.integer(50_000)])
        context.rollback()
        #expect(try context.fetchCount(FetchDescriptor<Berth>()) == 10)
        try context.insertAndSave([Berth(id: 10, place: "10")])
        // What asks the server in between sees the rows before it.
        try context.transaction {
            context.insert(contentsOf: (11..<100_000).map { Berth(id: $0, place: "\($0)") })
            #expect(try context.fetchCount(FetchDescriptor<Berth>()) == 100_000)
            context.upsert([Berth(id: 11, place: "eleven")])
            try context.save()
            #expect(try context.fetch(Berth.self, id: 11)?.place == "eleven")
        }
        #expect(try context.fetchCount(FetchDescriptor<Berth>()) == 100_000)
    }

    @Test func `one of many upserts that is refused is named`() throws {
        let context = ModelContext(try schema.container(Berth.self))
        try context.insertAndSave((0..<1000).map { Berth(id: $0, place: "\($0)") })
        context.upsert((500..<1500).map { Berth(id: $0, place: $0 == 1200 ? "3" : "\($0)") })
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
        #expect(error?.keys == [[.integer(1200)], [.integer(3)]])
        context.rollback()
        #expect(try context.fetchCount(FetchDescriptor<Berth>()) == 1000)
        // All of them change places.
        context.upsert((0..<1000).map { Berth(id: $0, place: "\(999 - $0)") })
        try context.save()
        #expect(try context.fetch(Berth.self, id: 1)?.place == "998")
    }
}

extension ModelContext {
    fileprivate func accounts() throws -> [Account] {
        try fetch(FetchDescriptor<Account>(sortBy: [SortDescriptor(\.id)]))
    }
}
