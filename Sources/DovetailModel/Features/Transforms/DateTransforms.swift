public import Foundation

/// Dates as seconds since 1970-01-01 00:00 UTC, with a fraction where there is one.
///
/// ```swift
/// @Model struct Event: Identifiable {
///     var id: Int
///     @Attribute(.transformed(by: SecondsSince1970.self)) var createdAt: Date
/// }
///
/// let events = try [Event](decoding: data, as: .json)     // [{"id":1,"createdAt":1709288430.5}]
/// ```
///
/// The column is `REAL`, and `#Predicate<Event> { $0.createdAt < date }` is
/// `WHERE ("createdAt" < ?1)` with the number of seconds.
///
/// A `Date` counts from 2001 and this from 1970, in double precision. So a fraction comes back to
/// about a quarter of a microsecond.
public enum SecondsSince1970: ModelTransform {
    /// The date that is so many seconds after 1970.
    public static func decode(_ stored: Double) -> Date {
        Date(timeIntervalSince1970: stored)
    }

    /// The seconds from 1970 to a date.
    public static func encode(_ value: Date) -> Double {
        value.timeIntervalSince1970
    }

    /// Later dates have larger numbers.
    public static var keepsOrder: Bool { true }
}

/// Dates as whole milliseconds since 1970-01-01 00:00 UTC, rounded to the nearest one.
///
/// ```swift
/// @Model struct Trade {
///     @Attribute(.transformed(by: MillisecondsSince1970.self)) var at: Date
/// }
///
/// try Trade(at: Date(timeIntervalSince1970: 1.5)).encoded(as: .json)    // {"at":1500}
/// ```
///
/// The column is `INTEGER`.
public enum MillisecondsSince1970: ModelTransform {
    /// The date that is so many milliseconds after 1970.
    public static func decode(_ stored: Int64) -> Date {
        Date(timeIntervalSince1970: Double(stored) / 1000)
    }

    /// The milliseconds from 1970 to a date.
    ///
    /// - Throws: ``ModelTransformError`` for a date more than some 290 million years away, whose
    ///   milliseconds do not fit into 64 bits.
    public static func encode(_ value: Date) throws -> Int64 {
        let milliseconds = (value.timeIntervalSince1970 * 1000).rounded()
        guard let stored = Int64(exactly: milliseconds) else {
            throw ModelTransformError(expected: "a date whose milliseconds fit into 64 bits")
        }
        return stored
    }

    /// Later dates have larger numbers.
    public static var keepsOrder: Bool { true }
}

/// Dates as days of ISO 8601 in UTC, `2024-03-01`, the `full-date` of
/// [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339#section-5.6).
///
/// The time of the day is not kept: a day is read as midnight UTC, where it begins.
///
/// ```swift
/// @Model struct Person { @Attribute(.transformed(by: ISO8601Day.self)) var birthday: Date }
///
/// try Person(birthday: Date(timeIntervalSince1970: 86_400)).encoded(as: .json)
/// // {"birthday":"1970-01-02"}
/// ```
///
/// The column is `TEXT`, whose order is that of the days.
public enum ISO8601Day: ModelTransform {
    /// Midnight UTC, at which a day begins.
    ///
    /// - Throws: ``ModelTransformError`` for another form, and for a day that the calendar does not
    ///   have.
    public static func decode(_ stored: String) throws -> Date {
        guard stored.utf8.count == 10, let date = DateText.date(iso8601: stored + "T00:00:00Z")
        else { throw ModelTransformError(expected: "a day such as 2024-03-01") }
        return date
    }

    /// The day in UTC that a date lies in.
    ///
    /// - Throws: ``ModelEncodingError`` with the kind `notRepresentable` outside of the years 0
    ///   to 9999.
    public static func encode(_ value: Date) throws -> String {
        String(try DateText.iso8601(value).prefix(10))
    }

    /// Later days have larger texts.
    public static var keepsOrder: Bool { true }
}
