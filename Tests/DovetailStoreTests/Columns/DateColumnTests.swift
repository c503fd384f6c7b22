import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@Suite struct DateColumnTests {
    private static let moments: [TimeInterval] = [
        0, 0.5, 0.25, 0.125, 1, -0.5, -0.25, -1, -1.5, 1e-9, 0.1, 0.100000001, 1e9, 1e9 + 0.001,
        -3e10, 2.5e11, 86_399.999, 86_400, 978_307_200.123456, -978_307_200, -978_307_200.5,
    ]

    @Test(arguments: moments)
    func `moments come back equal`(seconds: TimeInterval) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(try Cabinet.roundTrip { $0.date = date }.date == date)
    }

    @Test func `moments are text that SQLite's functions read`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 31_536_000.5)
        #expect(try Cabinet.stored("date") { $0.date = date } == "2002-01-01 00:00:00.5")
        #expect(try Cabinet.stored("strftime('%Y-%j', date)") { $0.date = date } == "2002-001")
    }

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `the order of the column is the order in time`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        let context = ModelContext(try kind.container(Cabinet.self))
        var seconds = Self.moments
        for _ in 0..<100 {
            let near = random.pick(Self.moments)
            seconds.append(near + Double.random(in: -2...2, using: &random))
            seconds.append(near.nextUp)
        }
        let dates = seconds.map { kind.kept(Date(timeIntervalSinceReferenceDate: $0)) }
        for (id, date) in dates.enumerated() {
            var cabinet = Cabinet(id)
            cabinet.date = date
            context.insert(cabinet)
        }
        try context.save()
        let sorted = try context.fetch(FetchDescriptor<Cabinet>(sortBy: [SortDescriptor(\.date)]))
        #expect(sorted.map(\.date) == dates.sorted(), "seed \(seed)")
        for date in dates.prefix(30) {
            let found = FetchDescriptor<Cabinet>(predicate: #Predicate { $0.date == date })
            #expect(try context.fetchCount(found) == dates.count { $0 == date }, "seed \(seed)")
        }
    }

    @Test func `a year that ISO 8601 has no form for is refused`() throws {
        for seconds in [-63_145_526_401, 252_423_993_600, .infinity, .nan] {
            let error = #expect(throws: ModelEncodingError.self) {
                try Cabinet.roundTrip { $0.date = Date(timeIntervalSinceReferenceDate: seconds) }
            }
            #expect(error?.kind == .notRepresentable)
        }
    }
}
