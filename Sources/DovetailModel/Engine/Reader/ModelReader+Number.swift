public import Foundation

extension ModelReader {
    /// Reads a whole number. `2.0` and `2e1` are whole numbers, as for `JSONDecoder`.
    ///
    /// - Throws: ``ModelDecodingError`` when there is no number or it does not fit into `Integer`.
    @inlinable
    public mutating func readInteger<Integer: FixedWidthInteger>(
        _ type: Integer.Type = Integer.self
    ) throws -> Integer {
        if source != .json {
            let value = try readOtherInteger(type)
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
        // 18 digits cannot overflow; a leading zero stands alone; anything else goes the slow way.
        guard count > 0, count <= 18, count == 1 || start.pointee != 0x30 else {
            return try readUnusualInteger(type)
        }
        let next = byte(at: position)
        if next == 0x2E || next | 0x20 == 0x65 { return try readUnusualInteger(type) }
        let value = Int64(truncatingIfNeeded: magnitude)
        guard let result = Integer(exactly: negative ? 0 &- value : value) else {
            throw outOfRange(type)
        }
        cursor = position
        return result
    }

    /// Whole numbers of many digits, with a fraction of zeros or with an exponent.
    @usableFromInline
    @inline(never)
    mutating func readUnusualInteger<Integer: FixedWidthInteger>(
        _ type: Integer.Type
    ) throws -> Integer {
        let number = try scanNumber("\(type)")
        var digits: [UInt8] = []
        var exponent = number.exponent
        for byte in bytes(from: number.start, to: number.mantissaEnd) where byte != 0x2D {
            if byte == 0x2E { continue }
            if digits.isEmpty, byte == 0x30 { continue }
            // Digits past what any integer holds only matter by their number.
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

    private mutating func finish<Integer>(_ number: NumberText, _ value: Integer) -> Integer {
        cursor = number.end
        return value
    }

    /// Reads a floating point number, correctly rounded.
    ///
    /// - Complexity: numbers with a mantissa below 2^53 and a power of ten within 22 take the exact
    ///   short way (Clinger 1990), those of up to 19 digits and a power within 27 one division of
    ///   integers, others go through `strtod`.
    /// - Throws: ``ModelDecodingError`` when there is no number or it is larger than any `Double`.
    @inlinable
    public mutating func readDouble() throws -> Double {
        if source != .json { return try readOtherDouble() }
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
            return try readUnusualDouble()
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
            if fractionDigits == 0 { return try readUnusualDouble() }
        }
        guard integerDigits &+ fractionDigits <= 19, byte(at: position) | 0x20 != 0x65
        else { return try readUnusualDouble() }
        cursor = position
        let value =
            mantissa <= 1 &<< 53
            ? Double(mantissa) / PowersOfTen.exact(fractionDigits)
            : ModelReader.rounded(mantissa, fractionDigits: fractionDigits)
        return negative ? -value : value
    }

    /// At most 19 digits, of which some stand behind the point.
    @usableFromInline
    @inline(never)
    static func rounded(_ mantissa: UInt64, fractionDigits: Int) -> Double {
        // The exponent is within range: there are no more than 19 digits.
        DecimalRounding.double(mantissa: mantissa, exponent: 0 &- fractionDigits) ?? .nan
    }

    @usableFromInline
    @inline(never)
    mutating func readUnusualDouble() throws -> Double {
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

    /// The value of a number of at most 19 digits and a small exponent.
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

    /// Reads a decimal number, digit by digit.
    ///
    /// - Throws: ``ModelDecodingError`` when there is no number or `Decimal` cannot hold it.
    public mutating func readDecimal() throws -> Decimal {
        if source != .json { return try readOtherDecimal() }
        let number = try scanNumber("Decimal")
        let text = String(decoding: bytes(from: number.start, to: number.end), as: UTF8.self)
        guard let value = Decimal(exactText: text) else {
            throw outOfRange(Decimal.self, at: number.start)
        }
        cursor = number.end
        return value
    }

    /// Checks the number under the cursor against RFC 8259, section 6, without moving.
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

/// The parts of a number in a document.
struct NumberText {
    let start: UnsafePointer<UInt8>
    let mantissaEnd: UnsafePointer<UInt8>
    let end: UnsafePointer<UInt8>
    let fractionDigits: Int
    /// What stands behind the `e`, limited to six digits.
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

extension Decimal {
    /// The number that `text`, a number of JSON, writes, if all of its digits fit.
    init?(exactText text: String) {
        guard let value = Decimal(string: text), value.isFinite else { return nil }
        // `Decimal(string:)` rounds what it cannot hold; digits lost are an error of the document.
        guard Decimal.significantDigits(text) == Decimal.significantDigits(value.description)
        else { return nil }
        self = value
    }

    private static func significantDigits(_ text: String) -> String {
        var digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber).drop { $0 == "0" }
        while digits.last == "0" { digits.removeLast() }
        return String(digits)
    }
}
