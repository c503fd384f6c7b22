import Dovetail
import DovetailPostgres
import DovetailStore
import DovetailTesting
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Testing

@Model(shardedBy: \.tenant) struct Consignment: Equatable, Sendable {
    #Unique<Consignment>([\.tenant, \.label])

    @Attribute(name: "tenant_id") var tenant: Int
    @Attribute(.primaryKey) var number: UUID
    var label: String
    var weight: Double = 0
    var tags: [String] = []
}

/// One entity on two servers: PostgreSQL's own partitions by hash, of which one is a foreign table
/// (https://www.postgresql.org/docs/current/postgres-fdw.html). The program does what it does with one table.
@Suite(.needsPostgresPrograms) struct DistributedTableTests {
    private let first: PostgresServer
    private let second: PostgresServer

    init() throws {
        first = try PostgresServer()
        second = try PostgresServer()
        let columns = """
            tenant_id bigint NOT NULL, number uuid NOT NULL, label text COLLATE "C" NOT NULL,
            weight double precision NOT NULL, tags json NOT NULL
            """
        let keys = "PRIMARY KEY (tenant_id, number), UNIQUE (tenant_id, label)"
        try RawPostgres(second.connectionString).rows(
            "CREATE TABLE part_1 (\(columns), \(keys))"
        )
        try RawPostgres(first.connectionString).rows(
            """
            CREATE EXTENSION postgres_fdw;
            CREATE SERVER other FOREIGN DATA WRAPPER postgres_fdw
                OPTIONS (host '127.0.0.1', port '\(second.port)', dbname 'postgres');
            CREATE USER MAPPING FOR PUBLIC SERVER other OPTIONS (user 'postgres');
            CREATE TABLE "Consignment" (\(columns)) PARTITION BY HASH (tenant_id);
            CREATE TABLE part_0 PARTITION OF "Consignment" (\(keys))
                FOR VALUES WITH (MODULUS 2, REMAINDER 0);
            CREATE FOREIGN TABLE part_1 PARTITION OF "Consignment"
                FOR VALUES WITH (MODULUS 2, REMAINDER 1) SERVER other;
            """
        )
    }

    private func container() throws -> ModelContainer {
        try ModelContainer(
            for: Consignment.self,
            configurations: PostgresConfiguration(first.connectionString)
        )
    }

    private func number(_ number: Int) -> UUID {
        UUID(
            uuid: (
                UInt8(number & 255), 0xAB, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, UInt8(number >> 8)
            )
        )
    }

    private func consignment(_ tenant: Int, _ number: Int, weight: Double = 0) -> Consignment {
        Consignment(
            tenant: tenant,
            number: self.number(number),
            label: "\(number)",
            weight: weight
        )
    }

    private let all = FetchDescriptor<Consignment>(
        sortBy: [SortDescriptor(\.tenant), SortDescriptor(\.label)]
    )

