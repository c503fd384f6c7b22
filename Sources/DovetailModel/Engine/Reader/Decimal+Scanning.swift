import Foundation

// `Decimal(string:)` takes a microsecond, and to see that it has lost no digit its description was compared with
// the text, which took two more. A number of up to 19 digits is made of an integer and an exponent in 20
// nanoseconds, a longer one of two integers.

extension Decimal {
    /// The number that `text` writes, if all of its digits fit. `text` is a number in the grammar
    /// of JSON.
    package init?(exactText text: String) {
        var text = text
        guard let value = text.withUTF8({ Decimal(exactBytes: $0) }) else { return nil }
        self = value
    }

    /// The number that bytes write, if all of its digits fit. They are a number in the grammar of JSON.
    package init?(exactBytes bytes: UnsafeBufferPointer<UInt8>) {
        if let value = Decimal.scanned(bytes) {
            self = value
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let value = Decimal(string: text), value.isFinite else { return nil }
        // `Decimal(string:)` rounds what it cannot hold. A lost digit is an error, so the digits
        // are compared.
        guard Decimal.significantDigits(text) == Decimal.significantDigits(value.description)
        else { return nil }
        self = value
    }

    /// The digits without sign, point, exponent and zeros at either end.
    private static func significantDigits(_ text: String) -> String {
        var digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber).drop { $0 == "0" }
        while digits.last == "0" { digits.removeLast() }
        return String(digits)
    }

    /// 2 to the 64th.
    private static let half = Decimal(UInt64.max) + 1

    /// A number without an exponent, or with one that is far from the ends of the range, whose digits are a whole
    /// number of 128 bits; nil for all else.
    private static func scanned(_ bytes: UnsafeBufferPointer<UInt8>) -> Decimal? {
        var place = 0
        let isNegative = bytes.first == 0x2D
        if isNegative { place = 1 }
        var (short, long): (UInt64, UInt128) = (0, 0)
        var (digits, decimals) = (0, 0)
        var (hasPoint, hasDigit) = (false, false)
        scan: while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case 0x30...0x39:
                hasDigit = true
                if hasPoint { decimals &+= 1 }
                let digit = UInt64(byte &- 0x30)
                if digits > 0 || digit != 0 {
                    digits &+= 1
                    if digits <= 19 {
                        short = short &* 10 &+ digit
                    } else {
                        if digits == 20 { long = UInt128(short) }
                        let (tens, isLost) = long.multipliedReportingOverflow(by: 10)
                        let (sum, isAlsoLost) = tens.addingReportingOverflow(UInt128(digit))
                        if isLost || isAlsoLost { return nil }
                        long = sum
                    }
                }
            case 0x2E where !hasPoint && hasDigit: hasPoint = true
            default: break scan
            }
            place &+= 1
        }
        guard hasDigit, !(hasPoint && decimals == 0) else { return nil }
        var exponent = 0 &- decimals
        if place < bytes.count {
            guard let written = scannedExponent(bytes, from: place) else { return nil }
            exponent &+= written
        }
        // Far from the ends, whatever zeros are moved between digits and exponent.
        guard exponent > -80, exponent < 80 else { return nil }
        if digits == 0 { return 0 }
        var significand = Decimal(short)
        if digits > 19 {
            let low = UInt64(truncatingIfNeeded: long)
            significand = Decimal(UInt64(long >> 64)) * half + Decimal(low)
        }
        return Decimal(
            sign: isNegative ? .minus : .plus,
            exponent: exponent,
            significand: significand
        )
    }

    /// An exponent of at most three digits, which is all that there is from a place on.
    private static func scannedExponent(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int
    ) -> Int? {
        var place = start
        guard bytes[place] | 0x20 == 0x65 else { return nil }
        place += 1
        var isNegative = false
        if place < bytes.count, bytes[place] == 0x2D || bytes[place] == 0x2B {
            isNegative = bytes[place] == 0x2D
            place += 1
        }
        guard place < bytes.count, bytes.count - place <= 3 else { return nil }
        var value = 0
        while place < bytes.count {
            guard case 0x30...0x39 = bytes[place] else { return nil }
            value = value * 10 + Int(bytes[place] - 0x30)
            place += 1
        }
        return isNegative ? -value : value
    }
}
