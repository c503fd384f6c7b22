import Dovetail
import Foundation

/// The text of one number or date, read as every kind that has such a text; and its bytes as the
/// bits of a number.
func checkScalars(_ data: Data) {
    checkNumber(data)
    checkIntegers(data)
    checkDecimal(data)
    checkMoment(data)
    let bits = data.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    checkBits(bits)
}

// MARK: Floating point

/// Whether the bytes are a number of RFC 8259, section 6, and nothing else.
private func isNumber(_ data: Data) -> Bool {
    var rest = data[...]
    func digits() -> Int {
        let count = rest.prefix { 0x30...0x39 ~= $0 }.count
        rest = rest.dropFirst(count)
        return count
    }
    func take(_ characters: String) -> Bool {
        guard let first = rest.first, characters.utf8.contains(first) else { return false }
        rest = rest.dropFirst()
        return true
    }
    _ = take("-")
    let startsWithZero = rest.first == 0x30
    let whole = digits()
    guard whole > 0, !startsWithZero || whole == 1 else { return false }
    if take("."), digits() == 0 { return false }
    if take("eE") {
        _ = take("+-")
        if digits() == 0 { return false }
    }
    return rest.isEmpty
}

/// The same bits as `strtod` and `strtof`, and an error just where those overflow.
private func checkNumber(_ data: Data) {
    let double = value("reading a Double") { try Double(decoding: data, as: .json) }
    let float = value("reading a Float") { try Float(decoding: data, as: .json) }
    guard isNumber(data) else {
        // White space may be around a number, and a byte order mark before it.
        let isAround = data.first.map { [0x20, 0x09, 0x0A, 0x0D, 0xEF].contains($0) } ?? false
        let isBehind = data.last.map { [0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? false
        if double != nil, !isAround, !isBehind { broken("only numbers are numbers", data.text) }
        return
    }
    let expected = strtod(data.text, nil)
    if double?.bitPattern != (expected.isFinite ? expected.bitPattern : nil) {
        broken("a Double is that of strtod", data.text, double as Any, expected)
    }
    let narrow = strtof(data.text, nil)
    if float?.bitPattern != (narrow.isFinite ? narrow.bitPattern : nil) {
        broken("a Float is that of strtof", data.text, float as Any, narrow)
    }
}

/// Bits come back, in every format that has a form for them.
private func checkBits(_ bits: UInt64) {
    let double = Double(bitPattern: bits)
    let float = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
    let date = Date(timeIntervalSinceReferenceDate: double)
    for format in [ModelFormat.json, .plist, .binaryPlist] {
        if let data = written("a Double", { try double.encoded(as: format) }) {
            let again = must("a Double is read", data.text) {
                try Double(decoding: data, as: format)
            }
            if again.bitPattern != bits, !double.isNaN {
                broken("a Double comes back", format.name, double, again)
            }
        } else if double.isFinite {
            broken("a Double has a form", format.name, double)
        }
        if let data = written("a Float", { try float.encoded(as: format) }) {
            let again = must("a Float is read", data.text) { try Float(decoding: data, as: format) }
            if again.bitPattern != float.bitPattern, !float.isNaN {
                broken("a Float comes back", format.name, float, again)
            }
        } else if float.isFinite {
            broken("a Float has a form", format.name, float)
        }
        if let data = written("a Date", { try date.encoded(as: format) }) {
            let again = must("a Date is read", data.text) { try Date(decoding: data, as: format) }
            if again != date, !double.isNaN {
                broken("a Date comes back", format.name, data.text, double, again)
            }
        }
    }
}

// MARK: Whole numbers and decimals

private func checkIntegers(_ data: Data) {
    guard isNumber(data) else { return }
    checkInteger(Int.self, data)
    checkInteger(Int8.self, data)
    checkInteger(UInt8.self, data)
    checkInteger(Int16.self, data)
    checkInteger(UInt32.self, data)
    checkInteger(UInt64.self, data)
}

/// An integer is worth what its text says, compared digit by digit as documents are; and digits
/// alone are what the standard library reads.
private func checkInteger<Number: FixedWidthInteger & ModelValue>(
    _ type: Number.Type,
    _ data: Data
) {
    let number = value("reading a \(type)") { try Number(decoding: data, as: .json) }
    if let number {
        let text = must("a number is a document") { try ModelDocument(decoding: data, as: .json) }
        if ModelDocument.integer(number) != text {
            broken("an integer is worth its text", data.text, number)
        }
    }
    if data.allSatisfy({ $0 == 0x2D || 0x30...0x39 ~= $0 }), number != Number(data.text) {
        broken("a \(type) is that of the standard library", data.text, number as Any)
    }
}

private func checkDecimal(_ data: Data) {
    guard let decimal = value("reading a Decimal", { try Decimal(decoding: data, as: .json) })
    else { return }
    guard isNumber(data) else { return }
    let text = must("a number is a document") { try ModelDocument(decoding: data, as: .json) }
    if ModelDocument.decimal(decimal) != text {
        broken("a Decimal is worth its text", data.text, decimal)
    }
    for format in [ModelFormat.json, .plist, .binaryPlist] {
        let again = must("a Decimal comes back", decimal) {
            try Decimal(decoding: decimal.encoded(as: format), as: format)
        }
        if again != decimal { broken("a Decimal comes back", format.name, decimal, again) }
    }
}

// MARK: Moments

/// A date is read as it was written, and one in whole seconds of UTC is that of the C library.
private func checkMoment(_ data: Data) {
    guard let quoted = try? data.text.encoded(as: .json) else { return }
    let date = value("reading a Date") { try Date(decoding: quoted, as: .json) }
    if let date, let again = written("a Date", { try date.encoded(as: .json) }) {
        let back = must("a Date comes back", again.text) { try Date(decoding: again, as: .json) }
        if back != date { broken("a Date comes back", data.text, again.text) }
    }
    let shape = data.map { 0x30...0x39 ~= $0 ? 0x30 : $0 }
    guard shape == Array("0000-00-00T00:00:00Z".utf8) else { return }
    let numbers = data.text.dropLast().split { "-T:".contains($0) }.compactMap { Int32($0) }
    var parts = tm()
    parts.tm_year = numbers[0] - 1900
    parts.tm_mon = numbers[1] - 1
    parts.tm_mday = numbers[2]
    parts.tm_hour = numbers[3]
    parts.tm_min = numbers[4]
    parts.tm_sec = numbers[5]
    let given = parts
    let seconds = timegm(&parts)
    // The C library carries what is too large; a leap second is read (RFC 3339, section 5.7).
    let isDay =
        parts.tm_mon == given.tm_mon && parts.tm_mday == given.tm_mday
        && parts.tm_hour == given.tm_hour && parts.tm_min == given.tm_min
    let isLeap = given.tm_sec == 60
    if isLeap { return }
    let expected =
        isDay && parts.tm_sec == given.tm_sec ? Double(seconds) - 978_307_200 : nil
    if date?.timeIntervalSinceReferenceDate != expected {
        broken("a Date is that of timegm", data.text, date as Any, expected as Any)
    }
}
