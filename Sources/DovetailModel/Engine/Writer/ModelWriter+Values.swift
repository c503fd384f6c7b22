public import Foundation

// Scalars. Each verb is one comparison, then the bytes of JSON or the call of a destination
// (ModelWriter+Destinations.swift). A value that the destination has no form for is a
// ``ModelEncodingError`` and never another value.

extension ModelWriter {
    /// Writes a string. JSON escapes only what it has to (RFC 8259, section 7): quotes, backslashes
    /// and control characters.
    ///
    /// ```swift
    /// func encode(to writer: inout ModelWriter) throws { try writer.write(code.lowercased()) }
    /// ```
    ///
    /// - Complexity: linear in the length.
    /// - Throws: ``ModelEncodingError`` for what property lists have no form for: `$null`, and in
    ///   XML control characters.
    public mutating func write(_ value: String) throws {
        if !isJSON { return try writeNonJSON(value) }
        // `withUTF8` is mutating and needs a copy, which is reference counted.
        let isDone: Void? = value.utf8.withContiguousStorageIfAvailable { appendQuoted($0) }
        if isDone == nil {
            var value = value
            value.withUTF8 { appendQuoted($0) }
        }
    }

    /// Writes a string of ASCII without quotes, backslashes and control characters.
    mutating func write(plain text: UnsafeBufferPointer<UInt8>) throws {
        switch destination {
        case .json: appendQuoted(text)
        case .row: try row?.set(column, text: text)
        default: try writeNonJSON(String(decoding: text, as: UTF8.self))
        }
    }

    /// Writes a truth value: `true` or `false`, in a row 1 or 0.
    @inlinable
    public mutating func write(_ value: Bool) throws {
        if !isJSON { return try writeNonJSON(value) }
        append(value ? "true" : "false")
    }

    /// Writes a whole number of at most 64 bits.
    ///
    /// ```swift
    /// func encode(to writer: inout ModelWriter) throws { try writer.write(port) }
    /// ```
    ///
    /// - Complexity: linear in the digits.
    /// - Throws: ``ModelEncodingError`` in a row, for a number above `Int64.max`.
    @inlinable
    public mutating func write<Integer: FixedWidthInteger>(_ value: Integer) throws {
        if !isJSON {
            return try writeNonJSON(
                bits: UInt64(truncatingIfNeeded: value),
                isSigned: Integer.isSigned
            )
        }
        if Integer.isSigned, value < 0 { append(0x2D) }
        appendDigits(UInt64(truncatingIfNeeded: value.magnitude))
    }

    /// Writes a floating point number with the fewest digits that give back the same value. `2.0`
    /// is written as `2`.
    ///
    /// - Complexity: O(1); numbers with at most six decimals take a fast path.
    /// - Throws: ``ModelEncodingError`` for NaN in JSON and in a store, and for infinities in JSON,
    ///   which have no form in RFC 8259.
    public mutating func write(_ value: Double) throws {
        if !isJSON { return try writeNonJSON(value) }
        let magnitude = value.magnitude
        // The fast path: at most six decimals are tried, the fewest first. The digits stay below
        // 10^15 and so below 2^53, which makes them exact; dividing them by the power of ten rounds
        // once, as reading does, so the comparison says whether reading gives the value back.
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
        try writeDoubleOnSlowPath(value)
    }

    /// Appends `digits` with a point before the last `decimals` of them.
    @usableFromInline
    mutating func appendDecimal(_ digits: UInt64, decimals: Int) {
        guard decimals > 0 else { return appendDigits(digits) }
        let unit = UInt64(PowersOfTen.exact(decimals))
        appendDigits(digits / unit)
        append(0x2E)
        reserve(decimals)
        var rest = digits % unit
        // From the right, so that zeros after the point are written, too.
        for place in (0..<decimals).reversed() {
            buffer[count + place] = 0x30 + UInt8(rest % 10)
            rest /= 10
        }
        count += decimals
    }

    /// The slow path: the standard library's shortest description, and the error.
    @usableFromInline
    @inline(never)
    mutating func writeDoubleOnSlowPath(_ value: Double) throws {
        guard value.isFinite else {
            throw ModelEncodingError(
                kind: .notRepresentable,
                explanation: "JSON has no form for \(value.isNaN ? "NaN" : "infinity")"
            )
        }
        var text = value.description
        // A whole number is written like an integer, which any reader takes.
        if text.hasSuffix(".0") { text.removeLast(2) }
        text.withUTF8 { append($0) }
    }

    /// Writes a decimal number, digit by digit; in property lists as a string, since their reals
    /// would round it.
    ///
    /// - Complexity: linear in the digits.
    /// - Throws: ``ModelEncodingError`` for NaN.
    public mutating func write(_ value: Decimal) throws {
        guard value.isFinite else {
            throw ModelEncodingError(
                kind: .notRepresentable,
                explanation: "a decimal number that is NaN has no form in a document"
            )
        }
        if !isJSON { return try writeNonJSON(value) }
        var text = value.description
        text.withUTF8 { append($0) }
    }

    /// Writes a date: the format's own kind where it has one, elsewhere ISO 8601 in UTC (RFC 3339)
    /// with the fewest fractional digits that give back the same value.
    ///
    /// ```swift
    /// func encode(to writer: inout ModelWriter) throws { try writer.write(day) }
    /// ```
    ///
    /// - Complexity: O(1).
    /// - Throws: ``ModelEncodingError`` outside of the years 0 to 9999 where dates are text, and
    ///   for a date that is no finite number of seconds.
    public mutating func write(_ value: Date) throws {
        if !isJSON { return try writeNonJSON(value) }
        reserve(DateText.longest + 2)
        let length = try DateText.write(value, .iso8601, to: buffer + count + 1)
        put(0x22)
        count &+= length
        put(0x22)
    }

    /// Writes bytes: in JSON as base64 with padding (RFC 4648, section 4), in property lists as
    /// data, in a row as they are.
    ///
    /// - Complexity: linear in the bytes.
    public mutating func write(_ value: Data) throws {
        if !isJSON { return try writeNonJSON(value) }
        var text = value.base64EncodedString()
        text.withUTF8 { appendQuoted($0) }
    }

    /// Writes an explicit null: NULL in a row; in property lists the string `$null`, as Foundation
    /// does.
    @inlinable
    public mutating func writeNull() throws {
        if !isJSON { return try writeNonJSONNull() }
        append("null")
    }
}
