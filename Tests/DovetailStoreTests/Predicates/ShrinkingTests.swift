import Dovetail
import Testing

@testable import DovetailTesting

/// A random case that fails is made small, and is printed as Swift.
@Suite struct ShrinkingTests {
    /// A store that is wrong about one thing.
    private func failure(_ fault: StoreFault, seed: UInt64) throws -> StoreComparison.Failure {
        let container = try ModelContainer(
            for: [WideRow.self],
            configuration: BrokenConfiguration(fault: fault)
        )
        let comparison = StoreComparison(
            [("broken", ModelContext(container))],
            SeededRandom(seed: seed)
        )
        let failure = #expect(throws: StoreComparison.Failure.self) {
            try comparison.compareQueries(2000)
        }
        return try #require(failure)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `what a wrong store is asked becomes small`(seed: UInt64) throws {
        let limit = try failure(.ignoresLimit, seed: seed)
        #expect(limit.source.components(separatedBy: "WideRow(").count == 2)
        #expect(limit.source.contains("let predicate: Predicate<WideRow>? = nil\n"))
        #expect(limit.source.contains("query.fetchLimit = 0"))
        #expect(!limit.source.contains("fetchOffset ="))
        #expect("\(limit)".contains("DOVETAIL_SEED=\(seed)"))

        let null = try failure(.takesNullAsFalse, seed: seed)
        #expect(null.source.components(separatedBy: "WideRow(").count == 2)
        #expect(null.source.count < 400, "\(null.source)")
        #expect(null.found.contains("broken gives"))
    }

    /// An oracle that is wrong about text which is longer than one letter.
    @Test func `rows and values become small`() throws {
        var maker = TermMaker(SeededRandom(seed: 5))
        let rows = (0..<40).map { WideRow.random($0, using: &maker.random) }
        let first = RandomCase(rows: rows, question: RandomQuery(using: &maker))
        var calls = 0
        let smallest = first.shrunk { candidate in
            calls += 1
            return candidate.rows.contains { $0.name.unicodeScalars.count > 1 && $0.count < 0 }
        }
        let row = try #require(smallest.rows.first)
        #expect(smallest.rows.count == 1)
        #expect(row.name.unicodeScalars.count == 2)
        #expect(
            row
                == WideRow(row.id) {
                    $0.name = row.name; $0.count = row.count
                }
        )
        #expect(smallest.question.filter == nil && smallest.question.order.isEmpty)
        #expect(calls < 1000)
    }

    /// What was printed, compiled.
    @Test func `a case is printed as Swift`() throws {
        let row = WideRow(7) {
            $0.name = "e\u{301}\0\""; $0.price = -1.5; $0.optCount = .min; $0.tags = ["a"]
        }
        #expect(
            row.source == #"""
                WideRow(7) { $0.price = Decimal(sign: .minus, exponent: -1, significand: \#
                Decimal(string: "15")!); $0.name = "e\u{301}\u{0}\""; $0.tags = ["a"]; \#
                $0.optCount = Int.min }
                """#
        )
        let printed = WideRow(7) {
            $0.price = Decimal(sign: .minus, exponent: -1, significand: Decimal(string: "15")!)
            $0.name = "e\u{301}\u{0}\""
            $0.tags = ["a"]
            $0.optCount = Int.min
        }
        #expect(printed == row)
        var maker = TermMaker(SeededRandom(seed: 8))
        let list = maker.filtered(Int.self, 0)
        #expect(list.source(TermSource()).hasPrefix("row.numbers.filter { value1 in "))
        let term = Term.and(
            .comparison(.less, .column(.init(\.count, "count")), .constant(3)),
            .evaluated(.isNil(.column(.init(\.optName, "optName"))))
        )
        #expect(
            term.predicateSource() == """
                let other1: Predicate<WideRow> = #Predicate<WideRow> { row in (row.optName == nil) }
                #Predicate<WideRow> { row in ((row.count < 3) && other1.evaluate(row)) }
                """
        )
        let other1: Predicate<WideRow> = #Predicate<WideRow> { row in (row.optName == nil) }
        let predicate = #Predicate<WideRow> { row in ((row.count < 3) && other1.evaluate(row)) }
        for row in [row, WideRow(1), WideRow(2) { $0.count = 9 }] {
            #expect(try predicate.evaluate(row) == term.predicate.evaluate(row))
        }
    }
}
