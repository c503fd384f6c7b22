import Foundation

extension Duration: ModelValue {
    /// Spans of time are decimal numbers, so that no attosecond is lost.
    public static var columnType: ColumnType { .decimal }

    /// Reads a number of seconds, digit by digit.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no number, has more than 18 digits behind the
    ///   point or more seconds than 64 bits hold.
    public init(modelValue reader: inout ModelReader) throws {
        let start = reader.cursor
        guard let value = DurationText.duration(try reader.readDecimal(), isRounded: false) else {
            throw reader.outOfRange(Duration.self, at: start)
        }
        self = value
    }

    /// Writes the number of seconds, digit by digit.
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(DurationText.seconds(self))
    }
}

/// Spans of time as decimal numbers of seconds.
enum DurationText {
    /// The span of a number of seconds; nil for what is out of range.
    ///
    /// - Parameter isRounded: whether digits behind the attoseconds are cut off.
    static func duration(_ seconds: Decimal, isRounded: Bool) -> Duration? {
        // The one way from `Decimal` to whole numbers that is exact on every platform.
        let text = seconds.description
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        guard let first = parts.first, let whole = Int64((isNegative ? "-" : "") + first) else {
            return nil
        }
        let digits = parts.count == 2 ? parts[1] : ""
        guard isRounded || digits.count <= 18 else { return nil }
        let padding = String(repeating: "0", count: max(0, 18 - digits.count))
        guard let fraction = Int64(digits.prefix(18) + padding) else { return nil }
        return Duration(
            secondsComponent: whole,
            attosecondsComponent: isNegative ? -fraction : fraction
        )
    }

    /// The number of seconds.
    static func seconds(_ duration: Duration) -> Decimal {
        let (seconds, attoseconds) = duration.components
        return Decimal(seconds) + Decimal(attoseconds)
            * Decimal(sign: .plus, exponent: -18, significand: 1)
    }
}
