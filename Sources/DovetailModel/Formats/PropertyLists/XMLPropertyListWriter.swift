import Foundation

// XML property lists are written into the buffer that JSON is written into, laid out as Foundation
// does: a line for each element or tag of a container, a tab for each level. The result is the
// bytes of `PropertyListEncoder`, where the members are in the order of their names.
//
// `remainingDepth` is the depth of the layout, too: a tab for each level that was entered.

extension ModelWriter {
    /// Writes the declaration, the document type and the start of `<plist>`, before any value.
    mutating func beginXMLDocument() {
        append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
            "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        )
    }

    /// Writes the end of `<plist>`.
    ///
    /// - Throws: ``ModelEncodingError`` when the name of a field could not be written
    ///   (`isUnwritable`).
    mutating func endXMLDocument() throws {
        if isUnwritable {
            throw ModelEncodingError(
                kind: .notRepresentable,
                explanation: "XML has no form for a character in the name of a field"
            )
        }
        append("</plist>\n")
    }

    /// Starts a line: a tab for each open container.
    @inline(__always)
    private mutating func indent() {
        let depth = ModelReader.maximumDepth &- remainingDepth
        reserve(depth)
        for _ in 0..<depth { put(0x09) }
    }

    /// Opens a container. Called before the depth is counted, so its tag has the outer indentation.
    ///
    /// - Parameter tag: the tag and a line feed, which ``endXMLContainer(_:_:_:)`` compares with.
    mutating func beginXMLContainer(_ tag: StaticString) {
        indent()
        append(tag)
    }

    /// Closes a container; an empty one becomes a tag that ends itself, as in Foundation.
    ///
    /// - Parameters:
    ///   - begin: the start tag and a line feed, as it was written.
    ///   - end: the end tag and a line feed.
    ///   - empty: what replaces the start tag of a container without content.
    mutating func endXMLContainer(_ begin: StaticString, _ end: StaticString, _ empty: StaticString)
    {
        remainingDepth += 1
        // Text has no `<`, and an inner container ends in another tag, so these bytes can only be
        // the tag that opened this container.
        let length = begin.utf8CodeUnitCount
        if count >= length, isWritten(begin, at: count - length) {
            count -= length
            append(empty)
        } else {
            indent()
            append(end)
        }
    }

    /// Whether the buffer holds a text from `start` on.
    ///
    /// Invariant: the caller has compared `count` with the text's length, so all bytes are written.
    private func isWritten(_ text: StaticString, at start: Int) -> Bool {
        for index in 0..<text.utf8CodeUnitCount
        where buffer[start + index] != text.utf8Start[index] {
            return false
        }
        return true
    }

    /// Writes the name of a member.
    ///
    /// - Throws: ``ModelEncodingError`` for characters that XML has no form for.
    mutating func appendXMLKey(_ name: UnsafeBufferPointer<UInt8>) throws {
        indent()
        append("<key>")
        try appendXMLText(name)
        append("</key>\n")
    }

    /// Writes the name of a field of generated code, which is a token of JSON (``FieldToken``).
    mutating func appendXMLKey(token: StaticString) {
        FieldToken.withName(token) { name in
            do {
                try appendXMLKey(name)
            } catch {
                // Starting a field does not throw; `endXMLDocument()` does.
                isUnwritable = true
            }
        }
    }

    /// Writes a string. The caller has refused `$null` (`ModelWriter.writeNonJSON(_:)`).
    ///
    /// - Throws: ``ModelEncodingError`` for characters that XML has no form for.
    mutating func writeXML(string: UnsafeBufferPointer<UInt8>) throws {
        indent()
        append("<string>")
        try appendXMLText(string)
        append("</string>\n")
    }

    mutating func writeXML(_ value: Bool) {
        indent()
        append(value ? "<true/>\n" : "<false/>\n")
    }

    /// Property lists have no null; this string is what Foundation writes for nil.
    mutating func writeXMLNull() {
        indent()
        append("<string>$null</string>\n")
    }

    /// Up to 128 bits are written; Foundation reads from −2^63 to 2^64 − 1.
    mutating func writeXML(integer value: Int128) {
        indent()
        append("<integer>")
        if value < 0 { append(0x2D) }
        if let small = UInt64(exactly: value.magnitude) {
            appendDigits(small)
        } else {
            for byte in value.magnitude.description.utf8 { append(byte) }
        }
        append("</integer>\n")
    }