    @Test func `rows are on both servers, and the program sees one table`() throws {
        let context = ModelContext(try container())
        let rows = (0..<10).flatMap { tenant in (100..<200).map { consignment(tenant, $0) } }
        context.insert(contentsOf: rows)
        try context.save()
        #expect(try context.fetch(all) == rows)
        let here = try RawPostgres(first.connectionString).value("SELECT count(*) FROM part_0")
        let there = try RawPostgres(second.connectionString).value("SELECT count(*) FROM part_1")
        let (own, others) = (Int(here ?? "") ?? 0, Int(there ?? "") ?? 0)
        #expect(own > 0 && others > 0)
        #expect(own + others == 1000)

        for tenant in 0..<10 {
            let key = Consignment.ID(tenant: tenant, number: number(100))
            #expect(try context.fetch(Consignment.self, id: key) == consignment(tenant, 100))
            context.update(consignment(tenant, 100, weight: 5))
            context.upsert([consignment(tenant, 101, weight: 6), consignment(tenant, 900)])
            context.delete(consignment(tenant, 102))
        }
        try context.save()
        #expect(try context.fetchCount(all) == 1000)
        #expect(try context.sum(\.weight, where: #Predicate<Consignment> { $0.tenant >= 0 }) == 110)
        let heavy = FetchDescriptor<Consignment>(predicate: #Predicate { $0.weight > 4 })
        #expect(try context.fetchCount(heavy) == 20)
        try context.delete(model: Consignment.self, where: #Predicate { $0.weight > 4 })
        try context.save()
        #expect(try context.fetchCount(all) == 980)
    }

    @Test func `what is unique is so on each server, and nothing of a save that fails is left`()
        throws
    {
        let context = ModelContext(try container())
        context.insert(contentsOf: (0..<10).map { consignment($0, 1) })
        try context.save()
        for tenant in 0..<10 {
            context.insert(contentsOf: (0..<10).map { consignment($0, 2) })
            context.insert(consignment(tenant, 1))
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.kind == .uniqueViolation, "\(String(describing: error))")
            context.rollback()
            var twin = consignment(tenant, 3)
            twin.label = "1"
            context.insert(twin)
            let other = #expect(throws: StoreError.self) { try context.save() }
            #expect(other?.kind == .uniqueViolation)
            context.rollback()
        }
        #expect(try context.fetchCount(all) == 10)
    }

    @Test func `a list is synchronized, and the second time nothing changes`() throws {
        let context = ModelContext(try container())
        var list = (0..<20).flatMap { tenant in (0..<20).map { consignment(tenant, $0) } }
        try context.synchronize(list)
        try context.save()
        #expect(try context.synchronize(list).isEmpty)
        list.removeFirst(50)
        list[0].weight = 9
        list.append(consignment(99, 99))
        try context.synchronize(list)
        try context.save()
        #expect(try context.fetchCount(all) == 351)
        #expect(try context.synchronize(list).isEmpty)
        let seed = SeededRandom.namedSeed ?? UInt64.random(in: 0 ... .max)
        print("a distributed table, seed \(seed)")
        var random = SeededRandom(seed: seed)
        var known = Dictionary(uniqueKeysWithValues: list.map { ($0.id, $0) })
        var steps = 0
        for _ in 0..<100 {
            let row = consignment(
                Int(random.next() % 8),
                Int(random.next() % 8),
                weight: Double(random.next() % 100)
            )
            switch random.next() % 3 {
            case 0: context.upsert([row]); known[row.id] = row
            case 1 where known[row.id] != nil: context.update([row]); known[row.id] = row
            default: context.delete(row); known[row.id] = nil
            }
            if random.next() % 4 == 0 { try context.save() }
            steps += 1
        }
        try context.save()
        #expect(steps == 100)
        let found = Dictionary(uniqueKeysWithValues: try context.fetch(all).map { ($0.id, $0) })
        #expect(found == known)
    }

    @Test func `a question that names the tenant asks one server`() throws {
        let context = ModelContext(try container())
        let (tenant, weight) = (4, 1.0)
        let one = FetchDescriptor<Consignment>(
            predicate: #Predicate { $0.tenant == tenant && $0.weight > weight }
        )
        let every = FetchDescriptor<Consignment>(predicate: #Predicate { $0.weight > weight })
        let (short, long) = (try context.explain(one), try context.explain(every))
        #expect(short.advice?.contains("Every server") != true)
        #expect(long.advice?.contains("does not say what tenant is") == true)
        #expect(long.steps.count > short.steps.count)
    }

    @Test func `every statement that changes a row names its tenant`() throws {
        let log = StatementLog()
        var configuration = PostgresConfiguration(first.connectionString)
        configuration.trace = log.trace()
        let container = try ModelContainer(for: Consignment.self, configurations: configuration)
        let context = ModelContext(container)
        context.insert(contentsOf: (0..<4).map { consignment($0, 1) })
        try context.save()
        _ = log.take()
        context.update(consignment(1, 1, weight: 2))
        context.upsert([consignment(2, 1, weight: 3)])
        context.delete(consignment(3, 1))
        _ = try context.fetch(Consignment.self, id: consignment(0, 1).id)
        try context.save()
        let statements = log.take().map(\.sql).filter { sql in
            ["UPDATE", "DELETE", "SELECT", "WITH"].contains { sql.hasPrefix($0) }
        }
        #expect(statements.count >= 3)
        for statement in statements {
            let conditions = statement.split(separator: " WHERE ").last ?? ""
            let all = statement.hasPrefix("WITH") ? Substring(statement) : conditions
            #expect(all.contains("\"tenant_id\" = $1"), "\(statement)")
        }
    }
}
