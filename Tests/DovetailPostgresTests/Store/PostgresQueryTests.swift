import Dovetail
import DovetailPostgres
import DovetailStore
import PostgresTestSupport
import Testing

@testable import DovetailTesting

/// Random questions to three stores, compared with the rules and with Swift. The seed is printed, and
/// `DOVETAIL_SEED` repeats it.
@Suite(.needsPostgres) struct PostgresQueryTests {
    @Test func `predicates, orders, pages and sums mean the same on three stores`() throws {
        let schema = try FreshSchema()
        // A named seed, so that a change that has nothing to do with it never fails.
        var random = SeededRandom(seed: SeededRandom.namedSeed ?? 2)
        random.lacking = [.textWithNUL, .exactDates]
        func context(_ configuration: any DataStoreConfiguration) throws -> ModelContext {
            ModelContext(try ModelContainer(for: WideRow.self, configurations: configuration))
        }
        let comparison = StoreComparison(
            [
                ("memory", try context(MemoryConfiguration())),
                ("SQLite", try context(ModelConfiguration(isStoredInMemoryOnly: true))),
                ("PostgreSQL", try context(PostgresConfiguration(schema.connectionString))),
            ],
            random
        )
        try comparison.compareQueries(1500)
        try comparison.compareSelections(500)
        print("random queries on three stores, seed \(random.seed): \(comparison.summary)")
        #expect(comparison.questions == 2000)
    }
}
