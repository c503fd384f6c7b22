import Dovetail
import DovetailPostgres
import DovetailStore
import PostgresTestSupport
import StoreTestSupport
import Testing

/// Rows that are gone over one by one: memory holds some of them at a time.
@Suite(.needsPostgres) struct StreamTests {
    @Model
    struct Leaf: Identifiable, Equatable {
        let id: Int
        var name: String
    }

    private let schema: FreshSchema
    private let log = StatementLog()

    init() throws {
        schema = try FreshSchema()
    }

    private static func leaves(_ count: Int) -> [Leaf] {
        (0..<count).map { Leaf(id: $0, name: "leaf \($0)") }
    }

    /// A container with rows, whose statements are logged from here on.
    private func container(_ count: Int, size: Int = 2) throws -> ModelContainer {
        let container = try schema.container(Leaf.self) {
            $0.pool.size = size
            $0.trace = log.trace()
        }
        try ModelContext(container).insertAndSave(Self.leaves(count))
        _ = log.take()
        return container
    }

    @Test func `an enumeration asks for some rows at a time`() throws {
        let context = ModelContext(try container(20_000))
        var seen: [Leaf] = []
        let sorted = FetchDescriptor<Leaf>(sortBy: [SortDescriptor(\.id)])
        try context.enumerate(sorted) { seen.append($0) }
        #expect(seen == Self.leaves(20_000))
        let parts = log.take().filter { $0.rows > 0 }
        #expect(parts.map(\.rows).reduce(0, +) == 20_000)
        #expect(parts.allSatisfy { $0.rows <= 8192 }, "\(parts)")
        #expect(parts.count > 2)
    }

    @Test func `what is left early costs what was read`() throws {
        struct Stop: Error {}
        let context = ModelContext(try container(20_000, size: 1))
        for _ in 0..<3 {
            #expect(throws: Stop.self) {
                try context.enumerate(FetchDescriptor<Leaf>(), batchSize: 10) { _ in throw Stop() }
            }
            #expect(log.take().map(\.rows).reduce(0, +) == 256)
        }
        // The only connection is as it was.
        context.insert(Leaf(id: -1, name: "new"))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Leaf>()) == 20_001)
    }

    /// Whoever reads a row by its key inside gets a second connection once, not one each time.
    @Test func `reads by key inside of an enumeration`() throws {
        let context = ModelContext(try container(3000, size: 1))
        var sum = 0
        var servers: Set<Int> = []
        try context.enumerate(FetchDescriptor<Leaf>()) { leaf in
            sum += try #require(try context.fetch(Leaf.self, id: 2999 - leaf.id)).id
            guard leaf.id % 100 == 0 else { return }
            let sql: SQLQuery = "SELECT pg_backend_pid()::bigint AS id, '' AS name"
            servers.formUnion(try context.sql(sql, as: Leaf.self).map(\.id))
        }
        #expect(sum == 2999 * 3000 / 2)
        #expect(servers.count == 1)
        let reads = log.take().filter { $0.sql.contains("WHERE") }
        #expect(reads.count == 3000)
    }

    @Test func `a stream inside of a transaction sees the rows as they were`() throws {
        let container = try self.container(20_000)
        let context = ModelContext(container)
        try context.transaction {
            var count = 0
            try context.withRows(of: FetchDescriptor<Leaf>()) { cursor, _ in
                while try cursor.next() { count += 1 }
            }
            #expect(count == 20_000)
            try context.delete(model: Leaf.self, where: #Predicate { $0.id >= 10 })
            try context.save()
            count = 0
            try context.enumerate(FetchDescriptor<Leaf>()) { _ in count += 1 }
            #expect(count == 10)
        }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Leaf>()) == 10)
    }

    @Test func `two streams of one thread`() throws {
        let context = ModelContext(try container(2000, size: 1))
        let sorted = FetchDescriptor<Leaf>(sortBy: [SortDescriptor(\.id)])
        var pairs = 0
        try context.withRows(of: sorted) { outer, _ in
            try context.withRows(of: sorted) { inner, _ in
                while try outer.next(), try inner.next() {
                    #expect(outer.integer(0) == inner.integer(0))
                    pairs += 1
                }
            }
            #expect(try !outer.next())
        }
        #expect(pairs == 2000)
    }

    /// A statement that was refused leaves the connection as it was.
    @Test func `a stream that the server refuses`() throws {
        let context = ModelContext(try container(10, size: 1))
        try schema.connect().rows("ALTER TABLE \"Leaf\" RENAME TO \"Gone\"")
        for _ in 0..<3 {
            #expect(throws: StoreError.self) {
                try context.enumerate(FetchDescriptor<Leaf>()) { _ in }
            }
        }
        try schema.connect().rows("ALTER TABLE \"Gone\" RENAME TO \"Leaf\"")
        #expect(try context.fetch(FetchDescriptor<Leaf>()).count == 10)
        var count = 0
        try context.enumerate(FetchDescriptor<Leaf>()) { _ in count += 1 }
        #expect(count == 10)
    }
}
