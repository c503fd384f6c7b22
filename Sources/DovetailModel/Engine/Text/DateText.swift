package import Foundation

/// Dates as text: ISO 8601 in UTC, in the profile of RFC 3339, with the fewest fractional digits
/// that give back the equal value.
///
/// A `Date` is a `Double` of seconds since 2001, and its text must read as the same `Double`. So
/// seconds and fraction are kept apart, in integers and in decimal digits, and the calendar is
/// computed here.
package enum DateText {
    /// The date of a date-time with its offset; nil for what is not RFC 3339, but for offsets as `+0100` and `+01`,
    /// which many services write. A leap second is the second after it.
    package static func date(iso8601 text: String) -> Date? {
        var text = text
        return text.withUTF8 { date($0, isOffsetRequired: true) }
    }

    /// The same for bytes, which need not be UTF-8: what is no digit or separator is no date.
    static func date(iso8601 bytes: UnsafeBufferPointer<UInt8>) -> Date? {
        date(bytes, isOffsetRequired: true)
    }

    /// The date of either form. Without an offset it is in UTC, and a day alone is its midnight, as in
    /// SQLite's functions.
    package static func date(sortable text: String) -> Date? {
        var text = text
        return text.withUTF8 { date(sortable: $0) }
    }

    /// The same for bytes, which need not be UTF-8.
    package static func date(sortable bytes: UnsafeBufferPointer<UInt8>) -> Date? {
        plainDate(bytes) ?? date(bytes, isOffsetRequired: false)
    }

    /// Reads a date-time: the fast path, or field by field. Hours are below 24; a second of 60 is a
    /// leap second and counts as the next one.
    private static func date(
        _ bytes: UnsafeBufferPointer<UInt8>,
        isOffsetRequired: Bool
    ) -> Date? {
        if let seconds = plainSeconds(bytes) {
            return Date(timeIntervalSinceReferenceDate: Double(seconds))
        }
        var scanner = DigitScanner(bytes: bytes)
        guard let year = scanner.number(4), scanner.take("-"),
            let month = scanner.number(2), 1...12 ~= month, scanner.take("-"),
            let day = scanner.number(2), 1...days(in: month, of: year) ~= day
        else { return nil }
        if !isOffsetRequired, scanner.isAtEnd {
            let days = daysSince2001(year: year, month: month, day: day)
            return Date(timeIntervalSinceReferenceDate: Double(days * 86_400))
        }
        guard scanner.take("T") || scanner.take("t") || scanner.take(" "),
            let hour = scanner.number(2), hour < 24, scanner.take(":"),
            let minute = scanner.number(2), minute < 60, scanner.take(":"),
            let second = scanner.number(2), second <= 60
        else { return nil }
        var fraction: ArraySlice<UInt8> = []
        if scanner.take(".") {
            fraction = scanner.digits()
            if fraction.isEmpty { return nil }
        }
        // A text without an offset ends here; the form of documents must have one.
        let isInUTC = !isOffsetRequired && scanner.isAtEnd
        guard let offset = isInUTC ? 0 : scanner.offset(), scanner.isAtEnd else { return nil }
        let days = daysSince2001(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Date(
            timeIntervalSinceReferenceDate: limited(interval(seconds, fraction), seconds)
        )
    }

    /// The seconds of `2024-03-01T10:20:30Z`, the form that most documents have: three loads
    /// instead of twenty steps. Nil for every other form and for what is no date.
    private static func plainSeconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard bytes.count == 20, let base = bytes.baseAddress else { return nil }
        // The three loads stay inside the 20 bytes of the guard.
        let end = load(base + 12, 0x5A30_303A_3030_3A30)
        if end & 0xFFF0_F0FF_F0F0_FFF0 != 0 { return nil }
        return seconds(
            load(base, 0x2D30_302D_3030_3030),
            load(base + 8, 0x3030_3A30_3054_3030),
            end,
            secondAt: 5
        )
    }

    /// The date of `2024-03-01 10:20:30` with at most 15 digits after a point, the form in columns.
    /// Nil for every other form and for what is no date.
    private static func plainDate(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
        guard bytes.count >= 19, bytes.count <= 35, let base = bytes.baseAddress else { return nil }
        // The three loads stay inside the 19 bytes of the guard.
        let end = load(base + 11, 0x3030_3A30_303A_3030)
        if end & 0xF0F0_FFF0_F0FF_F0F0 != 0 { return nil }
        let date = load(base, 0x2D30_302D_3030_3030)
        let time = load(base + 8, 0x3030_3A30_3020_3030)
        guard let seconds = seconds(date, time, end, secondAt: 6) else { return nil }
        if bytes.count == 19 { return Date(timeIntervalSinceReferenceDate: Double(seconds)) }
        guard base[19] == 0x2E, bytes.count > 20 else { return nil }
        var number: UInt64 = 0
        var unit: UInt64 = 1
        for index in 20..<bytes.count {
            let digit = base[index] &- 0x30
            if digit > 9 { return nil }
            number = number &* 10 &+ UInt64(digit)
            unit &*= 10
        }
        // Both are below 2^53 and exact, so the division rounds once, as `interval` does.
        guard number > 0, seconds < 0 else {
            let interval = Double(seconds) + Double(number) / Double(unit)
            return Date(timeIntervalSinceReferenceDate: limited(interval, seconds))
        }
        let fraction = Double(unit &- number) / Double(unit)
        return Date(timeIntervalSinceReferenceDate: -(Double(-(seconds + 1)) + fraction))
    }

    /// Eight bytes of a form: digits become their values and separators 0.
    @inline(__always)
    private static func load(_ address: UnsafePointer<UInt8>, _ form: UInt64) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(address).loadUnaligned(as: UInt64.self)) ^ form
    }

    /// The seconds from 2001 of three words that ``load(_:_:)`` gave; nil for what is no date.
    ///
    /// - Parameter place: where the seconds are in `end`, whose separators the caller has checked.
    @inline(__always)
    private static func seconds(
        _ date: UInt64,
        _ time: UInt64,
        _ end: UInt64,
        secondAt place: UInt64
    ) -> Int? {
        let others = date & 0xFFF0_F0FF_F0F0_F0F0 | time & 0xF0F0_FFF0_F0FF_F0F0
        // Where `others` is 0 no byte is above 15, so the sums do not carry into the next byte.
        let six: UInt64 = 0x0606_0606_0606_0606
        let overflows = ((date &+ six) | (time &+ six) | (end &+ six)) & 0xF0F0_F0F0_F0F0_F0F0
        guard others == 0, overflows == 0 else { return nil }
        /// The number of two digits at a byte of the word.
        func pair(_ word: UInt64, _ place: UInt64) -> Int {
            let digits = word &>> (place &* 8)
            return Int(truncatingIfNeeded: (digits & 0xF) &* 10 &+ (digits &>> 8) & 0xF)
        }
        let year = pair(date, 0) * 100 + pair(date, 2)
        let (month, day) = (pair(date, 5), pair(time, 0))
        let (hour, minute, second) = (pair(time, 3), pair(time, 6), pair(end, place))
        guard 1...12 ~= month, 1...days(in: month, of: year) ~= day, hour < 24, minute < 60,
            second <= 60
        else { return nil }
        return daysSince2001(year: year, month: month, day: day) * 86_400 + hour * 3600
            + minute * 60 + second
    }

    /// The first second that no text can say, from 2001.
    private static let end = daysSince2001(year: 10_000, month: 1, day: 1) * 86_400

    /// What is rounded up to the year 10000, which no text can say, is the last date before it: systems write
    /// `9999-12-31T23:59:59.9999999Z` for what never ends.
    private static func limited(_ interval: Double, _ seconds: Int) -> Double {
        seconds < end && interval >= Double(end) ? Double(end).nextDown : interval
    }

    /// Whole seconds plus a decimal fraction, rounded once: the inverse of splitting a magnitude.
    private static func interval(_ seconds: Int, _ fraction: ArraySlice<UInt8>) -> Double {
        guard let last = fraction.lastIndex(where: { $0 != 0 }) else { return Double(seconds) }
        var digits = Array(fraction[...last])
        // Before 2001 the magnitude is that of the next second plus one minus the fraction.
        if seconds < 0 { digits = complement(digits) }
        let value: Double
        if digits.count <= 15 {
            var number: UInt64 = 0
            var unit = 1.0
            for digit in digits {
                number = number * 10 + UInt64(digit)
                unit *= 10
            }
            value = Double(number) / unit
        } else {
            let text = "0." + String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
            value = Double(text) ?? 0
        }
        return seconds < 0 ? -(Double(-(seconds + 1)) + value) : Double(seconds) + value
    }

    /// Days of a month in the Gregorian calendar, also before 1582 (proleptic), as in ISO 8601.
    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // MARK: The proleptic Gregorian calendar, in years that start in March

    /// In years that start in March the leap day is the last one, so that months before it need no
    /// look at the year.
    private static func daysSince2001(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        // 730,791 days lie between 1 March of the year 0 and 1 January 2001.
        return era * 146_097 + dayOfEra - 730_791
    }
}

/// Walks over the digits and separators of a date-time. Each function moves when it finds what it
/// asks for.
private struct DigitScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    var isAtEnd: Bool { index == bytes.count }

    /// Whether the next byte is this one.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// A number of exactly `width` digits; nil where there are others.
    mutating func number(_ width: Int) -> Int? {
        guard index + width <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[index..<index + width] {
            guard 0x30...0x39 ~= byte else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        index += width
        return value
    }

    /// The values of all digits that follow.
    mutating func digits() -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, 0x30...0x39 ~= bytes[index] { index += 1 }
        return bytes[start..<index].map { $0 - 0x30 }[...]
    }

    /// The offset from UTC in seconds, positive to the east; 0 for `Z`. The minutes may come without a colon,
    /// and be left out, as in the basic format of ISO 8601.
    mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = number(2), hours < 24 else { return nil }
        if isAtEnd { return sign * hours * 3600 }
        _ = take(":")
        guard let minutes = number(2), minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
