import Foundation

// The values of XML property lists.
//
// Each function takes the element whose tag is under the cursor and leaves the cursor after its end
// tag. Errors are about the start of the element.

extension ModelReader {
    /// The tag under the cursor, without moving.
    ///
    /// - Throws: ``ModelDecodingError`` when another tag or none is there.
    @inline(__always)
    private mutating func xmlTag(
        _ name: XMLTag.Name,
        _ expected: @autoclosure () -> String
    ) throws -> XMLTag {
        guard let tag = XMLTag(at: cursor, end: end), tag.name == name else {
            throw mismatch(expected())
        }
        return tag
    }

    /// Moves over the string "$null", which Foundation writes for nil; false without moving when
    /// something else is there.
    mutating func readXMLNull() -> Bool {
        if XMLScan.has("<string>$null</string>", at: cursor, end: end) {
            cursor += 22
            return true
        }
        // The same text may be spelt with references, sections or a comment. Only text that starts
        // with one of these or with the dollar sign is read for the comparison.
        let start = cursor
        guard let tag = XMLTag(at: cursor, end: end), tag.name == .string,
            [0x24, 0x26, 0x3C].contains(byte(at: tag.content)),
            let text = try? scanXMLText(tag), PropertyListNull.isNull(text)
        else {
            cursor = start
            return false
        }
        return true
    }

    /// The string under the cursor as a key: the name of a case or of a type. Valid until the next
    /// text is read.
    mutating func readXMLName(_ expected: String) throws -> FieldKey {
        let start = cursor
        let text = try scanXMLText(xmlTag(.string, expected))
        if PropertyListNull.isNull(text) { throw nullMismatch(expected, at: start) }
        return FieldKey(start: text.baseAddress ?? ReaderState.noBytes, count: text.count)
    }

    /// - Throws: ``ModelDecodingError``, also for the string that means null.
    mutating func readXMLString() throws -> String {
        let start = cursor
        let text = try scanXMLText(xmlTag(.string, "String"))
        if PropertyListNull.isNull(text) { throw nullMismatch("String", at: start) }
        return UTF8Check.string(validated: text)
    }

    /// `<true/>` or `<false/>`, also as `<true></true>`.
    mutating func readXMLBool() throws -> Bool {
        guard let tag = XMLTag(at: cursor, end: end), tag.name == .yes || tag.name == .no else {
            throw mismatch("Bool")
        }
        let start = cursor
        guard try scanXMLText(tag).isEmpty else {
            throw syntaxError(expected: "an element without content", at: start)
        }
        return tag.name == .yes
    }

    /// An `<integer>`, or a `<real>` that is whole.
    ///
    /// - Parameter type: the declared type, for messages; the caller checks whether it fits.
    mutating func readXMLInteger(_ type: Any.Type) throws -> Int128 {
        let start = cursor
        guard let tag = XMLTag(at: cursor, end: end) else { throw mismatch("\(type)") }
        if tag.name == .real {
            let value = try readXMLDouble()
            guard let whole = Int128(exactly: value) else { throw outOfRange(type, at: start) }
            return whole
        }
        let text = try scanXMLText(xmlTag(.integer, "\(type)"))
        guard let number = XMLInteger(text) else {
            throw syntaxError(expected: "a whole number", at: start)
        }
        guard let value = number.value else { throw outOfRange(type, at: start) }
        return value
    }

    /// A `<real>`, or an `<integer>` rounded to the nearest double.
    mutating func readXMLDouble() throws -> Double {
        let start = cursor
        guard let tag = XMLTag(at: cursor, end: end) else { throw mismatch("Double") }
        if tag.name == .integer { return Double(try readXMLInteger(Double.self)) }
        let text = try scanXMLText(xmlTag(.real, "Double"))
        // `RealText` says what is accepted; NaN and infinities are.
        guard let value = RealText.value(text) else {
            throw syntaxError(expected: "a floating point number", at: start)
        }
        return value
    }

