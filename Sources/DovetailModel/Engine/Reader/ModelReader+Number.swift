public import Foundation

// Numbers of JSON (RFC 8259, section 6), without a string in between where that is exact.
//
// A number has no type in JSON: the property decides. So each verb scans the text itself and stops
// at the first byte that is no part of its fast path; the slow path then starts over from the first
// byte, with the whole grammar.

extension ModelReader {
    /// Reads a whole number. `2.0` and `2e1` are whole numbers, as for `JSONDecoder`.
    ///
    /// ```swift
    /// init(modelValue reader: inout ModelReader) throws {
    ///     self.init(port: try reader.readInteger(UInt16.self))
    /// }
    /// ```
    ///
    /// - Complexity: linear in the digits. Up to 18 digits without fraction and exponent take one
    ///   pass; the others are collected digit by digit.
    /// - Throws: ``ModelDecodingError`` when there is no number (`typeMismatch`) or it does not fit
    ///   into `Integer` (`numberOutOfRange`).
    @inlinable
    public mutating func readInteger<Integer: FixedWidthInteger>(
        _ type: Integer.Type = Integer.self
    ) throws -> Integer {
        if source != .json {
            let value = try readNonJSONInteger(type)
            guard let result = Integer(exactly: value) else { throw outOfRange(type) }
            return result
        }
        let negative = byte == 0x2D
        var position = negative ? cursor + 1 : cursor
        let start = position
        var magnitude: UInt64 = 0
        while true {
            let digit = byte(at: position) &- 0x30
            if digit > 9 { break }
            magnitude = magnitude &* 10 &+ UInt64(truncatingIfNeeded: digit)
            position += 1
        }
        let count = position - start
        // 18 digits cannot overflow, and a leading zero is alone. Everything else takes the slow
        // path.
        guard count > 0, count <= 18, count == 1 || start.pointee != 0x30 else {
            return try readIntegerOnSlowPath(type)
        }
        let next = byte(at: position)
        if next == 0x2E || next | 0x20 == 0x65 { return try readIntegerOnSlowPath(type) }
        let value = Int64(truncatingIfNeeded: magnitude)
        guard let result = Integer(exactly: negative ? 0 &- value : value) else {
            throw outOfRange(type)
        }
        cursor = position
        return result
    }

    /// The slow path: whole numbers of many digits, with a fraction of zeros or with an exponent.
    /// 38 digits always fit into 128 bits; the integers that are models have 64 bits at most.
    @usableFromInline
    @inline(never)
    mutating func readIntegerOnSlowPath<Integer: FixedWidthInteger>(
        _ type: Integer.Type
    ) throws -> Integer {
        let number = try scanNumber("\(type)")
        var digits: [UInt8] = []
        var exponent = number.exponent
        for byte in bytes(from: number.start, to: number.mantissaEnd) where byte != 0x2D {
            if byte == 0x2E { continue }
            if digits.isEmpty, byte == 0x30 { continue }
            // Past 60 digits zeros are only counted. No integer has as many, so their place does
            // not matter.
            if digits.count < 60 || byte != 0x30 {
                digits.append(byte - 0x30)
            } else {
                exponent += 1
            }
            if digits.count > 80 { throw outOfRange(type, at: number.start) }
        }
        exponent -= number.fractionDigits
        while exponent < 0, digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { return finish(number, 0) }
        guard exponent >= 0, digits.count + exponent <= 38 else {
            throw outOfRange(type, at: number.start)
        }
        var magnitude: UInt128 = 0
        for digit in digits { magnitude = magnitude * 10 + UInt128(digit) }
        for _ in 0..<exponent { magnitude *= 10 }
        let value: Integer?
        if number.start.pointee == 0x2D {
            value = Int128(exactly: magnitude).flatMap { Integer(exactly: -$0) }
        } else {
            value = Integer(exactly: magnitude)
        }
        guard let value else { throw outOfRange(type, at: number.start) }
        return finish(number, value)
    }

