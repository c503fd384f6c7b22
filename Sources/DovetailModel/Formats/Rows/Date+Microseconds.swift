public import Foundation

extension Date {
    /// The nearest date of whole microseconds, and the even one of two that are equally near: what comes
    /// back from a store without `StoreCapability.exactDates`, such as PostgreSQL
    /// (https://www.postgresql.org/docs/current/datatype-datetime.html).
    ///
    /// - Complexity: O(1).
    public var inMicroseconds: Date {
        let seconds = timeIntervalSinceReferenceDate
        // Beyond that there is nothing to round.
        guard seconds.magnitude < 1e12 else { return self }
        let rounded = (seconds * 1e6).rounded(.toNearestOrEven)
        // Without a negative zero.
        return Date(timeIntervalSinceReferenceDate: rounded / 1e6 + 0)
    }
}
