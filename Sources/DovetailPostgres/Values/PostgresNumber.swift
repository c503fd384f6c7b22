import Foundation

/// `numeric` in its binary form: a count of digits to the base of 10,000, the weight of the first one,
/// a sign, the number of decimal places, and the digits, all of them 16 bits
/// (`numeric_send` of PostgreSQL).
enum PostgresNumber {
    private static let negative: UInt16 = 0x4000

    /// Writes the digits of a decimal number.
    ///
    /// - Parameter put: Takes one word after the other.
    /// - Returns: nil for what is no number.
    static func encode(_ value: Decimal, _ put: (UInt16) -> Void) -> Bool {
        if value.isNaN { return false }
        // The text has no exponent.
        encode(digits: Array(value.description.utf8), put)
        return true
    }

    /// Writes a number that stands in digits, with as many decimal places as it has.
    ///
    /// - Parameter digits: As JSON writes it, without an exponent, of some thousands at most.
    static func encode(digits text: [UInt8], _ put: (UInt16) -> Void) {
        var text = text
        let isNegative = text.first == UInt8(ascii: "-")
        if isNegative { text.removeFirst() }
        let point = text.firstIndex(of: UInt8(ascii: ".")) ?? text.count
        let fraction = text.count > point ? text.count - point - 1 : 0
        var digits: [UInt16] = []
        // Groups of four, from the point to both sides.
        var whole: [UInt16] = []
        var end = point
        while end > 0 {
            let start = max(0, end - 4)
            whole.append(number(text[start..<end]))
            end = start
        }
        digits = whole.reversed()
        var start = point + 1
        while start < text.count {
            let end = min(text.count, start + 4)
            var group = number(text[start..<end])
            for _ in (end - start)..<4 { group *= 10 }
            digits.append(group)
            start = end
        }
        var weight = whole.count - 1
        while let first = digits.first, first == 0 {
            digits.removeFirst()
            weight -= 1
        }
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty { weight = 0 }
        put(UInt16(digits.count))
        put(UInt16(bitPattern: Int16(weight)))
        put(isNegative && !digits.isEmpty ? negative : 0)
        put(UInt16(fraction))
        for digit in digits { put(digit) }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt16 {
        digits.reduce(0) { $0 * 10 + UInt16($1 &- UInt8(ascii: "0")) }
    }

    /// The text of a number; nil for what is none, such as `NaN`, and for bytes that are no `numeric`.
    ///
    /// - Complexity: linear in the number of digits, at most 147,456.
    static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard bytes.count >= 8 else { return nil }
        func word(_ index: Int) -> UInt16 {
            UInt16(bytes[index * 2]) << 8 | UInt16(bytes[index * 2 + 1])
        }
        let count = Int(word(0))
        let weight = Int(Int16(bitPattern: word(1)))
        let sign = word(2)
        let scale = Int(word(3) & 0x3FFF)
        guard sign == 0 || sign == negative, bytes.count == 8 + count * 2 else { return nil }
        var text: [UInt8] = sign == negative ? [UInt8(ascii: "-")] : []
        /// The group at a weight as four digits.
        func group(_ place: Int) -> [UInt8]? {
            let index = weight - place
            let value = (0..<count).contains(index) ? word(4 + index) : 0
            guard value < 10_000 else { return nil }
            return [value / 1000, value / 100 % 10, value / 10 % 10, value % 10]
                .map { UInt8($0) + UInt8(ascii: "0") }
        }
        var place = max(weight, 0)
        var whole: [UInt8] = []
        while place >= 0 {
            guard let digits = group(place) else { return nil }
            whole += digits
            place -= 1
        }
        text += whole.drop { $0 == UInt8(ascii: "0") }
        if text.isEmpty || text.count == 1 && sign == negative { text.append(UInt8(ascii: "0")) }
        guard scale > 0 else { return text }
        var fraction: [UInt8] = []
        while fraction.count < scale {
            guard let digits = group(place) else { return nil }
            fraction += digits
            place -= 1
        }
        return text + [UInt8(ascii: ".")] + fraction.prefix(scale)
    }
}
