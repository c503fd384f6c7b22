import CSQLite
import DovetailModel
import DovetailStore
import Foundation

/// The aggregates that SQLite has not: sums and averages of decimals, and sums of whole numbers that are
/// right whatever the order of the rows is.
enum SQLiteSums {
    /// What is known of a group of decimals. SQLite's memory begins as zeros, which are no `Decimal`
    /// that was made: `count` tells whether there is one.
    private struct Decimals {
        var count: Int
        var sum: Decimal
    }

    private typealias Step =
        @convention(c) (
            OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Void
    private typealias End = @convention(c) (OpaquePointer?) -> Void

    /// Adds the functions to a connection that was just opened.
    static func register(on connection: SQLiteConnection) {
        func add(_ name: String, _ step: @escaping Step, _ end: @escaping End) {
            sqlite3_create_function_v2(
                connection.handle,
                name,
                1,
                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
                nil,
                nil,
                step,
                end,
                nil
            )
        }
        let decimals: Step = { context, _, values in SQLiteSums.addDecimal(context, values) }
        add("dovetail_sum", decimals) { SQLiteSums.finish($0, isAverage: false) }
        add("dovetail_average", decimals) { SQLiteSums.finish($0, isAverage: true) }
        add("dovetail_whole_sum", { context, _, values in SQLiteSums.addWhole(context, values) }) {
            SQLiteSums.finishWhole($0)
        }
        sqlite3_create_function_v2(
            connection.handle,
            "dovetail_no_sum",
            0,
            SQLITE_UTF8 | SQLITE_DIRECTONLY,
            nil,
            { context, _, _ in SQLiteSums.fail(context) },
            nil,
            nil,
            nil
        )
    }

    /// Ends the statement with the error of SQLite's own `sum`, of which `StoreError` knows what it is.
    private static func fail(_ context: OpaquePointer?) {
        sqlite3_result_error(context, StoreError.sumOverflow, -1)
    }

    // Invariant of what follows: SQLite gives the same zeroed memory, aligned to 8 bytes, for all rows
    // of a group (https://sqlite.org/c3ref/aggregate_context.html). With a size of 0 it gives nil where
    // no row had a number.

    private static func addDecimal(
        _ context: OpaquePointer?,
        _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let values, let number = RowCell(sqlite: values[0]).decimal,
            let memory = sqlite3_aggregate_context(context, Int32(MemoryLayout<Decimals>.size))
        else { return }
        let state = memory.assumingMemoryBound(to: Decimals.self)
        if state.pointee.count == 0 {
            state.initialize(to: Decimals(count: 1, sum: number))
        } else {
            state.pointee.count += 1
            state.pointee.sum += number
        }
    }

    private static func finish(_ context: OpaquePointer?, isAverage: Bool) {
        guard let memory = sqlite3_aggregate_context(context, 0) else {
            if isAverage { return sqlite3_result_null(context) }
            return SQLiteFunctions.give("0", context)
        }
        let state = memory.assumingMemoryBound(to: Decimals.self).pointee
        let value = isAverage ? state.sum.average(of: state.count) : state.sum
        if value.isNaN { fail(context) } else { SQLiteFunctions.give(value.description, context) }
    }

    /// A sum of 128 bits in two halves, since the memory may not be aligned to 16 bytes.
    private struct Whole {
        var high: Int64
        var low: UInt64
    }

    private static func addWhole(
        _ context: OpaquePointer?,
        _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let values, let number = RowCell(sqlite: values[0]).integer,
            let memory = sqlite3_aggregate_context(context, Int32(MemoryLayout<Whole>.size))
        else { return }
        let state = memory.assumingMemoryBound(to: Whole.self)
        let sum = value(of: state.pointee) + Int128(number)
        state.pointee = Whole(
            high: Int64(truncatingIfNeeded: sum >> 64),
            low: UInt64(truncatingIfNeeded: sum)
        )
    }

    private static func finishWhole(_ context: OpaquePointer?) {
        guard let memory = sqlite3_aggregate_context(context, 0) else {
            return sqlite3_result_int64(context, 0)
        }
        let sum = value(of: memory.assumingMemoryBound(to: Whole.self).pointee)
        guard let value = Int64(exactly: sum) else { return fail(context) }
        sqlite3_result_int64(context, value)
    }

    private static func value(of whole: Whole) -> Int128 {
        Int128(whole.high) << 64 | Int128(whole.low)
    }
}