    /// NaN and infinities have the names that Foundation gives them.
    mutating func writeXML(real value: Double) throws {
        indent()
        append("<real>")
        if value.isFinite {
            // The digits are those of JSON, so its primitive writes them into the same buffer.
            destination = .json
            defer { destination = .xmlPropertyList }
            try write(value)
        } else {
            append(value.isNaN ? "nan" : value < 0 ? "-infinity" : "+infinity")
        }
        append("</real>\n")
    }

    /// Writes a date in whole seconds, as Foundation reads it, and the fraction, for which `<date>`
    /// has no room, in a comment after it: `<date>2001-01-01T00:00:01Z</date><!--.5-->`.
    ///
    /// - Throws: ``ModelEncodingError`` outside of the years 0 to 9999.
    mutating func writeXML(_ value: Date) throws {
        indent()
        append("<date>")
        // 19 bytes, "2001-01-01T00:00:00", and after them ".5Z" or "Z".
        let text = try DateText.iso8601(value)
        for byte in text.utf8.prefix(19) { append(byte) }
        append("Z</date>")
        if text.utf8.count > 20 {
            append("<!--")
            for byte in text.utf8.dropFirst(19).dropLast() { append(byte) }
            append("-->")
        }
        append(0x0A)
    }

    /// Writes bytes as base64, in lines that are as long as Foundation's: 76 columns, of which a
    /// tab takes eight, in multiples of four characters and not less than twelve.
    mutating func writeXML(_ value: Data) {
        indent()
        append("<data>\n")
        let depth = min(ModelReader.maximumDepth - remainingDepth, 8)
        let width = max(76 - 8 * depth, 12) / 4 * 4
        value.base64EncodedData().withUnsafeBytes { raw in
            let text = raw.bindMemory(to: UInt8.self)
            var start = 0
            while start < text.count {
                let end = min(start + width, text.count)
                indent()
                append(UnsafeBufferPointer(rebasing: text[start..<end]))
                append(0x0A)
                start = end
            }
        }
        indent()
        append("</data>\n")
    }

    /// The end of what stands in XML as it is. Eight bytes are looked at together: one by one they took as
    /// long as all the rest of a long text five times.
    private static func plainXML(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let (ones, tops) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
        /// Has the top bit of each byte that is 0, and maybe of bytes above one that is.
        func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & tops }
        let bytes = UnsafeRawBufferPointer(text)
        var place = start
        while true {
            if place + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                let controls = (word &- ones &* 0x20) & ~word & tops
                // `<` and `>` differ in one bit.
                let brackets = zeros((word | ones &* 0x02) ^ ones &* 0x3E)
                let ampersands = zeros(word ^ ones &* 0x26)
                if controls | brackets | ampersands == 0 {
                    place += 8
                    continue
                }
            }
            // The next ones by themselves: most are tabs and line feeds.
            let end = min(place + 8, bytes.count)
            while place < end {
                switch bytes[place] {
                case 0x09, 0x0A: break
                case 0x00..<0x20, 0x26, 0x3C, 0x3E: return place
                default: break
                }
                place += 1
            }
            if place == bytes.count { return place }
        }
    }

    /// Appends text, with `<`, `>`, `&` and carriage returns as references.
    ///
    /// - Throws: ``ModelEncodingError`` for characters outside of XML 1.0, section 2.2.
    private mutating func appendXMLText(_ text: UnsafeBufferPointer<UInt8>) throws {
        reserve(text.count)
        var start = 0
        while true {
            let end = Self.plainXML(text, from: start)
            append(UnsafeBufferPointer(rebasing: text[start..<end]))
            guard end < text.count else { break }
            start = end + 1
            let byte = text[end]
            switch byte {
            case 0x3C: append("&lt;")
            case 0x3E: append("&gt;")
            case 0x26: append("&amp;")
            // A parser has to make a line feed of a plain one (XML 1.0, section 2.11).
            case 0x0D: append("&#13;")
            case 0x00..<0x20 where byte != 0x09 && byte != 0x0A:
                throw ModelEncodingError(
                    kind: .notRepresentable,
                    explanation: "XML has no form for the character U+00"
                        + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
                )
            default: append(byte)
            }
        }
        // U+FFFE and U+FFFF are 0xEF 0xBF 0xBE and 0xEF 0xBF 0xBF, so most texts need no second
        // look. Surrogates cannot occur: the text is valid UTF-8.
        guard text.contains(0xEF) else { return }
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars
        where !XMLCharacter.isAllowed(scalar) {
            throw ModelEncodingError(
                kind: .notRepresentable,
                explanation: "XML has no form for the character U+"
                    + String(scalar.value, radix: 16, uppercase: true)
            )
        }
    }
}