    /// Moves over a number whose value is known.
    private mutating func finish<Integer>(_ number: NumberText, _ value: Integer) -> Integer {
        cursor = number.end
        return value
    }

    /// Reads a floating point number, correctly rounded (IEEE 754, ties to even).
    ///
    /// ```swift
    /// init(modelValue reader: inout ModelReader) throws {
    ///     self.init(celsius: try reader.readDouble())
    /// }
    /// ```
    ///
    /// - Complexity: linear in the digits. Numbers without an exponent whose digits are at most
    ///   2^53 take one exact division (Clinger 1990); those of up to 19 digits and a power of ten
    ///   within ±27 one division or multiplication of integers; the others go through the standard
    ///   library.
    /// - Throws: ``ModelDecodingError`` when there is no number (`typeMismatch`) or it is larger
    ///   than any `Double` (`numberOutOfRange`).
    @inlinable
    public mutating func readDouble() throws -> Double {
        if source != .json { return try readNonJSONDouble() }
        let negative = byte == 0x2D
        var position = negative ? cursor + 1 : cursor
        let start = position
        var mantissa: UInt64 = 0
        var digit = byte(at: position) &- 0x30
        while digit <= 9 {
            mantissa = mantissa &* 10 &+ UInt64(truncatingIfNeeded: digit)
            position += 1
            digit = byte(at: position) &- 0x30
        }
        let integerDigits = position - start
        guard integerDigits > 0, integerDigits == 1 || start.pointee != 0x30 else {
            return try readDoubleOnSlowPath()
        }
        var fractionDigits = 0
        if byte(at: position) == 0x2E {
            position += 1
            let fractionStart = position
            digit = byte(at: position) &- 0x30
            while digit <= 9 {
                mantissa = mantissa &* 10 &+ UInt64(truncatingIfNeeded: digit)
                position += 1
                digit = byte(at: position) &- 0x30
            }
            fractionDigits = position - fractionStart
            if fractionDigits == 0 { return try readDoubleOnSlowPath() }
        }
        // 20 digits may overflow 64 bits, and an exponent is left to the slow path. Either way
        // `mantissa` is not used.
        guard integerDigits &+ fractionDigits <= 19, byte(at: position) | 0x20 != 0x65
        else { return try readDoubleOnSlowPath() }
        cursor = position
        let value =
            mantissa <= 1 &<< 53
            ? Double(mantissa) / PowersOfTen.exact(fractionDigits)
            : ModelReader.rounded(mantissa, fractionDigits: fractionDigits)
        return negative ? -value : value
    }

    /// The value of at most 19 digits, the last `fractionDigits` of which come after the point.
    @usableFromInline
    @inline(never)
    static func rounded(_ mantissa: UInt64, fractionDigits: Int) -> Double {
        // The exponent is within range: there are no more than 19 digits.
        DecimalRounding.double(mantissa: mantissa, exponent: 0 &- fractionDigits) ?? .nan
    }

    /// The slow path: numbers with an exponent or more than 19 digits, and what is no number.
    @usableFromInline
    @inline(never)
    mutating func readDoubleOnSlowPath() throws -> Double {
        let number = try scanNumber("Double")
        if let value = shortDouble(number) {
            cursor = number.end
            return value
        }
        let text = String(decoding: bytes(from: number.start, to: number.end), as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw outOfRange(Double.self, at: number.start)
        }
        cursor = number.end
        return value
    }

    /// The value of a number of at most 19 significant digits and a power of ten within ±27; nil
    /// for others.
    private mutating func shortDouble(_ number: NumberText) -> Double? {
        var mantissa: UInt64 = 0
        var digits = 0
        for byte in bytes(from: number.start, to: number.mantissaEnd) where byte >= 0x30 {
            if mantissa > 0 || byte > 0x30 { digits += 1 }
            if digits > 19 { return nil }
            mantissa = mantissa &* 10 &+ UInt64(truncatingIfNeeded: byte &- 0x30)
        }
        let exponent = number.exponent - number.fractionDigits
        let value = DecimalRounding.double(mantissa: mantissa, exponent: exponent)
        return number.start.pointee == 0x2D ? value.map { -$0 } : value
    }

