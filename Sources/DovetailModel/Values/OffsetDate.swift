public import Foundation

/// A date that keeps the offset from UTC that a document has it in: `2024-03-01T11:20:30+01:00` comes
/// back as it was, where a `Date` is written in UTC.
///
/// ```swift
/// @Model struct Meeting { var start: OffsetDate }
/// let text = #"{"start":"2024-03-01T11:20:30+01:00"}"#
/// let meeting = try Meeting(decoding: Data(text.utf8), as: .json)
/// meeting.start.date              // 2024-03-01 10:20:30 UTC
/// meeting.start.offset            // 3600
/// ```
///
/// It is text everywhere, also in property lists, and in columns, where it is compared as text.
public struct OffsetDate: Hashable, Sendable, ModelValue {
    /// The instant, as exactly as a `Date` has it: to some ten millionths of a second in this century. The
    /// digits that were read are kept beside it, and written until another one is set.
    public var date: Date { didSet { readDigits = nil } }
    /// The seconds by which local time is ahead of UTC, in whole minutes of less than a day; nil where
    /// the text ends in `Z`.
    public var offset: Int?
    /// How many fractional digits are written at least, up to 9: those that were read. Services that write
    /// `20.500000` get it back so.
    public var fractionDigits = 0
    /// The fractional digits that were read, where those of the date are others.
    private var readDigits: String?
    /// The form that the offset was read in.
    private var form = OffsetForm.extended

    /// A form of an offset.
    private enum OffsetForm {
        /// `+01:00`
        case extended
        /// `+0100`
        case basic
        /// `+01`
        case hours
    }

    /// Makes a date.
    ///
    /// - Parameter offset: the seconds by which local time is ahead of UTC; nil for `Z`.
    public init(_ date: Date, offset: Int? = nil) {
        (self.date, self.offset) = (date, offset)
    }

    /// Text.
    public static var columnType: ColumnType { .text }

    /// Reads a date-time of ISO 8601 with its offset (RFC 3339), or a date of a property list, which
    /// has none.
    ///
    /// - Throws: ``ModelDecodingError`` for anything else.
    public init(modelValue reader: inout ModelReader) throws {
        if !reader.isRow, reader.valueKind == .date {
            self.init(try Date(modelValue: &reader))
            return
        }
        let start = reader.cursor
        let text = try reader.readString()
        guard let date = DateText.date(iso8601: text) else {
            throw reader.error(.typeMismatch, expected: "a date with its offset", at: start)
        }
        self.init(date)
        (offset, form) = Self.offset(of: text)
        let fraction = text.utf8.drop { $0 != 0x2E }.dropFirst().prefix { 0x30...0x39 ~= $0 }
        fractionDigits = min(fraction.count, 9)
        guard let last = fraction.lastIndex(where: { $0 != 0x30 }) else { return }
        let own = (try? DateText.iso8601(date)).map { $0.utf8.dropFirst(20).dropLast() }
        if own?.elementsEqual(fraction[...last]) == true { return }
        readDigits = String(Substring(fraction))
    }

    /// Writes local time and the offset, with the fractional digits that were read, or the fewest that
    /// give back the equal date, and zeros up to ``fractionDigits``.
    ///
    /// - Throws: ``ModelEncodingError`` outside of the years 0 to 9999, and for an offset that is not of
    ///   whole minutes or a day long.
    public func encode(to writer: inout ModelWriter) throws {
        try writer.write(text())
    }

    /// The seconds that the end of a valid text says, and how; nil for `Z`.
    private static func offset(of text: String) -> (seconds: Int?, form: OffsetForm) {
        // Behind the day and its time, which has no sign.
        let utf8 = text.utf8.dropFirst(19)
        guard let sign = utf8.lastIndex(where: { $0 == 0x2B || $0 == 0x2D }) else {
            return (nil, .extended)
        }
        let digits = utf8[sign...].filter { 0x30...0x39 ~= $0 }.map { Int($0) - 0x30 }
        let hours = digits[0] * 10 + digits[1]
        let minutes = digits.count == 4 ? digits[2] * 10 + digits[3] : 0
        let form: OffsetForm =
            digits.count == 2 ? .hours : utf8.contains(0x3A) ? .extended : .basic
        let seconds = hours * 3600 + minutes * 60
        return (utf8[sign] == 0x2D ? -seconds : seconds, form)
    }

    /// The second to which fractional digits belong: the date may be rounded up to the next one.
    private func second(of digits: String) -> Date {
        let fraction = Double("0.\(digits)") ?? 0
        let second = (date.timeIntervalSinceReferenceDate - fraction).rounded()
        return Date(timeIntervalSinceReferenceDate: second)
    }

    private func text() throws -> String {
        let utc = try DateText.iso8601(readDigits.map(second) ?? date)
        var fraction = readDigits.map { ".\($0)" } ?? String(utc.dropFirst(19).dropLast())
        let missing = min(fractionDigits, 9) - max(fraction.utf8.count - 1, 0)
        if missing > 0 {
            fraction += (fraction.isEmpty ? "." : "") + String(repeating: "0", count: missing)
        }
        guard let offset else { return "\(utc.prefix(19))\(fraction)Z" }
        guard offset % 60 == 0, -86_400 < offset, offset < 86_400 else {
            throw ModelEncodingError(
                kind: .notRepresentable,
                explanation: "\(offset) seconds are no offset of whole minutes and less than a day"
            )
        }
        // The fraction belongs to the instant: the sum of both as a double might round it.
        let second = utc.prefix(19) + "Z"
        let known = DateText.date(iso8601: String(second)) ?? date
        let local = try DateText.iso8601(known.addingTimeInterval(Double(offset))).prefix(19)
        let minutes = abs(offset) / 60
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let sign = offset < 0 ? "-" : "+"
        let end =
            switch form {
            case .hours where minutes % 60 == 0: ""
            case .hours, .basic: digits(minutes % 60)
            case .extended: ":" + digits(minutes % 60)
            }
        return "\(local)\(fraction)\(sign)\(digits(minutes / 60))\(end)"
    }
}
