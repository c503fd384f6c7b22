/// A decimal number as a column holds it, `-12.50`, in parts that can be compared as bytes. To make a
/// `Decimal` of each text was most of what sorting by one took.
struct DecimalText {
    private let isNegative: Bool
    /// The digits before the point, without zeros at the beginning.
    private let whole: UnsafeRawBufferPointer.SubSequence
    /// The digits after it, without zeros at the end.
    private let fraction: UnsafeRawBufferPointer.SubSequence

    /// The largest whole number of 128 bits, which is what a `Decimal` has for its digits.
    private static let largest: [UInt8] = Array("340282366920938463463374607431768211455".utf8)

    /// Finds the parts of a number that a `Decimal` can hold; nil for any other text, also for numbers with an
    /// exponent.
    init?(_ text: UnsafeRawBufferPointer) {
        let minus = text.first == 0x2D
        let digits = text.dropFirst(minus ? 1 : 0)
        let point = digits.firstIndex(of: 0x2E) ?? digits.endIndex
        let (before, after) = (digits[..<point], digits[point...].dropFirst())
        guard !before.isEmpty, point == digits.endIndex || !after.isEmpty,
            before.allSatisfy({ 0x30...0x39 ~= $0 }), after.allSatisfy({ 0x30...0x39 ~= $0 })
        else { return nil }
        whole = before.drop { $0 == 0x30 }
        let last = after.lastIndex { $0 != 0x30 }
        fraction = last.map { after[...$0] } ?? after[..<after.startIndex]
        let count = whole.count + fraction.count
        guard count <= Self.largest.count else { return nil }
        if count == Self.largest.count {
            let isLarger = Self.largest.lexicographicallyPrecedes([whole, fraction].joined())
            if isLarger { return nil }
        }
        isNegative = minus && !(whole.isEmpty && fraction.isEmpty)
    }

    /// -1, 0 or 1, as the number is less than another one, equal or greater.
    func order(to other: DecimalText) -> Int32 {
        if isNegative != other.isNegative { return isNegative ? -1 : 1 }
        let size = sizeOrder(to: other)
        return isNegative ? -size : size
    }

    /// The same without the signs.
    private func sizeOrder(to other: DecimalText) -> Int32 {
        if whole.count != other.whole.count { return whole.count < other.whole.count ? -1 : 1 }
        let order = Self.order(whole, other.whole)
        return order != 0 ? order : Self.order(fraction, other.fraction)
    }

    /// The order of digits from the first that differs on; what another one begins with comes first.
    private static func order(
        _ left: UnsafeRawBufferPointer.SubSequence,
        _ right: UnsafeRawBufferPointer.SubSequence
    ) -> Int32 {
        for (one, other) in zip(left, right) where one != other { return one < other ? -1 : 1 }
        return left.count == right.count ? 0 : left.count < right.count ? -1 : 1
    }
}
