import Dovetail
import DovetailPostgres
import DovetailStore
import PostgresTestSupport
import StoreTestSupport
import Testing

@Model struct Account: Identifiable, Equatable, Sendable {
    #Index<Account>([\.owner])

    let id: Int
    var owner: String
    var balance: Int
    var opened: Date = Date(timeIntervalSinceReferenceDate: 0)
    var tags: [String] = []
}

@Model struct Slip: Identifiable, Equatable, Sendable {
    @Attribute(.primaryKey, .generated) var id: Int64?
    @Attribute(.references(Account.self, deleteRule: .cascade)) var account: Int
    var text: String
}

@Model(table: "old_clients") struct OldClient: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
    var joined: Date?
    var rating: Double
}

@Model(table: "client_names") struct ClientName: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
}

/// What only a server does, or does in another way.
@Suite(.needsPostgres) struct PostgresStoreTests {
    private let schema: FreshSchema

    init() throws {
        schema = try FreshSchema()
    }

    private let all = FetchDescriptor<Account>(sortBy: [SortDescriptor(\.id)])

    @Test func `tables are plain, and another container finds the rows`() throws {
        let context = ModelContext(try schema.container(Account.self, Slip.self))
        context.insert(Account(id: 1, owner: "Ann", balance: 5, tags: ["a"]))
        context.insert(Slip(id: nil, account: 1, text: "first"))
        try context.save()
        #expect(context.lastCommit.keys(of: Slip.self) == [1])
        let rows = try schema.connect().rows(
            "SELECT \"id\", \"owner\", \"balance\", \"tags\" FROM \"Account\""
        )
        #expect(rows == [["1", "Ann", "5", "[\"a\"]"]])
        let other = ModelContext(try schema.container(Account.self, Slip.self))
        #expect(try other.fetch(all).map(\.owner) == ["Ann"])
    }

