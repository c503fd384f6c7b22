package import Foundation

// How dates are written: into bytes, so that neither JSON nor a column needs a string.

extension DateText {
    /// The forms that are written.
    package enum Form: Sendable {
        /// `2024-03-01T10:20:30.5Z`, in documents.
        case iso8601
        /// `2024-03-01 10:20:30.5`, in columns, which SQLite's date functions read
        /// (https://sqlite.org/lang_datefunc.html). Its order as text is the order in time.
        case sortable
    }

    /// `2024-03-01T10:20:30.5Z`, the form in documents.
    ///
    /// - Throws: ``ModelEncodingError`` outside of the years 0 to 9999.
    package static func iso8601(_ date: Date) throws -> String {
        try withText(of: date, .iso8601) { String(decoding: $0, as: UTF8.self) }
    }

    /// `2024-03-01 10:20:30.5`, the form in columns.
    ///
    /// - Throws: ``ModelEncodingError`` outside of the years 0 to 9999.
    package static func sortable(_ date: Date) throws -> String {
        try withText(of: date, .sortable) { String(decoding: $0, as: UTF8.self) }
    }

    /// Runs `body` with the text of a date, on the stack.
    ///
    /// - Throws: ``ModelEncodingError`` outside of the years 0 to 9999, and what `body` throws.
    package static func withText<Result>(
        of date: Date,
        _ form: Form,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) throws -> Result {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { buffer in
            guard let start = buffer.baseAddress else { return try body(.init(buffer)) }
            let count = try write(date, form, to: start)
            return try body(UnsafeBufferPointer(start: start, count: count))
        }
    }

    /// The most bytes of a text. A fraction has at most 324 digits, where the double is the smallest
    /// one.
    package static let longest = 384

    /// Writes the text of a date to `target`, which has room for ``longest`` bytes, and gives the
    /// number of bytes.
    ///
    /// - Throws: ``ModelEncodingError`` outside of the years 0 to 9999.
    package static func write(
        _ date: Date,
        _ form: Form,
        to target: UnsafeMutablePointer<UInt8>
    ) throws -> Int {
        let seconds = date.timeIntervalSinceReferenceDate
        // The years 0 to 9999, in seconds from 2001.
        guard seconds >= -63_145_526_400, seconds < 252_423_993_600 else {
            throw ModelEncodingError(
                kind: .notRepresentable,
                explanation: "a date outside of the years 0 to 9999 has no form in ISO 8601"
            )
        }
        // Before 2001 the seconds are negative. Their magnitude is split, so that the fraction
        // stays exact; then the decimal digits are complemented and one second is borrowed.
        let magnitude = seconds.magnitude
        let whole = magnitude.rounded(.down)
        var second = Int64(whole)
        var count = 19
        if magnitude != whole {
            count = writeFraction(of: magnitude, whole, isNegative: seconds < 0, to: target)
        }
        if seconds < 0 { second = count > 19 ? -second - 1 : -second }
        writeSecond(second, separator: form == .iso8601 ? 0x54 : 0x20, to: target)
        if form == .iso8601 {
            target[count] = 0x5A
            count += 1
        }
        return count
    }

    /// Writes the 19 bytes of a whole number of seconds from 2001.
    private static func writeSecond(
        _ count: Int64,
        separator: UInt8,
        to target: UnsafeMutablePointer<UInt8>
    ) {
        /// Writes two digits.
        func put(_ value: Int, _ place: Int) {
            let (tens, ones) = value.quotientAndRemainder(dividingBy: 10)
            target[place] = 0x30 &+ UInt8(truncatingIfNeeded: tens)
            target[place &+ 1] = 0x30 &+ UInt8(truncatingIfNeeded: ones)
        }
        // Counted from the year 0, since the division rounds negative numbers towards zero.
        let day = (count + 63_145_526_400) / 86_400 - 730_851
        let second = Int(count - day * 86_400)
        let (year, month, dayOfMonth) = civil(daysSince2001: Int(day))
        put(year / 100, 0)
        put(year % 100, 2)
        target[4] = 0x2D
        put(month, 5)
        target[7] = 0x2D
        put(dayOfMonth, 8)
        target[10] = separator
        put(second / 3600, 11)
        target[13] = 0x3A
        put(second / 60 % 60, 14)
        target[16] = 0x3A
        put(second % 60, 17)
    }

    /// Writes the point and the fewest digits that give back `magnitude`, at the place 19, and gives
    /// where they end.
    ///
    /// - Complexity: at most 15 divisions.
    private static func writeFraction(
        of magnitude: Double,
        _ whole: Double,
        isNegative: Bool,
        to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        target[19] = 0x2E
        let fraction = magnitude - whole
        var unit = 1.0
        for length in 1...15 {
            unit *= 10
            let digits = (fraction * unit).rounded()
            guard digits < unit, whole + digits / unit == magnitude else { continue }
            var rest = UInt64(isNegative ? unit - digits : digits)
            for place in (20..<20 &+ length).reversed() {
                target[place] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            return 20 + length
        }
        var digits = manyDigits(of: fraction)
        if isNegative { digits = complement(digits) }
        for (index, digit) in digits.enumerated() { target[20 + index] = 0x30 + digit }
        return 20 + digits.count
    }

    /// The digits of a fraction close to 2001, where a double resolves far less than 10^-15 seconds:
    /// those of its shortest description.
    private static func manyDigits(of fraction: Double) -> [UInt8] {
        let description = fraction.description.lowercased().split(separator: "e")
        let exponent = description.count == 2 ? Int(description[1]) ?? 0 : 0
        let mantissa = description[0].utf8.filter { $0 != 0x2E }.map { $0 - 0x30 }
        let leading = exponent < 0 ? -exponent - 1 : 0
        let significant = exponent < 0 ? mantissa[...] : mantissa.dropFirst()
        let digits = [UInt8](repeating: 0, count: leading) + significant
        return Array(digits[...(digits.lastIndex { $0 != 0 } ?? 0)])
    }

    /// The digits of one minus the fraction.
    static func complement(_ digits: [UInt8]) -> [UInt8] {
        var result = digits.map { 9 - $0 }
        // The last digit is never 0, so 10 minus it carries nothing.
        result[result.count - 1] += 1
        return result
    }

    /// The inverse of `daysSince2001(year:month:day:)`.
    private static func civil(daysSince2001: Int) -> (year: Int, month: Int, day: Int) {
        let days = daysSince2001 + 730_791
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}
