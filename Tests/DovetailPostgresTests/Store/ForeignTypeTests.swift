import Dovetail
import DovetailPostgres
import DovetailStore
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Testing

@Model(table: "far_days") struct FarDay: Identifiable, Equatable, Sendable {
    let id: Int
    var day: Date
    var moment: Date
}

@Model(table: "old_parts") struct OldPart: Identifiable, Equatable, Sendable {
    let id: String
    var weight: Float
    var note: String
}

@Model(table: "old_gauges") final class OldGauge {
    @Attribute(.primaryKey) var id: Int
    var level: Float

    init(id: Int, level: Float) { (self.id, self.level) = (id, level) }
}

@Model(table: "strict_rows") struct StrictRow: Identifiable, Equatable, Sendable {
    @Attribute(.primaryKey, .generated) var id: Int64?
    var name: String
}

@Model(table: "computed_rows") struct ComputedRow: Identifiable, Equatable, Sendable {
    let id: Int
    var doubled: Int
}

@Model(table: "ranks") struct Rank: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.unique) var place: Int
    @Attribute(.unique) var small: Int
    @Attribute(.unique) var code: String
    @Attribute(.unique) var price: Decimal
    @Attribute(.unique) var day: Date
    @Attribute(.unique) var level: Float
}

@Model struct WholeTotal { var total: Int }
@Model struct RealTotal { var total: Double }
@Model struct DecimalTotal { var total: Decimal }

/// Types of columns that Dovetail does not make itself.
@Suite(.needsPostgres) struct ForeignTypeTests {
    private let schema: FreshSchema

    init() throws {
        schema = try FreshSchema()
    }

    @Test(arguments: ["infinity", "-infinity", "5874897-12-31", "4713-01-01 BC"])
    func `days that no date holds are read as the nearest one`(day: String) throws {
        let moment = day.hasSuffix("infinity") ? day : "2024-01-01"
        try schema.connect().rows(
            """
            CREATE TABLE far_days (id int PRIMARY KEY, day date NOT NULL, moment timestamptz NOT NULL);
            INSERT INTO far_days VALUES (1, '\(day)', '\(moment)');
            """
        )
        let context = ModelContext(try schema.container(FarDay.self))
        let row = try #require(try context.fetch(FarDay.self, id: 1))
        switch day {
        case "infinity": #expect(row.day == .distantFuture && row.moment == .distantFuture)
        case "-infinity": #expect(row.day == .distantPast && row.moment == .distantPast)
        case "5874897-12-31": #expect(row.day > .distantFuture)
        default: #expect(row.day < .distantPast)
        }
        context.update(FarDay(id: 1, day: row.moment, moment: row.moment))
        try context.save()
    }

