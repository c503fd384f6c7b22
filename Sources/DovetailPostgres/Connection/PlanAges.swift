import Synchronization

/// Says when the plans of prepared statements are too old, for all connections of a store.
///
/// A server keeps the plan of a statement that has run five times
/// (https://www.postgresql.org/docs/current/sql-prepare.html). One that was made while the table had a page
/// goes over all of it for a row, and is kept until somebody analyzes the table, a minute after it has grown:
/// to update 20,000 rows by key that were just inserted into a table of 60 took 40 seconds instead of 0.4. So
/// plans are dropped when a table has taken twice as many rows from here as when that was done last.
final class PlanAges: Sendable {
    /// Fewer rows are gone over as fast as they are looked up.
    private static let fewest = 512

    private let inserted = Mutex<[String: Int]>([:])
    private let counter = Atomic<Int>(0)

    /// Which plans are young enough: those that were made since it is this. Costs a load.
    var generation: Int { counter.load(ordering: .relaxed) }

    /// Notes that a table has taken rows, whatever becomes of them.
    func add(_ count: Int, to table: String) {
        let isLarger = inserted.withLock { inserted in
            let before = inserted[table, default: 0]
            inserted[table] = before + count
            return Self.step(before + count) > Self.step(before)
        }
        if isLarger { counter.wrappingAdd(1, ordering: .relaxed) }
    }

    /// How often a count has doubled since it was the fewest.
    private static func step(_ count: Int) -> Int {
        count < fewest ? 0 : Int.bitWidth - (count / fewest).leadingZeroBitCount
    }
}
