import Dovetail
import StoreTestSupport
import Testing

@testable import DovetailTesting

/// Random queries to the memory store and to SQLite, compared with the rules and with Swift. Each is put
/// to about twenty rows, so that the suite compares more than 100,000 rows; `Scripts/soak queries` asks
/// a million questions.
@Suite struct RandomQueryTests {
    @Test(arguments: SeededRandom.seeds)
    func `predicates, orders and pages mean the same everywhere`(seed: UInt64) throws {
        let number = Soak.count(3000, soak: 30_000)
        let comparison = try StoreComparison(seed: seed, StoreKind.embedded)
        try comparison.compareQueries(number)
        let count = comparison.count
        print("random queries, seed \(seed): \(comparison.summary)")
        #expect(count.questions == number)
        // What no rule explains is put to Swift, which is most of it.
        #expect(count.rows > 10 * number)
        #expect(count.inSwift > count.rows / 10 * 8)
        #expect(count.undecided < number / 10)
        #expect(Set(count.rules.keys) == Set(TermRun.Rule.allCases))
    }

    @Test(arguments: SeededRandom.seeds)
    func `sums, groups and distinct values mean the same everywhere`(seed: UInt64) throws {
        let number = Soak.count(1000, soak: 10_000)
        let comparison = try StoreComparison(seed: seed, StoreKind.embedded)
        try comparison.compareSelections(number)
        #expect(comparison.questions == number)
        #expect(comparison.count.errors > 0)
    }

    /// Texts of this length are asked about by themselves, since folding one takes a while.
    @Test(arguments: StoreKind.allCases)
    func `text of 100,000 letters`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(WideRow.self))
        let long = String(repeating: "aé\u{301}😀b", count: 20_000)
        let other = long + "c"
        context.insert(
            WideRow(1) {
                $0.name = long; $0.detail.name = other
            }
        )
        context.insert(
            WideRow(2) {
                $0.name = other; $0.optName = long
            }
        )
        try context.save()
        func ids(_ predicate: Predicate<WideRow>) throws -> [Int] {
            try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.id)]))
                .map(\.id)
        }
        #expect(try ids(#Predicate { $0.name == long }) == [1])
        #expect(try ids(#Predicate { $0.name > long }) == [2])
        #expect(try ids(#Predicate { $0.name.starts(with: long) }) == [1, 2])
        #expect(try ids(#Predicate { $0.name.hasSuffix("bc") }) == [2])
        #expect(try ids(#Predicate { $0.name.localizedStandardContains("BC") }) == [2])
        #expect(try ids(#Predicate { $0.detail.name == other }) == [1])
        #expect(try ids(#Predicate { $0.name.count == 80_000 }) == [1])
        #expect(try ids(#Predicate { $0.optName == long }) == [2])
    }
}
