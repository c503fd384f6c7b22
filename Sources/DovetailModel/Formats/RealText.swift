import Foundation

/// The text of `<real>`, and of the numbers that documents keep as text.
enum RealText {
    /// The number, correctly rounded; nil for text that is none.
    ///
    /// Up to 19 digits without an exponent, which most numbers have, are rounded with integers
    /// (``DecimalRounding``), as in JSON. The rest is left to the standard library.
    static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        var index = 0
        var mantissa: UInt64 = 0
        var digits = 0
        var fraction = 0
        var hasPoint = false
        let isNegative = bytes.first == 0x2D
        if isNegative || bytes.first == 0x2B { index = 1 }
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x2E, !hasPoint {
                hasPoint = true
            } else if 0x30...0x39 ~= byte {
                mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)
                digits += 1
                if hasPoint { fraction += 1 }
            } else {
                break
            }
            index += 1
        }
        if index == bytes.count, digits > 0, digits <= 19,
            let value = DecimalRounding.double(mantissa: mantissa, exponent: -fraction)
        {
            return isNegative ? -value : value
        }
        return valueOnSlowPath(String(decoding: bytes, as: UTF8.self))
    }

    /// The slow path: names of NaN and the infinities in any case, exponents, and more digits.
    private static func valueOnSlowPath(_ text: String) -> Double? {
        switch text.lowercased() {
        case "nan": return .nan
        case "infinity", "+infinity", "inf", "+inf": return .infinity
        case "-infinity", "-inf": return -.infinity
        default:
            // `Double(_:)` also reads hexadecimal numbers, which are none here.
            let isPlain = text.utf8.allSatisfy { byte in
                0x30...0x39 ~= byte || byte == 0x2E || byte == 0x2B || byte == 0x2D
                    || byte | 0x20 == 0x65
            }
            guard isPlain, let value = Double(text) else { return nil }
            return value
        }
    }
}
