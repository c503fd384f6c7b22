import Foundation

/// The text of `<integer>`: decimal or hexadecimal digits after an optional sign.
///
/// Up to 15 digits are summed up in 64 bits, which both radixes fit into; longer numbers take the
/// slow path with 128 bits and checks for overflow.
struct XMLInteger {
    /// The number; nil when it needs more than 128 bits.
    let value: Int128?
    /// The digits of a long decimal number with its sign, without leading zeros; nil for a
    /// hexadecimal number and for one of up to 15 digits, which ``value`` holds.
    let decimalDigits: String?

    /// - Returns: nil for text that is no whole number. White space may come before it, as in
    ///   Foundation; none may follow.
    /// - Complexity: linear in the text.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        var rest = text[...]
        while let first = rest.first, XMLScan.isSpace(first) { rest.removeFirst() }
        let isNegative = rest.first == 0x2D
        if isNegative || rest.first == 0x2B { rest.removeFirst() }
        let isHexadecimal = rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8)
        if isHexadecimal { rest.removeFirst(2) }
        guard !rest.isEmpty else { return nil }
        let radix: UInt64 = isHexadecimal ? 16 : 10
        var small: UInt64 = 0
        var magnitude: UInt128? = 0
        let isShort = rest.count <= 15
        for byte in rest {
            let digit: UInt64
            switch byte {
            case 0x30...0x39: digit = UInt64(byte - 0x30)
            case 0x41...0x46 where isHexadecimal: digit = UInt64(byte - 0x37)
            case 0x61...0x66 where isHexadecimal: digit = UInt64(byte - 0x57)
            default: return nil
            }
            if isShort {
                small = small &* radix &+ digit
                continue
            }
            magnitude = magnitude.flatMap { known in
                let (product, isOver) = known.multipliedReportingOverflow(by: UInt128(radix))
                let (sum, isFull) = product.addingReportingOverflow(UInt128(digit))
                return isOver || isFull ? nil : sum
            }
        }
        if isShort {
            value = isNegative ? -Int128(small) : Int128(small)
            decimalDigits = nil
            return
        }
        value = magnitude.flatMap { magnitude in
            guard let positive = Int128(exactly: magnitude) else { return nil }
            return isNegative ? -positive : positive
        }
        decimalDigits =
            isHexadecimal
            ? nil : (isNegative ? "-" : "") + String(decoding: rest, as: UTF8.self).strippingZeros
    }
}

extension String {
    /// The text without leading zeros; one is left of zero.
    fileprivate var strippingZeros: String {
        let rest = drop { $0 == "0" }
        return rest.isEmpty ? "0" : String(rest)
    }
}

/// The characters of XML 1.0 (section 2.2).
enum XMLCharacter {
    /// Whether a document may contain a character. The reader is more lenient than the writer, as
    /// Foundation writes others.
    static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
