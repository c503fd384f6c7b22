public import Foundation

extension ModelWriter {
    /// Writes a string.
    ///
    /// - Throws: ``ModelEncodingError`` for what property lists have no form for: `$null`, and in
    ///   XML control characters.
    public mutating func write(_ value: String) throws {
        if !isJSON { return try writeOther(value) }
        // `withUTF8` is mutating: it wants a copy of its own, which is counted up and down.
        let isDone: Void? = value.utf8.withContiguousStorageIfAvailable { appendQuoted($0) }
        if isDone == nil {
            var value = value
            value.withUTF8 { appendQuoted($0) }
        }
    }

    /// Writes a truth value.
    @inlinable
    public mutating func write(_ value: Bool) throws {
        if !isJSON { return try writeOther(value) }
        append(value ? "true" : "false")
    }

    /// Writes a whole number.
    ///
    /// - Throws: ``ModelEncodingError`` when a store has no room for it.
    @inlinable
    public mutating func write<Integer: FixedWidthInteger>(_ value: Integer) throws {
        if !isJSON {
            return try writeOther(
                bits: UInt64(truncatingIfNeeded: value),
                isSigned: Integer.isSigned
            )
        }
        if Integer.isSigned, value < 0 { append(0x2D) }
        appendDigits(UInt64(truncatingIfNeeded: value.magnitude))
    }

    /// Writes a floating point number with as few digits as bring back the same value.
    ///
    /// - Throws: ``ModelEncodingError`` for NaN in JSON and in a store, and for infinities in JSON.
    public mutating func write(_ value: Double) throws {
        if !isJSON { return try writeOther(value) }
        let magnitude = value.magnitude
        // A number of at most 15 digits with a short fraction: the fewest decimals that give back
        // the value are found by trying. 2^53 bounds the digits, so the division is exact enough
        // to be undone by reading.
        if magnitude < 1e9 {
            var scaled = magnitude
            var decimals = 0
            while decimals <= 6 {
                let digits = scaled.rounded(.toNearestOrEven)
                if digits / PowersOfTen.exact(decimals) == magnitude {
                    if value.sign == .minus { append(0x2D) }
                    appendDecimal(UInt64(digits), decimals: decimals)
                    return
                }
                decimals &+= 1
                scaled = magnitude * PowersOfTen.exact(decimals)
            }
        }
        try writeUnusual(value)
    }

    @usableFromInline
    mutating func appendDecimal(_ digits: UInt64, decimals: Int) {
        guard decimals > 0 else { return appendDigits(digits) }
        let unit = UInt64(PowersOfTen.exact(decimals))
        appendDigits(digits / unit)
        append(0x2E)
        reserve(decimals)
        var rest = digits % unit
        for place in (0..<decimals).reversed() {
            buffer[count + place] = 0x30 + UInt8(rest % 10)
            rest /= 10
        }
        count += decimals
    }

    @usableFromInline
    @inline(never)
    mutating func writeUnusual(_ value: Double) throws {
        guard value.isFinite else {
            throw ModelEncodingError(
                reason: .notRepresentable,
                explanation: "JSON has no form for \(value.isNaN ? "NaN" : "infinity")"
            )
        }
        var text = value.description
        if text.hasSuffix(".0") { text.removeLast(2) }
        text.withUTF8 { append($0) }
    }

    /// Writes a decimal number, digit by digit; in property lists as a string.
    ///
    /// - Throws: ``ModelEncodingError`` for NaN.
    public mutating func write(_ value: Decimal) throws {
        guard value.isFinite else {
            throw ModelEncodingError(
                reason: .notRepresentable,
                explanation: "a decimal number that is NaN has no form in a document"
            )
        }
        if !isJSON { return try writeOther(value) }
        var text = value.description
        text.withUTF8 { append($0) }
    }

    /// Writes a moment: a property list's own date, elsewhere ISO 8601 in UTC with as many
    /// fractional digits as bring back the same value.
    ///
    /// - Throws: ``ModelEncodingError`` outside of the years 0 to 9999 where moments are text.
    public mutating func write(_ value: Date) throws {
        if !isJSON { return try writeOther(value) }
        var text = try DateText.iso8601(value)
        text.withUTF8 { appendQuoted($0) }
    }

    /// Writes bytes, in JSON as base64 (RFC 4648, section 4), in property lists as data.
    public mutating func write(_ value: Data) throws {
        if !isJSON { return try writeOther(value) }
        var text = value.base64EncodedString()
        text.withUTF8 { appendQuoted($0) }
    }

    /// Writes an explicit null; in property lists the string `$null`, as Foundation does.
    @inlinable
    public mutating func writeNull() throws {
        if !isJSON { return try writeOtherNull() }
        append("null")
    }
}
