import Dovetail
import DovetailPostgres
import DovetailStore
import DovetailTesting
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Testing

@Model(table: "rounded_bills") final class RoundedBill {
    @Attribute(.primaryKey) var id: Int
    var total: Decimal
    var thousands: Decimal
    var due: Date
    var sent: Date
    var local: Date
    var weight: Double
    var code: String

    init(_ row: RoundedRow) {
        (id, total, thousands, due) = (row.id, row.total, row.thousands, row.due)
        (sent, local, weight, code) = (row.sent, row.local, row.weight, row.code)
    }
}

@Model(typeName: "RoundedRow", table: "rounded_bills")
struct RoundedRow: Identifiable, Equatable, Sendable {
    let id: Int
    var total: Decimal
    var thousands: Decimal
    var due: Date
    var sent: Date
    var local: Date
    var weight: Double
    var code: String
}

/// Columns of tables of others that round what they are given.
@Suite(.needsPostgres) struct RoundedColumnTests {
    private let schema: FreshSchema

    init() throws {
        schema = try FreshSchema()
        try schema.connect().rows(
            """
            CREATE TABLE rounded_bills (
                id int PRIMARY KEY, total numeric(12, 2) NOT NULL, thousands numeric(12, -3) NOT NULL,
                due date NOT NULL, sent timestamptz(3) NOT NULL, local timestamp(0) NOT NULL,
                weight real NOT NULL, code char(4) NOT NULL)
            """
        )
    }

    private func row(_ id: Int, _ random: inout SeededRandom) -> RoundedRow {
        // Halves of what is kept are in between, on both sides of nothing and of the year 2000.
        func date(_ unit: Double) -> Date {
            let count = Double(Int.random(in: -2_000_000...2_000_000, using: &random))
            return Date(timeIntervalSinceReferenceDate: count * unit / 2 - 31_622_400)
        }
        return RoundedRow(
            id: id,
            total: Decimal(Int.random(in: -99_999...99_999, using: &random)) / 2000,
            thousands: Decimal(Int.random(in: -99_999...99_999, using: &random)) * 500,
            due: date(3600),
            sent: date(0.001),
            local: date(1),
            weight: Double.random(in: -1e6...1e6, using: &random),
            code: ["", "a", "ab  ", " b "].randomElement(using: &random) ?? ""
        )
    }

    private func rounded(_ row: RoundedRow) -> RoundedRow {
        var row = row
        row.total = ColumnRounding.decimals(digits: 2).stored(row.total)
        row.thousands = ColumnRounding.decimals(digits: -3).stored(row.thousands)
        row.due = ColumnRounding.days.stored(row.due)
        row.sent = ColumnRounding.dates(digits: 3).stored(row.sent)
        row.local = ColumnRounding.dates(digits: 0).stored(row.local)
        row.weight = ColumnRounding.singles.stored(row.weight)
        row.code = String(row.code.reversed().drop { $0 == " " }.reversed())
        return row
    }

    @Test(arguments: SeededRandom.seeds)
    func `what is rounded is known, and saved again without a conflict`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let rows = (0..<400).map { row($0, &random) }
        let context = ModelContext(try schema.container(RoundedBill.self))
        let bills = rows.map(RoundedBill.init)
        for bill in bills { context.insert(bill) }
        try context.save()
        func stored() throws -> [RoundedRow] {
            let context = ModelContext(try schema.container(RoundedRow.self))
            return try context.fetch(FetchDescriptor<RoundedRow>(sortBy: [SortDescriptor(\.id)]))
        }
        #expect(try stored() == rows.map(rounded))
        // The objects have what they were given, and the rows have what became of it.
        let others = (0..<400).map { row($0, &random) }
        for (bill, row) in zip(bills, others) {
            switch bill.id % 8 {
            case 0: bill.total = row.total
            case 1: bill.thousands = row.thousands
            case 2: bill.due = row.due
            case 3: bill.sent = row.sent
            case 4: bill.local = row.local
            case 5: bill.weight = row.weight
            case 6: bill.code = row.code
            default: (bill.total, bill.sent, bill.code) = (row.total, row.sent, row.code)
            }
        }
        try context.save()
        let now = bills.map { bill in
            RoundedRow(
                id: bill.id,
                total: bill.total,
                thousands: bill.thousands,
                due: bill.due,
                sent: bill.sent,
                local: bill.local,
                weight: bill.weight,
                code: bill.code
            )
        }
        #expect(try stored() == now.map(rounded))
        // What somebody else has set is a conflict, as ever.
        try schema.connect().rows("UPDATE rounded_bills SET total = total + 1 WHERE id = 0")
        bills[0].total = 7
        #expect(throws: ConflictError.self) { try context.save() }
    }

    @Test func `a list that is synchronized twice changes nothing`() throws {
        var random = SeededRandom(seed: 26)
        let rows = (0..<100).map { row($0, &random) }
        let context = ModelContext(try schema.container(RoundedRow.self))
        try context.synchronize(rows)
        try context.save()
        for _ in 0..<2 {
            let again = try context.plan(rows)
            #expect(again.isEmpty, "\(again)")
            try context.synchronize(rows)
            #expect(!context.hasChanges)
        }
        var changed = rows
        changed[3].total += 1
        #expect(try context.plan(changed).updated.count == 1)
    }

    @Test func `text that is too long is refused as the table's rule`() throws {
        var random = SeededRandom(seed: 26)
        let context = ModelContext(try schema.container(RoundedRow.self))
        var row = row(1, &random)
        row.code = "abcde"
        context.insert(row)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .constraintViolation)
        #expect(error.map { "\($0)".contains("longer than its column allows") } == true)
    }
}
