import Foundation

/// A number of a document, in the form it came in.
///
/// JSON does not say what type a number has, so one that `Int64` does not hold digit by digit is
/// kept as text and interpreted by whoever asks. Numbers that come with a type, from a property
/// list, a model or code, keep it. Equality and hashing go by ``value``, whatever the form.
enum DocumentNumber: Sendable {
    /// A whole number whose text is its plain digits.
    case integer(Int64)
    /// A double, perhaps NaN or infinite.
    case double(Double)
    /// A decimal number, perhaps NaN. Indirect, as it is rare and larger than any other value: it
    /// would make every ``ModelDocument`` larger.
    indirect case decimal(Decimal)
    /// The text of a number of JSON (RFC 8259, section 6).
    case text(String)

    /// What a document says the number is. A text with a point or an exponent counts as a double.
    ///
    /// - Complexity: linear in the text of a number that is kept as text, otherwise O(1).
    var kind: ModelDocument.Kind {
        switch self {
        case .integer: .integer
        case .double: .double
        case .decimal: .decimal
        case .text(let text):
            text.utf8.contains { $0 == 0x2E || $0 | 0x20 == 0x65 } ? .double : .integer
        }
    }

    /// The number as JSON has it; NaN and infinities have no such form and give what Swift prints.
    /// A double that is whole loses its ".0", as in what the writer of JSON makes of it.
    var text: String {
        switch self {
        case .integer(let value): return String(value)
        case .double(let value):
            let text = value.description
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        case .decimal(let value): return value.description
        case .text(let text): return text
        }
    }

    /// What the number is worth, for comparison.
    ///
    /// - Complexity: linear in the digits.
    var value: NumberValue {
        switch self {
        case .integer(let value): NumberValue(value)
        case .double(let value) where !value.isFinite:
            NumberValue(special: value.isNaN ? "NaN" : value < 0 ? "-infinity" : "infinity")
        case .decimal(let value) where value.isNaN: NumberValue(special: "NaN")
        default: NumberValue(text: text)
        }
    }

    /// The number as `Int` when it is whole and fits, however it is written: `2.0`, `2e1`.
    ///
    /// - Complexity: linear in the digits, O(1) for plain ones.
    var int: Int? {
        if case .integer(let value) = self { return Int(exactly: value) }
        return value.int
    }

    /// The nearest double; nil for a text or decimal that is larger than any.
    var double: Double? {
        switch self {
        case .integer(let value): return Double(value)
        case .double(let value): return value
        case .decimal, .text:
            guard let value = Double(text), value.isFinite else { return nil }
            return value
        }
    }

    /// The number as `Decimal`; nil when its digits or its exponent do not fit.
    var decimal: Decimal? {
        if case .decimal(let value) = self { return value }
        // `Decimal` does not read `0e999`.
        return Decimal(exactText: text) ?? (value == NumberValue(0) ? 0 : nil)
    }
}

extension DocumentNumber: Hashable {
    static func == (left: DocumentNumber, right: DocumentNumber) -> Bool {
        if case (.integer(let left), .integer(let right)) = (left, right) { return left == right }
        return left.value == right.value
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}

/// What a number is worth: its digits without zeros at either end, and a power of ten.
///
/// Every number has one such form, so equal forms are equal numbers: `1`, `1.0` and `10e-1` are all
/// the digit 1 and the exponent 0. No digit is rounded, and the size of an exponent costs nothing.
///
/// `-0` is worth 0. A double is worth what its shortest text says. Exponents of more than 18 digits
/// are compared as they are written, so `10e9999999999999999999` is not `1e10000000000000000000`.
struct NumberValue: Hashable {
    private var isNegative = false
    /// The first 19 digits, which 64 bits hold.
    private var leading: UInt64 = 0
    /// The digits after them, each from 0 to 9.
    private var rest: [UInt8] = []
    /// The power of ten of the last digit.
    private var exponent = 0
    /// An exponent of more than 18 digits as text, or the name of what is no number; else empty.
    private var farExponent = ""

    private static let leadingDigits = 19

    /// The value of a whole number. Complexity: O(1).
    init(_ value: Int64) {
        isNegative = value < 0
        leading = value.magnitude
        while leading != 0, leading % 10 == 0 {
            leading /= 10
            exponent += 1
        }
    }

    /// NaN or an infinity, each of which equals itself.
    init(special: String) {
        farExponent = special
    }

    /// The value of a text.
    ///
    /// - Parameter text: a number of JSON (RFC 8259, section 6).
    /// - Complexity: linear in the text.
    init(text: String) {
        var digits = 0
        var zeros = 0
        var fractionDigits = 0
        var isFraction = false
        var bytes = text.utf8.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case 0x2D: isNegative = true
            case 0x2E: isFraction = true
            case 0x30...0x39:
                if isFraction { fractionDigits += 1 }
                if byte == 0x30 {
                    if digits > 0 { zeros += 1 }
                    continue
                }
                for _ in 0..<zeros { append(0, &digits) }
                zeros = 0
                append(byte - 0x30, &digits)
            default: readExponent(&bytes)
            }
        }
        if digits == 0 {
            self = NumberValue(0)
        } else {
            exponent += zeros - fractionDigits
        }
    }

    /// Adds a digit, the highest first. Zeros come here only once another digit follows them.
    private mutating func append(_ digit: UInt8, _ digits: inout Int) {
        if digits < Self.leadingDigits {
            leading = leading * 10 + UInt64(digit)
        } else {
            rest.append(digit)
        }
        digits += 1
    }

    /// Reads what follows the `e`, without leading zeros. 18 digits leave room in `Int` for adding
    /// the zeros and the digits of the fraction.
    private mutating func readExponent(_ bytes: inout String.UTF8View.Iterator) {
        var text = ""
        var sign = ""
        while let byte = bytes.next() {
            if byte == 0x2D { sign = "-" }
            guard 0x30...0x39 ~= byte, !(text.isEmpty && byte == 0x30) else { continue }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        if text.utf8.count <= 18 {
            exponent = Int(sign + text) ?? 0
        } else {
            farExponent = sign + text
        }
    }

    /// The whole number, if it is one and fits.
    var int: Int? {
        guard rest.isEmpty, farExponent.isEmpty, 0..<Self.leadingDigits ~= exponent else {
            return nil
        }
        var magnitude = leading
        for _ in 0..<exponent {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            magnitude = product
        }
        if !isNegative { return Int(exactly: magnitude) }
        return magnitude == Int.min.magnitude ? Int.min : Int(exactly: magnitude).map { -$0 }
    }
}
