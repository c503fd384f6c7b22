public import DovetailModel
public import Foundation

extension ColumnRounding {
    /// From Foundation's reference date back to the beginning of the year 2000, in microseconds.
    private static let microsecondsBefore: Int64 = 31_622_400_000_000
    private static let microsecondsOfDay: Int64 = 86_400_000_000

    /// The date that comes back of one that is stored.
    ///
    /// - Complexity: O(1).
    public func stored(_ date: Date) -> Date {
        switch self {
        case .dates(digits: 6...): return date.inMicroseconds
        case .dates(let digits):
            let unit = (digits..<6).reduce(Int64(1)) { unit, _ in unit * 10 }
            return Self.since2000(date) { count in
                let half = count < 0 ? -unit / 2 : unit / 2
                return (count + half) / unit * unit
            }
        case .days:
            return Self.since2000(date) { count in
                let rest = count % Self.microsecondsOfDay
                return count - (rest < 0 ? rest + Self.microsecondsOfDay : rest)
            }
        case .decimals, .singles, .trimmedText: return date
        }
    }

    /// A date by its microseconds since the beginning of 2000.
    private static func since2000(_ date: Date, _ rounded: (Int64) -> Int64) -> Date {
        let seconds = date.timeIntervalSinceReferenceDate
        guard seconds.magnitude < 1e12 else { return date }
        let count = Int64((seconds * 1e6).rounded(.toNearestOrEven)) + microsecondsBefore
        return Date(
            timeIntervalSinceReferenceDate: Double(rounded(count) - microsecondsBefore) / 1e6
        )
    }

    /// The decimal number that comes back of one that is stored.
    ///
    /// - Complexity: O(1).
    public func stored(_ decimal: Decimal) -> Decimal {
        guard case .decimals(let digits) = self, decimal.isFinite, decimal.exponent < -digits else {
            return decimal
        }
        var (exact, rounded) = (decimal, Decimal())
        NSDecimalRound(&rounded, &exact, digits, .plain)
        return rounded
    }

    /// The number that comes back of one that is stored.
    ///
    /// - Complexity: O(1).
    public func stored(_ double: Double) -> Double {
        guard self == .singles else { return double }
        let single = Float(double)
        // Of whole numbers below 2^24 it is the number itself, and no text is made.
        if single.magnitude < 0x1p24, single == single.rounded(.towardZero) {
            return Double(single)
        }
        return Double("\(single)") ?? Double(single)
    }

    /// The bytes of the text that comes back of one that is stored.
    ///
    /// - Complexity: linear in the spaces at its end.
    public func stored(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        guard self == .trimmedText else { return text }
        let end = text.lastIndex { $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? 0
        return UnsafeBufferPointer(rebasing: text[..<end])
    }

    /// The value that comes back of one that is stored.
    func stored(_ value: QueryValue) -> QueryValue {
        switch value {
        case .date(let date): return .date(stored(date))
        case .decimal(let decimal): return .decimal(stored(decimal))
        case .double(let double): return .double(stored(double))
        case .text(let text) where self == .trimmedText:
            var text = text
            return text.withUTF8 { .text(String(decoding: stored($0), as: UTF8.self)) }
        default: return value
        }
    }
}
