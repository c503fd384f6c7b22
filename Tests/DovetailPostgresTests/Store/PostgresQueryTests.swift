import Dovetail
import DovetailTesting
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Testing

/// Random questions to three stores, compared with the rules and with Swift. The seed is printed, and
/// `DOVETAIL_SEED` repeats it.
@Suite(.needsPostgres) struct PostgresQueryTests {
    @Model
    struct Cost: Identifiable {
        let id: Int
        var price: Decimal
    }

    @Test func `predicates, orders, pages and sums mean the same on three stores`() throws {
        // A named seed, so that a change that has nothing to do with it never fails.
        let seed = SeededRandom.namedSeed ?? 2
        let comparison = try StoreComparison(seed: seed, StoreKind.allCases)
        try comparison.compareQueries(1500)
        try comparison.compareSelections(500)
        print("random queries on three stores, seed \(seed): \(comparison.summary)")
        #expect(comparison.questions == 2000)
    }

    /// What a sum of decimals loses depends on the order of the rows, and a table of a server has none.
    @Test(arguments: StoreKind.allCases)
    func `decimals are added up in the order of the keys`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Cost.self))
        let large = try #require(Decimal(string: String(repeating: "9", count: 38)))
        for cost in [
            Cost(id: 2, price: large), Cost(id: 3, price: -large), Cost(id: 1, price: 0.01),
        ] {
            try context.insertAndSave([cost])
        }
        #expect(try context.sum(\Cost.price) == (0.01 + large) - large)
        #expect((0.01 + large) - large != 0.01)
    }
}