    /// The digits of the number between `start` and the cursor, which was read; nil where there are
    /// none.
    ///
    /// For the rare number whose rounding to a narrower type needs the text (`Float`). The cursor
    /// of a binary property list and of a tree does not move when a value is read, so there the
    /// number is the one under the cursor.
    mutating func numberText(from start: UnsafePointer<UInt8>) -> String? {
        switch source {
        case .json: return String(decoding: bytes(from: start, to: cursor), as: UTF8.self)
        case .row, .tagged: return nil
        case .binaryPropertyList:
            guard cursor.pointee & 0xF0 == BinaryPropertyListMarker.integer else { return nil }
            return (try? readBinaryInteger(Float.self)).map { "\($0)" }
        case .tree: return treeNumberText
        case .xmlPropertyList:
            // The number is read once more, and the cursor comes back after it.
            let afterText = cursor
            defer { cursor = afterText }
            guard let tag = XMLTag(at: start, end: end), let text = try? scanXMLText(tag) else {
                return nil
            }
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// A decimal number is a string in property lists; numbers are read, too, and so is the
    /// dictionary that `PropertyListEncoder` makes of a `Decimal`.
    mutating func readXMLDecimal() throws -> Decimal {
        let start = cursor
        guard let tag = XMLTag(at: cursor, end: end) else { throw mismatch("Decimal") }
        switch tag.name {
        case .dict: return try readCodable(Decimal.self)
        case .integer: return try decimal(of: "\(readXMLInteger(Decimal.self))", at: start)
        case .string, .real:
            let text = String(decoding: try scanXMLText(tag), as: UTF8.self)
            return try decimal(of: text, at: start)
        default: throw mismatch("Decimal")
        }
    }

    /// A `<date>` in UTC, or a string in ISO 8601.
    mutating func readXMLDate() throws -> Date {
        guard let tag = XMLTag(at: cursor, end: end), tag.name == .date else {
            return try readDateText()
        }
        let start = cursor
        let text = String(decoding: try scanXMLText(tag), as: UTF8.self)
        guard text.hasSuffix("Z"),
            let date = DateText.date(iso8601: text.dropLast() + scanXMLFraction() + "Z")
        else { throw syntaxError(expected: "a date such as 2001-01-01T00:00:00Z", at: start) }
        return date
    }

    /// The fraction of a second, which `<date>` has no room for, from the comment after it:
    /// `<!--.5-->`. ``ModelWriter`` writes it; any other comment gives an empty text and is left
    /// where it is.
    private mutating func scanXMLFraction() -> String {
        guard XMLScan.has("<!--.", at: cursor, end: end) else { return "" }
        var next = cursor + 5
        while next < end, 0x30...0x39 ~= next.pointee { next += 1 }
        guard next > cursor + 5, XMLScan.has("-->", at: next, end: end) else { return "" }
        let digits = String(decoding: bytes(from: cursor + 5, to: next), as: UTF8.self)
        cursor = next + 3
        return "." + digits
    }

    /// A `<data>` or a string, in base64 (RFC 4648, section 4). White space is dropped first, as
    /// writers break the lines.
    mutating func readXMLData() throws -> Data {
        guard let tag = XMLTag(at: cursor, end: end), tag.name == .data else {
            return try readDataText()
        }
        let start = cursor
        let text = Data(try scanXMLText(tag).lazy.filter { !XMLScan.isSpace($0) })
        guard let data = Data(base64Encoded: text) else {
            throw syntaxError(expected: "base64", at: start)
        }
        return data
    }

    /// Moves over any value, checking that it is one.
    ///
    /// XML says nowhere how long an element is, so all of it is scanned. The recursion ends at
    /// ``ModelReader/maximumDepth``, where entering a container throws.
    mutating func skipXMLValue() throws {
        guard let tag = XMLTag(at: cursor, end: end) else { throw mismatch("a value") }
        switch tag.name {
        case .dict:
            var object = ObjectScope(start: cursor)
            try enterXMLContainer(.dict, "object")
            while try nextXMLKey(in: &object) != nil { try skipXMLValue() }
        case .array:
            var array = ArrayScope(start: cursor)
            try enterXMLContainer(.array, "array")
            while try nextXMLElement(in: &array) { try skipXMLValue() }
        case .string: _ = try scanXMLText(tag)
        case .yes, .no: _ = try readXMLBool()
        case .integer: _ = try readXMLDocumentNumber()
        case .real: _ = try readXMLDouble()
        case .date: _ = try readXMLDate()
        case .data: _ = try readXMLData()
        default: throw mismatch("a value")
        }
    }

    /// The number under the cursor with all of its digits: an integer of any length in decimal,
    /// one of up to 128 bits in hexadecimal, and a real as a double.
    mutating func readXMLDocumentNumber() throws -> DocumentNumber {
        let start = cursor
        guard let tag = XMLTag(at: cursor, end: end), tag.name == .integer else {
            return .double(try readXMLDouble())
        }
        guard let number = XMLInteger(try scanXMLText(tag)) else {
            throw syntaxError(expected: "a whole number", at: start)
        }
        if let value = number.value {
            return Int64(exactly: value).map { .integer($0) } ?? .text("\(value)")
        }
        guard let digits = number.decimalDigits else { throw outOfRange(Int128.self, at: start) }
        return .text(digits)
    }
}
