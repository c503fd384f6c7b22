import DovetailModel
import DovetailStore
public import Foundation

/// A unit of the calendar, in UTC.
public enum DateUnit: Hashable, Sendable {
    /// From 1 January to 31 December.
    case year
    /// From the first day of a month to its last.
    case month
    /// From midnight to midnight.
    case day
    /// From one full hour to the next.
    case hour

    fileprivate var function: QueryFunction {
        switch self {
        case .year: .startOfYear
        case .month: .startOfMonth
        case .day: .startOfDay
        case .hour: .startOfHour
        }
    }
}

extension Selection {
    /// The beginning of the year, month, day or hour that a date is in: groups of dates.
    ///
    /// ```swift
    /// let months = try context.select(.start(of: .month, \Order.date), .sum(\.price))
    /// // SELECT (substr("date", 1, 7) || '-01 00:00:00'), dovetail_sum("price") FROM "Order" GROUP BY …
    /// ```
    public static func start(of unit: DateUnit, _ keyPath: KeyPath<Source, Date>) -> Selection
    where Output == Date {
        Selection { .value(.call(unit.function, [try $0.attribute(at: keyPath)])) }
    }

    /// The same of a date that may be nil, which is a group of its own.
    public static func start(of unit: DateUnit, _ keyPath: KeyPath<Source, Date?>) -> Selection
    where Output == Date? {
        Selection { .value(.call(unit.function, [try $0.attribute(at: keyPath)])) }
    }
}