    @Test func `what another program has taken away is seen when the store is opened`() throws {
        _ = try schema.container(Account.self, Slip.self)
        func explanation() -> String {
            let error = #expect(throws: StoreError.self) {
                try schema.container(Account.self, Slip.self)
            }
            #expect(error?.kind == .invalidSchema)
            return error?.explanation ?? ""
        }
        let database = try schema.connect()
        _ = try database.rows("ALTER TABLE \"Account\" RENAME COLUMN owner TO \"Owner\"")
        #expect(explanation().contains("owner: the column is not there any more"))
        _ = try database.rows("ALTER TABLE \"Slip\" RENAME TO slips")
        #expect(explanation().contains("Account.owner: the column is not there any more"))
        #expect(explanation().contains("Slip: the table is not there any more"))
        _ = try database.rows("ALTER TABLE \"Account\" RENAME COLUMN \"Owner\" TO owner")
        #expect(explanation().contains(": the table is not there any more"))
        _ = try database.rows("ALTER TABLE slips RENAME TO \"Slip\"")
        #expect(try ModelContext(schema.container(Account.self, Slip.self)).fetchCount(all) == 0)
    }

    @Test func `a hundred thousand rows are inserted, updated, upserted and deleted`() throws {
        let context = ModelContext(try schema.container(Account.self))
        var accounts = (0..<100_000).map { Account(id: $0, owner: "\($0 % 100)", balance: $0) }
        context.insert(contentsOf: accounts)
        try context.save()
        #expect(try context.fetch(all) == accounts)
        for index in accounts.indices where index % 10 == 0 { accounts[index].balance = -1 }
        context.update(stride(from: 0, to: 100_000, by: 10).map { accounts[$0] })
        context.upsert(Account(id: 100_000, owner: "new", balance: 0))
        context.delete((0..<1000).map { accounts[$0] })
        try context.save()
        let left = Array(accounts.dropFirst(1000))
        #expect(try context.fetch(all) == left + [Account(id: 100_000, owner: "new", balance: 0)])
        context.delete((0..<10).map { left[$0] })
        context.insert(contentsOf: [Account(id: -1, owner: "", balance: 0), left[20]])
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation && error?.keys == [[.integer(Int64(left[20].id))]])
        context.rollback()
        #expect(try context.fetchCount(all) == 99_001)
    }

    @Test func `many new rows go by COPY, and few in one statement of the trace`() throws {
        let log = StatementLog()
        let context = ModelContext(try schema.container(Account.self) { $0.trace = log.trace() })
        func writes(_ count: Int, from first: Int) throws -> [String] {
            _ = log.take()
            let ids = first..<first + count
            try context.insertAndSave(ids.map { Account(id: $0, owner: "", balance: 0) })
            return log.take().map(\.sql).filter { $0.hasPrefix("COPY") || $0.hasPrefix("INSERT") }
        }
        #expect(try writes(1000, from: 0).map { $0.prefix(14) } == ["COPY \"Account\""])
        #expect(try writes(10, from: 1000).map { $0.prefix(21) } == ["INSERT INTO \"Account\""])
        #expect(try context.fetchCount(all) == 1010)
    }

    /// The server has run, and prepared, what comes after a row that nothing met.
    @Test func `a save goes on after one that met no row`() throws {
        let context = ModelContext(try schema.container(Account.self) { $0.pool.size = 1 })
        context.update(Account(id: 1, owner: "Ann", balance: 0))
        context.insert(Account(id: 2, owner: "Ben", balance: 0))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .notFound)
        context.rollback()
        try context.insertAndSave([Account(id: 2, owner: "Ben", balance: 0)])
        #expect(try context.fetch(all).map(\.id) == [2])
    }

    @Test func `an empty save, an empty list and an empty fetch do nothing`() throws {
        let context = ModelContext(try schema.container(Account.self))
        try context.save()
        context.insert(contentsOf: [Account]())
        try context.save()
        #expect(try context.synchronize([Account]()).isEmpty)
        let none: [Int] = []
        let found = FetchDescriptor<Account>(predicate: #Predicate { none.contains($0.id) })
        #expect(try context.fetch(found).isEmpty)
        #expect(try context.sum(\.balance, where: #Predicate<Account> { $0.id > 0 }) == 0)
    }

    @Test func `a list with dates of the clock changes nothing the second time`() throws {
        let context = ModelContext(try schema.container(Account.self))
        let list = (0..<50).map { Account(id: $0, owner: "x", balance: 0, opened: .now) }
        try context.synchronize(list)
        try context.save()
        #expect(try context.synchronize(list).isEmpty)
        try context.save()
        #expect(try context.fetch(all).map(\.opened) == list.map(\.opened.inMicroseconds))
    }

    @Test func `saves of many contexts to the same rows lose nothing`() async throws {
        let container = try schema.container(Account.self) { $0.saveAttempts = 200 }
        try ModelContext(container).insertAndSave([Account(id: 1, owner: "", balance: 0)])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await withCheckedThrowingContinuation { continuation in
                        Thread.detachNewThread {
                            continuation.resume(
                                with: Result {
                                    let context = ModelContext(container)
                                    for step in 0..<10 {
                                        let id = 10 + number * 10 + step
                                        context.insert(Account(id: id, owner: "", balance: 1))
                                        context.upsert(Account(id: 1, owner: "", balance: id))
                                        try context.save()
                                    }
                                }
                            )
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try ModelContext(container).fetchCount(all) == 81)
    }

    @Test func `a transaction whose reading is no longer true throws, and can begin again`() throws
    {
        let container = try schema.container(Account.self)
        let first = ModelContext(container)
        try first.insertAndSave([Account(id: 1, owner: "a", balance: 1)])
        var others = 0
        func add(_ context: ModelContext) throws {
            try context.transaction {
                var account = try context.fetch(all)[0]
                if others == 0 {
                    others += 1
                    let thread = Thread {
                        let second = ModelContext(container)
                        _ = try? second.transaction {
                            var account = try second.fetch(FetchDescriptor<Account>())[0]
                            account.balance += 10
                            second.update(account)
                        }
                    }
                    thread.start()
                    while !thread.isFinished { usleep(1000) }
                }
                account.balance += 1
                context.update(account)
            }
        }
        let error = #expect(throws: StoreError.self) { try add(first) }
        #expect(error?.kind == .serializationFailure)
        try add(first)
        #expect(try first.fetch(all)[0].balance == 12)
    }

    @Test func `text with U+0000 is refused by the name of its column`() throws {
        let context = ModelContext(try schema.container(Account.self))
        context.insert(Account(id: 1, owner: "a\0b", balance: 0))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .unsupported && error?.column == "owner")
        #expect(error.map { !"\($0)".contains("a\0b") } == true)
        context.rollback()
        // In a document it is spelled.
        try context.insertAndSave([Account(id: 1, owner: "", balance: 0, tags: ["a\0b"])])
        #expect(try context.fetch(all)[0].tags == ["a\0b"])
    }

    @Test func `a key that is given moves the sequence on`() throws {
        let context = ModelContext(try schema.container(Account.self, Slip.self))
        try context.insertAndSave([Account(id: 1, owner: "", balance: 0)])
        try context.insertAndSave([Slip(id: 5, account: 1, text: "")])
        try context.insertAndSave([Slip(id: nil, account: 1, text: "")])
        #expect(context.lastCommit.keys(of: Slip.self) == [6])
    }

    @Test func `tables and views of others are read in their own types`() throws {
        try schema.connect().rows(
            """
            CREATE TABLE old_clients (
                id integer PRIMARY KEY, name varchar(40) COLLATE "und-x-icu" NOT NULL,
                joined date, rating real NOT NULL, note text
            );
            INSERT INTO old_clients VALUES (1, 'b', '2024-02-29', 1.5), (2, 'B', NULL, 2);
            CREATE VIEW client_names AS SELECT id, name FROM old_clients;
            """
        )
        let context = ModelContext(try schema.container(OldClient.self, ClientName.self))
        let leap = Date(timeIntervalSince1970: 1_709_164_800)
        let clients = FetchDescriptor<OldClient>(sortBy: [SortDescriptor(\.name)])
        #expect(
            try context.fetch(clients) == [
                OldClient(id: 2, name: "B", joined: nil, rating: 2),
                OldClient(id: 1, name: "b", joined: leap, rating: 1.5),
            ]
        )
        let found = FetchDescriptor<OldClient>(predicate: #Predicate { $0.joined == leap })
        #expect(try context.fetch(found).map(\.id) == [1])
        context.update(OldClient(id: 2, name: "C", joined: leap, rating: 3))
        context.insert(OldClient(id: 3, name: "D", joined: nil, rating: 0))
        try context.save()
        #expect(try context.fetch(FetchDescriptor<ClientName>()).count == 3)
        context.insert(ClientName(id: 9, name: ""))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .readOnly)
        // Nothing of ours was written into the schema.
        let tables = try schema.connect().rows(
            "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
        )
        #expect(tables == [["1"]])
    }

    @Test func `an address that leads nowhere is a typed error without its password`() throws {
        let addresses = [
            "postgresql://app:secret@127.0.0.1:1/shop", "postgresql://app:secret@[/shop",
            "host=127.0.0.1 port=1 password=secret dbname=shop", "password=secret nonsense",
        ]
        for address in addresses {
            let error = #expect(throws: StoreError.self, "\(address)") {
                _ = try ModelContainer(
                    for: Account.self,
                    configurations: PostgresConfiguration(address)
                )
            }
            #expect(error?.kind == .cannotOpen)
            #expect(error.map { !"\($0)".contains("secret") } == true)
        }
    }

    @Test func `SQL of one's own reads, and does not write`() throws {
        let context = ModelContext(try schema.container(Account.self))
        try context.insertAndSave([Account(id: 1, owner: "Ann", balance: 3)])
        let least = 2
        let found = try context.sql(
            "SELECT * FROM \"Account\" WHERE \"balance\" > \(least)",
            as: Account.self
        )
        #expect(found.map(\.id) == [1])
        for statement in ["DELETE FROM \"Account\" RETURNING *", "SELECT 1; SELECT 2", "BEGIN"] {
            #expect(throws: StoreError.self, "\(statement)") {
                _ = try context.sql(SQLQuery(stringLiteral: statement), as: Account.self)
            }
        }
        try context.transaction {
            _ = try context.sql("SELECT * FROM \"Account\"", as: Account.self)
            context.update(Account(id: 1, owner: "Bob", balance: 3))
        }
        #expect(try context.fetch(all).map(\.owner) == ["Bob"])
    }
}

extension ModelContext {
    func insertAndSave(_ values: [some Model & Identifiable]) throws {
        insert(contentsOf: values)
        try save()
    }
}
