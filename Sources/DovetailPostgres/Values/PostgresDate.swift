import DovetailModel
import Foundation

/// Dates as `timestamptz` has them: whole microseconds since the beginning of the year 2000, in UTC
/// (https://www.postgresql.org/docs/current/datatype-datetime.html).
enum PostgresDate {
    /// From Foundation's reference date, the beginning of 2001, back to that of 2000.
    private static let secondsBefore: Int64 = 31_622_400
    private static let microseconds = 1_000_000.0
    /// The beginning of the year 0 and of the year 10000, in seconds from the reference date.
    private static let years = -63_145_526_400.0..<252_423_993_600.0

    /// The nearest microsecond, and the even one of two that are equally near.
    ///
    /// - Throws: ``ModelEncodingError`` outside of the years 0 to 9999, as in every store.
    static func encoded(_ date: Date) throws -> Int64 {
        let seconds = date.timeIntervalSinceReferenceDate
        // It says what is wrong.
        guard years.contains(seconds) else {
            _ = try DateText.sortable(date)
            return seconds < 0 ? .min : .max
        }
        let rounded = (seconds * microseconds).rounded(.toNearestOrEven)
        return Int64(rounded) + secondsBefore * 1_000_000
    }

    /// The date of a number of microseconds. The ends of the range are `infinity` and `-infinity`, which
    /// Foundation has no date for: the one that it has for what never comes, or was always there.
    static func decoded(_ value: Int64) -> Date {
        if value == .max { return .distantFuture }
        let (sum, overflows) = value.subtractingReportingOverflow(secondsBefore * 1_000_000)
        if overflows { return .distantPast }
        return Date(timeIntervalSinceReferenceDate: Double(sum) / microseconds)
    }

    /// The beginning of a day, of which `date` has the number since 2000. Its ends are infinite, too.
    static func decoded(day: Int32) -> Date {
        switch day {
        case .max: .distantFuture
        case .min: .distantPast
        default:
            Date(
                timeIntervalSinceReferenceDate: Double(Int64(day) * 86_400 - secondsBefore)
            )
        }
    }
}
