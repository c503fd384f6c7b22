public import Foundation

/// A value for the query of an ``Endpoint``.
///
/// Numbers, text, booleans, dates, UUIDs and decimals are query values. An enum with such a raw
/// value becomes one by declaring it:
///
/// ```swift
/// enum Order: String, URLQueryValue { case name, price }
/// .get("products", query: ["sort": Order.price])       // GET …/products?sort=price
/// ```
public protocol URLQueryValue {
    /// The value as plain text; it is percent-encoded later, when the request is built.
    var queryText: String { get }
}

extension URLQueryValue where Self: LosslessStringConvertible {
    /// The value's description.
    public var queryText: String { description }
}

extension URLQueryValue where Self: RawRepresentable, RawValue: URLQueryValue {
    /// The text of the raw value.
    public var queryText: String { rawValue.queryText }
}

extension String: URLQueryValue {}
extension Substring: URLQueryValue {}
extension Bool: URLQueryValue {}
extension Int: URLQueryValue {}
extension Int8: URLQueryValue {}
extension Int16: URLQueryValue {}
extension Int32: URLQueryValue {}
extension Int64: URLQueryValue {}
extension UInt: URLQueryValue {}
extension UInt8: URLQueryValue {}
extension UInt16: URLQueryValue {}
extension UInt32: URLQueryValue {}
extension UInt64: URLQueryValue {}
extension Float: URLQueryValue {}
extension Double: URLQueryValue {}

extension Decimal: URLQueryValue {
    /// The number with a point as its decimal separator, whatever the locale.
    public var queryText: String { description }
}

extension UUID: URLQueryValue {
    /// The UUID in upper case, as in `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
    public var queryText: String { uuidString }
}

extension Date: URLQueryValue {
    /// The date in UTC as ISO 8601, rounded to milliseconds, which are shown where there are any:
    /// `2024-03-01T10:20:30Z`, `2024-03-01T10:20:30.250Z`.
    public var queryText: String {
        let milliseconds = (timeIntervalSinceReferenceDate * 1000).rounded()
        let hasFraction = milliseconds.truncatingRemainder(dividingBy: 1000) != 0
        // The style cuts off instead of rounding, and half of all fractions are a little too small
        // in binary. A tenth of a millisecond more lifts them over the cut.
        let date = Date(timeIntervalSinceReferenceDate: (milliseconds + 0.1) / 1000)
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
    }
}
