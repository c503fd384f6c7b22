public import Foundation

/// Moments as seconds since 1970-01-01 UTC, with a fraction where there is one.
///
/// A `Date` counts from 2001, so a fraction comes back to a quarter of a microsecond.
public enum SecondsSince1970: ModelTransform {
    /// Makes a moment of a number of seconds.
    public static func decode(_ stored: Double) -> Date {
        Date(timeIntervalSince1970: stored)
    }

    /// The number of seconds.
    public static func encode(_ value: Date) -> Double {
        value.timeIntervalSince1970
    }

    /// Later moments have larger numbers.
    public static var keepsOrder: Bool { true }
}

/// Moments as whole milliseconds since 1970-01-01 UTC; what is shorter is rounded away.
public enum MillisecondsSince1970: ModelTransform {
    /// Makes a moment of a number of milliseconds.
    public static func decode(_ stored: Int64) -> Date {
        Date(timeIntervalSince1970: Double(stored) / 1000)
    }

    /// The number of milliseconds.
    ///
    /// - Throws: ``ModelTransformError`` for a moment some 290 million years away.
    public static func encode(_ value: Date) throws -> Int64 {
        let milliseconds = (value.timeIntervalSince1970 * 1000).rounded()
        guard let stored = Int64(exactly: milliseconds) else {
            throw ModelTransformError(expected: "a moment whose milliseconds fit into 64 bits")
        }
        return stored
    }

    /// Later moments have larger numbers.
    public static var keepsOrder: Bool { true }
}

/// Days in ISO 8601, `2024-03-01`: the day in UTC that a moment lies in, and its first moment.
public enum ISO8601Day: ModelTransform {
    /// The first moment of a day.
    ///
    /// - Throws: ``ModelTransformError`` for what is no day.
    public static func decode(_ stored: String) throws -> Date {
        guard stored.utf8.count == 10, let date = DateText.date(iso8601: stored + "T00:00:00Z")
        else { throw ModelTransformError(expected: "a day such as 2024-03-01") }
        return date
    }

    /// The day that a moment lies in.
    ///
    /// - Throws: ``ModelEncodingError`` outside of the years 0 to 9999.
    public static func encode(_ value: Date) throws -> String {
        String(try DateText.iso8601(value).prefix(10))
    }

    /// Later days have larger texts.
    public static var keepsOrder: Bool { true }
}
