import Foundation

extension Duration: ModelValue {
    /// Durations are decimal numbers of seconds, so that no attosecond is lost. Stores order and add
    /// them as such.
    public static var columnType: ColumnType { .decimal }

    /// Reads a number of seconds, digit by digit: `1.5`.
    ///
    /// - Throws: ``ModelDecodingError`` when there is no number (`typeMismatch`), or it has more
    ///   than 18 digits after the point or more seconds than 64 bits hold (`numberOutOfRange`).
    public init(modelValue reader: inout ModelReader) throws {
        let start = reader.cursor
        guard let value = DurationText.duration(try reader.readDecimal(), isRounded: false) else {
            throw reader.outOfRange(Duration.self, at: start)
        }
        self = value
    }

    /// Writes the number of seconds, digit by digit; in a row as `TEXT`. `DurationInSeconds` is the
    /// transform for a column of numbers.
    ///
    /// - Throws: ``ModelEncodingError`` of kind `notRepresentable` for more seconds than 64 bits hold,
    ///   of which `Duration.components` would end the program.
    public func encode(to writer: inout ModelWriter) throws {
        guard let seconds = DurationText.seconds(self) else {
            throw ModelEncodingError(
                kind: .notRepresentable,
                explanation: "a duration of more seconds than 64 bits hold"
            )
        }
        try writer.write(seconds)
    }
}

/// Durations as decimal numbers of seconds. A `Duration` has 18 decimal places, more than a
/// `Double` holds.
enum DurationText {
    /// The duration of a number of seconds; nil when it is out of range.
    ///
    /// - Parameter isRounded: whether digits below attoseconds are cut off instead of refused.
    static func duration(_ seconds: Decimal, isRounded: Bool) -> Duration? {
        // The description is the one way from `Decimal` to whole numbers that is exact on every
        // platform.
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

    /// The number of seconds, of at most 37 digits; nil where 64 bits do not hold the whole ones.
    static func seconds(_ duration: Duration) -> Decimal? {
        let (whole, attoseconds) = duration.attoseconds
            .quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
        guard let seconds = Int64(exactly: whole) else { return nil }
        return Decimal(seconds) + Decimal(Int64(attoseconds))
            * Decimal(sign: .plus, exponent: -18, significand: 1)
    }
}
