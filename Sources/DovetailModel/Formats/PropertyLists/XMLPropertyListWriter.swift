import Foundation

// XML property lists are written into the buffer that JSON is written into, laid out as Foundation
// does: a line for each tag, a tab for each level.

extension ModelWriter {
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

    mutating func endXMLDocument() throws {
        if isUnwritable {
            throw ModelEncodingError(
                reason: .notRepresentable,
                explanation: "XML has no form for a character in the name of a field"
            )
        }
        append("</plist>\n")
    }

    @inline(__always)
    private mutating func indent() {
        let depth = ModelReader.maximumDepth &- remainingDepth
        reserve(depth)
        for _ in 0..<depth { put(0x09) }
    }

    mutating func beginXMLContainer(_ tag: StaticString) {
        indent()
        append(tag)
    }

    /// Closes a container; an empty one becomes a tag that ends itself.
    mutating func endXMLContainer(_ begin: StaticString, _ end: StaticString, _ empty: StaticString)
    {
        remainingDepth += 1
        // Text has no `<`, so these bytes are the tag that opened the container.
        let length = begin.utf8CodeUnitCount
        if count >= length, isWritten(begin, at: count - length) {
            count -= length
            append(empty)
        } else {
            indent()
            append(end)
        }
    }

    private func isWritten(_ text: StaticString, at start: Int) -> Bool {
        for index in 0..<text.utf8CodeUnitCount
        where buffer[start + index] != text.utf8Start[index] {
            return false
        }
        return true
    }

    mutating func appendXMLKey(_ name: UnsafeBufferPointer<UInt8>) throws {
        indent()
        append("<key>")
        try appendXMLText(name)
        append("</key>\n")
    }

    mutating func appendXMLKey(token: StaticString) {
        FieldToken.withName(token) { name in
            do {
                try appendXMLKey(name)
            } catch {
                // Starting a field does not throw; the document fails when it is finished.
                isUnwritable = true
            }
        }
    }

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

    mutating func writeXMLNull() {
        indent()
        append("<string>$null</string>\n")
    }

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

    mutating func writeXML(real value: Double) throws {
        indent()
        append("<real>")
        if value.isFinite {
            // The digits are those of JSON.
            destination = .json
            defer { destination = .xmlPropertyList }
            try write(value)
        } else {
            append(value.isNaN ? "nan" : value < 0 ? "-infinity" : "+infinity")
        }
        append("</real>\n")
    }

    /// A moment in whole seconds, as Foundation reads it, and the fraction, for which `<date>` has
    /// no room, in a comment behind it.
    ///
    /// - Throws: ``ModelEncodingError`` outside of the years 0 to 9999.
    mutating func writeXML(_ value: Date) throws {
        indent()
        append("<date>")
        // "2001-01-01T00:00:00", and behind it ".5Z" or "Z".
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

    /// Bytes as base64, in lines that are as long as Foundation's.
    mutating func writeXML(_ value: Data) {
        indent()
        append("<data>\n")
        let depth = min(ModelReader.maximumDepth - remainingDepth, 8)
        let width = max(76 - 8 * depth, 12) / 4 * 4
        let text = value.base64EncodedData()
        var start = text.startIndex
        while start < text.endIndex {
            let end = text.index(start, offsetBy: width, limitedBy: text.endIndex) ?? text.endIndex
            indent()
            for byte in text[start..<end] { append(byte) }
            append(0x0A)
            start = end
        }
        indent()
        append("</data>\n")
    }

    /// Appends text: runs without anything special are copied as they are.
    private mutating func appendXMLText(_ text: UnsafeBufferPointer<UInt8>) throws {
        reserve(text.count)
        for byte in text {
            switch byte {
            case 0x3C: append("&lt;")
            case 0x3E: append("&gt;")
            case 0x26: append("&amp;")
            // Other parsers make a line feed of a plain one.
            case 0x0D: append("&#13;")
            case 0x00..<0x20 where byte != 0x09 && byte != 0x0A:
                throw ModelEncodingError(
                    reason: .notRepresentable,
                    explanation: "XML has no form for the character U+00"
                        + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
                )
            default: append(byte)
            }
        }
        // U+FFFE and U+FFFF are 0xEF 0xBF 0xBE and 0xEF 0xBF 0xBF.
        guard text.contains(0xEF) else { return }
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars
        where !XMLCharacter.isAllowed(scalar) {
            throw ModelEncodingError(
                reason: .notRepresentable,
                explanation: "XML has no form for the character U+"
                    + String(scalar.value, radix: 16, uppercase: true)
            )
        }
    }
}