    @Test func `padded text and short numbers are found as what they are read as`() throws {
        try schema.connect().rows(
            """
            CREATE TABLE old_parts (id char(6) PRIMARY KEY, weight real NOT NULL, note char(5) NOT NULL);
            INSERT INTO old_parts VALUES ('ab', 0.1, 'x'), ('abc', 16777216, 'a b'), ('', -1.5, '');
            """
        )
        let context = ModelContext(try schema.container(OldPart.self))
        let parts = try context.fetch(FetchDescriptor<OldPart>())
        #expect(Set(parts.map(\.id)) == ["ab", "abc", ""])
        #expect(Set(parts.map(\.note)) == ["x", "a b", ""])
        for part in parts {
            #expect(try context.fetch(OldPart.self, id: part.id) == part)
            let (weight, note) = (part.weight, part.note)
            let same = FetchDescriptor<OldPart>(
                predicate: #Predicate { $0.weight == weight && $0.note == note }
            )
            #expect(try context.fetch(same) == [part])
            let other = FetchDescriptor<OldPart>(
                predicate: #Predicate {
                    ($0.weight > weight || $0.weight < weight) && $0.note == note
                }
            )
            #expect(try context.fetch(other).isEmpty)
            context.update(OldPart(id: part.id, weight: weight + 1, note: note))
        }
        try context.save()
        for part in try context.fetch(FetchDescriptor<OldPart>()) { context.delete(part) }
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<OldPart>()) == 0)
    }

    @Test func `an object with a short number is changed and deleted`() throws {
        try schema.connect().rows(
            """
            CREATE TABLE old_gauges (id int PRIMARY KEY, level real NOT NULL);
            INSERT INTO old_gauges VALUES (1, 0.1), (2, 0.3);
            """
        )
        let context = ModelContext(try schema.container(OldGauge.self))
        for gauge in try context.fetch(FetchDescriptor<OldGauge>()) { gauge.level += 0.7 }
        try context.save()
        let later = ModelContext(context.container)
        for gauge in try later.fetch(FetchDescriptor<OldGauge>()) {
            gauge.level += 1
            if gauge.id == 1 { later.delete(gauge) }
        }
        try later.save()
        #expect(try later.fetch(FetchDescriptor<OldGauge>()).map(\.id) == [2])
    }

    @Test func `a key that the database alone gives is given, and taken where the program has one`()
        throws
    {
        try schema.connect().rows(
            """
            CREATE TABLE strict_rows (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL);
            CREATE TABLE computed_rows (id int PRIMARY KEY, doubled int GENERATED ALWAYS AS (id * 2) STORED);
            INSERT INTO computed_rows VALUES (4);
            """
        )
        let context = ModelContext(try schema.container(StrictRow.self, ComputedRow.self))
        context.insert(StrictRow(id: nil, name: "one"))
        try context.save()
        context.insert(StrictRow(id: 7, name: "seven"))
        try context.save()
        for number in 0..<200 { context.insert(StrictRow(id: nil, name: "\(number)")) }
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<StrictRow>()) == 202)
        #expect(try context.fetch(StrictRow.self, id: 8)?.name == "0")
        #expect(try context.fetch(FetchDescriptor<ComputedRow>()).map(\.doubled) == [8])
        context.insert(ComputedRow(id: 5, doubled: 10))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .readOnly)
        #expect(error.map { "\($0)".contains("alone gives a column") } == true)
    }

    @Test func `unique values of narrow types change places, in one statement`() throws {
        try schema.connect().rows(
            """
            CREATE TABLE ranks (id int PRIMARY KEY, place int UNIQUE NOT NULL, small smallint UNIQUE NOT NULL,
                code varchar(5) UNIQUE NOT NULL, price numeric(6, 2) UNIQUE NOT NULL, day date UNIQUE NOT NULL,
                level real UNIQUE NOT NULL);
            """
        )
        let log = StatementLog()
        let context = ModelContext(try schema.container(Rank.self) { $0.trace = log.trace() })
        let start = Date(timeIntervalSince1970: 1_700_006_400)
        func rank(_ id: Int, _ place: Int) -> Rank {
            Rank(
                id: id,
                place: place,
                small: place,
                code: "c\(place)",
                price: Decimal(place) / 4,
                day: start.addingTimeInterval(Double(place) * 86_400),
                level: Float(place) / 8
            )
        }
        let count = 300
        context.insert(contentsOf: (0..<count).map { rank($0, $0) })
        try context.save()
        _ = log.take()
        context.update((0..<count).map { rank($0, ($0 + 1) % count) })
        try context.save()
        let parking = log.take().filter { $0.sql.contains("dovetail_number") }
        #expect(parking.count == 1)
        let stored = try context.fetch(FetchDescriptor<Rank>(sortBy: [SortDescriptor(\.id)]))
        #expect(stored == (0..<count).map { rank($0, ($0 + 1) % count) })
    }

    @Test func `numbers that the server computes are read as any type that holds them`() throws {
        let context = ModelContext(try schema.container(Account.self))
        context.insert(contentsOf: [
            Account(id: 1, owner: "", balance: 1), Account(id: 2, owner: "", balance: 2),
            Account(id: 3, owner: "", balance: -4),
        ])
        try context.save()
        let sum: SQLQuery = "SELECT sum(\"balance\") AS total FROM \"Account\""
        #expect(try context.sql(sum, as: WholeTotal.self).map(\.total) == [-1])
        #expect(try context.sql(sum, as: RealTotal.self).map(\.total) == [-1])
        #expect(try context.sql(sum, as: DecimalTotal.self).map(\.total) == [-1])
        let average: SQLQuery = "SELECT avg(\"balance\") AS total FROM \"Account\""
        #expect(try context.sql(average, as: RealTotal.self).map(\.total) == [-1.0 / 3])
        #expect(throws: ModelDecodingError.self) {
            _ = try context.sql(average, as: WholeTotal.self)
        }
        let year: SQLQuery = "SELECT extract(year FROM date '2024-02-29') AS total"
        #expect(try context.sql(year, as: WholeTotal.self).map(\.total) == [2024])
    }

    /// A plan that was made for a table of few rows goes over all rows of a large one.
    @Test func `plans are made anew when a table has grown`() throws {
        let log = StatementLog()
        let context = ModelContext(try schema.container(Account.self) { $0.trace = log.trace() })
        func drops() -> Int { log.take().count { $0.sql.contains("DISCARD PLANS") } }
        context.insert(contentsOf: (0..<60).map { Account(id: -$0 - 1, owner: "", balance: 0) })
        try context.save()
        try schema.connect().rows("ANALYZE \"Account\"")
        for id in 1...10 { _ = try context.fetch(Account.self, id: -id) }
        #expect(drops() == 0)
        context.insert(contentsOf: (0..<5000).map { Account(id: $0, owner: "", balance: 0) })
        try context.save()
        for id in 1...10 { _ = try context.fetch(Account.self, id: id) }
        #expect(drops() >= 1)
        for id in 1...10 { _ = try context.fetch(Account.self, id: id) }
        #expect(drops() == 0)
        try context.transaction {
            context.insert(
                contentsOf: (0..<20_000).map { Account(id: 9000 + $0, owner: "", balance: 0) }
            )
            try context.save()
            #expect(try context.fetch(Account.self, id: 9001)?.id == 9001)
        }
        #expect(drops() >= 1)
        #expect(try context.fetchCount(all) == 25_060)
    }

    private let all = FetchDescriptor<Account>()
}
