import Dovetail
import StoreTestSupport
import Testing

@testable import DovetailTesting

/// Sums and averages at the limits of their types.
@Suite struct SumTests {
    private func context(_ kind: StoreKind, _ rows: [WideRow]) throws -> ModelContext {
        let context = ModelContext(try kind.container(WideRow.self))
        context.insert(contentsOf: rows)
        try context.save()
        return context
    }

    private func expectOutOfRange(_ body: () throws -> Void) {
        let error = #expect(throws: StoreError.self) { try body() }
        #expect(error?.kind == .outOfRange && error?.table == "WideRow")
    }

    @Test(arguments: StoreKind.allCases)
    func `a sum may leave its type as long as it comes back`(kind: StoreKind) throws {
        let counts = [Int.max, 1, -1, .min, -5]
        let rows = counts.enumerated().map { index, count in WideRow(index) { $0.count = count } }
        let context = try context(kind, rows)
        #expect(try context.sum(\WideRow.count) == -6)
        let groups = try context.select(.value(\WideRow.flag), .sum(\.count), .count())
        #expect(groups.count == 1 && groups[0].1 == -6 && groups[0].2 == 5)
        expectOutOfRange { _ = try context.sum(\WideRow.count, where: #Predicate { $0.id < 2 }) }
        expectOutOfRange { _ = try context.sum(\WideRow.count, where: #Predicate { $0.id > 2 }) }
    }

    @Test(arguments: StoreKind.allCases)
    func `a sum that its type cannot hold is an error`(kind: StoreKind) throws {
        let rows = [
            WideRow(1) {
                $0.small = 100; $0.ratio = .infinity; $0.unsigned = .max
            },
            WideRow(2) {
                $0.small = 100; $0.ratio = -.infinity; $0.unsigned = 1
            },
            WideRow(3) { $0.ratio = 5 },
        ]
        let context = try context(kind, rows)
        expectOutOfRange { _ = try context.sum(\WideRow.small) }
        expectOutOfRange { _ = try context.sum(\WideRow.unsigned) }
        expectOutOfRange { _ = try context.sum(\WideRow.ratio) }
        expectOutOfRange { _ = try context.average(\WideRow.ratio) }
        #expect(try context.sum(\WideRow.ratio, where: #Predicate { $0.id != 2 }) == .infinity)
        #expect(try context.average(\WideRow.small) == 200.0 / 3)
        #expect(try context.sum(\WideRow.ratio, where: #Predicate { $0.id > 3 }) == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `averages of decimals are decimals`(kind: StoreKind) throws {
        let tiny = Decimal(sign: .plus, exponent: -127, significand: 1)
        let rows = [
            WideRow(1) {
                $0.price = tiny; $0.optPrice = 1.5
            }, WideRow(2), WideRow(3),
            WideRow(4) { $0.optPrice = 2 },
        ]
        let context = try context(kind, rows)
        #expect(try context.average(\WideRow.optPrice) == Decimal(string: "1.75"))
        #expect(try context.average(\WideRow.price, where: #Predicate { $0.id == 1 }) == tiny)
        let half = Decimal(sign: .plus, exponent: -128, significand: 5)
        #expect(try context.average(\WideRow.price, where: #Predicate { $0.id < 3 }) == half)
        #expect(try context.average(\WideRow.optPrice, where: #Predicate { $0.id == 2 }) == nil)
    }
}