    /// Reads a decimal number, digit by digit: `0.1` is exactly one tenth.
    ///
    /// ```swift
    /// init(modelValue reader: inout ModelReader) throws {
    ///     self.init(euros: try reader.readDecimal())
    /// }
    /// ```
    ///
    /// - Complexity: linear in the digits; of more than 38 through a string.
    /// - Throws: ``ModelDecodingError`` when there is no number (`typeMismatch`), or it has more
    ///   digits than `Decimal` holds or an exponent out of its range (`numberOutOfRange`). JSON is
    ///   never rounded silently.
    public mutating func readDecimal() throws -> Decimal {
        if source != .json { return try readNonJSONDecimal() }
        let number = try scanNumber("Decimal")
        let digits = bytes(from: number.start, to: number.end)
        guard let value = Decimal(exactBytes: digits) else {
            throw outOfRange(Decimal.self, at: number.start)
        }
        cursor = number.end
        return value
    }

    /// Checks the number under the cursor against the grammar of RFC 8259, section 6, and finds its
    /// parts. The cursor does not move.
    ///
    /// - Parameter expected: what the error asks for when there is no number at all.
    mutating func scanNumber(_ expected: String) throws -> NumberText {
        let start = cursor
        var position = byte == 0x2D ? cursor + 1 : cursor
        func skipDigits() -> Int {
            let first = position
            while 0x30...0x39 ~= byte(at: position) { position += 1 }
            return position - first
        }
        let leading = byte(at: position)
        let integerDigits = skipDigits()
        if integerDigits == 0 {
            guard byte == 0x2D else { throw mismatch(expected) }
            throw syntaxError(expected: "a digit", at: position)
        }
        // `007` is no number of JSON; in other languages it would be octal.
        if integerDigits > 1, leading == 0x30 {
            throw syntaxError(expected: "a number without leading zeros", at: start)
        }
        var fractionDigits = 0
        if byte(at: position) == 0x2E {
            position += 1
            fractionDigits = skipDigits()
            if fractionDigits == 0 { throw syntaxError(expected: "a digit", at: position) }
        }
        let mantissaEnd = position
        var exponent = 0
        if byte(at: position) | 0x20 == 0x65 {
            position += 1
            let sign = byte(at: position)
            if sign == 0x2B || sign == 0x2D { position += 1 }
            let first = position
            guard skipDigits() > 0 else { throw syntaxError(expected: "a digit", at: position) }
            // The bound keeps an exponent of a million digits from overflowing.
            for digit in bytes(from: first, to: position) where exponent < 100_000 {
                exponent = exponent * 10 + Int(digit - 0x30)
            }
            if sign == 0x2D { exponent = -exponent }
        }
        return NumberText(
            start: start,
            mantissaEnd: mantissaEnd,
            end: position,
            fractionDigits: fractionDigits,
            exponent: exponent
        )
    }

    /// The error that a number does not fit into `type`, at `position` or at the cursor.
    @usableFromInline
    @inline(never)
    mutating func outOfRange(
        _ type: Any.Type,
        at position: UnsafePointer<UInt8>? = nil
    )
        -> ModelDecodingError
    {
        error(.numberOutOfRange, expected: "\(type)", at: position ?? cursor)
    }
}

/// The parts of a number in a document, which `scanNumber(_:)` has checked: there is at least one
/// digit at `start`, or a minus sign and a digit.
struct NumberText {
    let start: UnsafePointer<UInt8>
    let mantissaEnd: UnsafePointer<UInt8>
    let end: UnsafePointer<UInt8>
    let fractionDigits: Int
    /// The number after the `e`, limited to six digits: past that every value is 0 or too large.
    let exponent: Int
}

/// The powers of ten that a `Double` holds exactly.
@usableFromInline
enum PowersOfTen {
    @usableFromInline static let table: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// 10 to the `exponent`, which is at most 22.
    @inlinable
    @inline(__always)
    static func exact(_ exponent: Int) -> Double {
        table[exponent]
    }
}
