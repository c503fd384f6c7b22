import Foundation

// XML property lists. The cursor stands on the `<` of a value or just behind one, as in JSON; of a
// container that ends itself (`<dict/>`) it stands on the slash once it is entered.

extension ModelReader {
    // MARK: The document

    /// Moves to the root; whether it stands inside of `<plist>`.
    ///
    /// - Parameter encoding: what it was in before; nil for UTF-8.
    /// - Throws: ``ModelDecodingError`` for a declaration of another encoding and for a document type
    ///   with declarations of its own, which could make entities.
    mutating func enterXMLDocument(from encoding: XMLEncoding?) throws -> Bool {
        try skipByteOrderMark()
        if XMLScan.has("<?xml", at: cursor, end: end) {
            guard let next = XMLScan.end(of: "?>", from: cursor, end: end) else {
                throw syntaxError(expected: "\"?>\"", at: end)
            }
            let declaration = String(decoding: bytes(from: cursor, to: next), as: UTF8.self)
            try checkEncoding(declaration.lowercased(), encoding)
            cursor = next
        }
        try skipXMLSpace()
        if XMLScan.has("<!DOCTYPE", at: cursor, end: end) {
            try skipDocumentType()
            try skipXMLSpace()
        }
        guard let tag = XMLTag(at: cursor, end: end), tag.name == .plist else { return false }
        if tag.isEmpty { throw syntaxError(expected: "a value in <plist>", at: cursor) }
        cursor = tag.content
        try skipXMLSpace()
        return true
    }

    private mutating func checkEncoding(
        _ declaration: String,
        _ encoding: XMLEncoding?
    ) throws {
        guard let place = declaration.range(of: "encoding") else { return }
        let name = declaration[place.upperBound...].drop { $0 == " " || $0 == "=" }.dropFirst()
            .prefix { $0 != "\"" && $0 != "'" }
        let isRight =
            encoding?.isNamed(name) ?? ["utf-8", "utf8", "us-ascii", "ascii"].contains(name)
        guard isRight else {
            throw error(
                .invalidEncoding,
                expected: encoding == nil ? "UTF-8" : "the encoding that the bytes are in",
                found: "encoding \"\(name.prefix(DocumentExcerpt.limit))\"",
                at: cursor
            )
        }
    }

    private mutating func skipDocumentType() throws {
        var position = cursor
        var quote: UInt8 = 0
        while position < end {
            let byte = position.pointee
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == 0x22 || byte == 0x27 {
                quote = byte
            } else if byte == 0x3E {
                cursor = position + 1
                return
            } else if byte == 0x5B {
                throw syntaxError(expected: "a document type without declarations", at: position)
            }
            position += 1
        }
        throw syntaxError(expected: "\">\"", at: end)
    }

    /// Checks that nothing but the end of `<plist>` is left.
    mutating func leaveXMLDocument(isInPlist: Bool) throws {
        try skipXMLSpace()
        if isInPlist {
            guard XMLScan.has("</plist", at: cursor, end: end),
                let next = XMLScan.end(of: ">", from: cursor, end: end)
            else { throw syntaxError(expected: "</plist>", at: cursor) }
            cursor = next
            try skipXMLSpace()
        }
        guard cursor == end else {
            throw error(.trailingContent, expected: "end of input", at: cursor)
        }
    }

    @inline(__always)
    private mutating func skipXMLSpace() throws {
        guard let next = XMLScan.endOfSpace(from: cursor, end: end) else {
            throw syntaxError(expected: "the end of a comment", at: end)
        }
        cursor = next
    }

    // MARK: Containers

    mutating func enterXMLContainer(_ name: XMLTag.Name, _ expected: String) throws {
        guard let tag = XMLTag(at: cursor, end: end), tag.name == name else {
            throw mismatch(expected)
        }
        try descend()
        cursor = tag.content
    }

    mutating func nextXMLKey(in object: inout ObjectScope) throws -> FieldKey? {
        let isFirst = object.isFirst
        object.isFirst = false
        if try leaveXMLContainer("</dict", isFirst: isFirst) { return nil }
        guard let tag = XMLTag(at: cursor, end: end), tag.name == .key else {
            throw syntaxError(expected: "<key> or </dict>", at: cursor)
        }
        let text = try scanXMLText(tag)
        let key = FieldKey(start: text.baseAddress ?? ReaderState.noBytes, count: text.count)
        try skipXMLSpace()
        return key
    }

    mutating func nextXMLElement(in array: inout ArrayScope) throws -> Bool {
        let isFirst = array.isFirst
        array.isFirst = false
        return try !leaveXMLContainer("</array", isFirst: isFirst)
    }

    /// Moves to what comes next, or behind the container.
    @inline(__always)
    private mutating func leaveXMLContainer(
        _ endTag: StaticString,
        isFirst: Bool
    ) throws -> Bool {
        // A slash only ends a container if it is part of the container's own tag.
        if isFirst, byte == 0x2F, cursor[-1] != 0x3E {
            cursor += 2
            remainingDepth += 1
            return true
        }
        try skipXMLSpace()
        guard byte == 0x3C, byte(at: cursor + 1) == 0x2F else { return false }
        guard XMLScan.has(endTag, at: cursor, end: end) else {
            throw syntaxError(expected: "\(endTag)>", at: cursor)
        }
        var next = cursor + endTag.utf8CodeUnitCount
        while next < end, XMLScan.isSpace(next.pointee) { next += 1 }
        guard byte(at: next) == 0x3E else { throw syntaxError(expected: "\(endTag)>", at: cursor) }
        cursor = next + 1
        remainingDepth += 1
        return true
    }

    // MARK: Text

    /// The text of the element of a tag, its references resolved, and moves behind it.
    ///
    /// What is returned is valid until the next text is read.
    @inline(__always)
    mutating func scanXMLText(_ tag: XMLTag) throws -> UnsafeBufferPointer<UInt8> {
        if tag.isEmpty {
            cursor = tag.content + 2
            return UnsafeBufferPointer(start: tag.content, count: 0)
        }
        var high: UInt64 = 0
        let stop = XMLScan.endOfText(from: tag.content, end: end, high: &high)
        if high == 0, let next = tag.endTag(at: stop, end: end) {
            cursor = next
            return UnsafeBufferPointer(start: tag.content, count: stop - tag.content)
        }
        return try scanUnusualXMLText(tag)
    }

    /// Text with references, CDATA sections, comments or characters outside of ASCII.
    @inline(never)
    private mutating func scanUnusualXMLText(
        _ tag: XMLTag
    ) throws -> UnsafeBufferPointer<UInt8> {
        let scratch = state.scratch
        scratch.removeAll()
        var position = tag.content
        while true {
            var high: UInt64 = 0
            let stop = XMLScan.endOfText(from: position, end: end, high: &high)
            let run = bytes(from: position, to: stop)
            if high != 0, let invalid = UTF8Check.firstInvalidByte(in: run) {
                throw invalidXMLEncoding(at: position + invalid)
            }
            scratch.append(run)
            if let next = tag.endTag(at: stop, end: end) {
                cursor = next
                return scratch.bytes
            }
            position = try scanXMLMarkup(at: stop, into: scratch)
        }
    }

    /// Takes what interrupts text; gives the position behind it.
    private mutating func scanXMLMarkup(
        at stop: UnsafePointer<UInt8>,
        into scratch: ScratchBuffer
    ) throws -> UnsafePointer<UInt8> {
        if byte(at: stop) == 0x26 { return try scanXMLReference(at: stop, into: scratch) }
        if XMLScan.has("<![CDATA[", at: stop, end: end) {
            guard let next = XMLScan.end(of: "]]>", from: stop + 9, end: end) else {
                throw syntaxError(expected: "\"]]>\"", at: end)
            }
            let section = bytes(from: stop + 9, to: next - 3)
            if let invalid = UTF8Check.firstInvalidByte(in: section) {
                throw invalidXMLEncoding(at: stop + 9 + invalid)
            }
            scratch.append(section)
            return next
        }
        if XMLScan.has("<!--", at: stop, end: end) {
            guard let next = XMLScan.end(of: "-->", from: stop + 4, end: end) else {
                throw syntaxError(expected: "\"-->\"", at: end)
            }
            return next
        }
        throw syntaxError(expected: "an end tag", at: stop)
    }

    private mutating func scanXMLReference(
        at start: UnsafePointer<UInt8>,
        into scratch: ScratchBuffer
    ) throws -> UnsafePointer<UInt8> {
        var next = start + 1
        // "&#x10FFFF;" is the longest that means something; leading zeros are allowed up to there.
        while next < end, next.pointee != 0x3B, next - start < 12 { next += 1 }
        guard byte(at: next) == 0x3B else {
            throw syntaxError(expected: "a reference that ends with \";\"", at: start)
        }
        let name = String(decoding: bytes(from: start + 1, to: next), as: UTF8.self)
        switch name {
        case "lt": scratch.append(0x3C)
        case "gt": scratch.append(0x3E)
        case "amp": scratch.append(0x26)
        case "quot": scratch.append(0x22)
        case "apos": scratch.append(0x27)
        default:
            let digits = name.hasPrefix("#x") ? name.dropFirst(2) : name.dropFirst()
            guard name.hasPrefix("#"), digits.allSatisfy(\.isHexDigit),
                let value = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10),
                // Also what XML 1.0 has no form for, which Foundation writes and reads.
                let scalar = Unicode.Scalar(value)
            else { throw syntaxError(expected: "a reference to a character", at: start) }
            for byte in String(scalar).utf8 { scratch.append(byte) }
        }
        return next + 1
    }

    private mutating func invalidXMLEncoding(
        at position: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        error(
            .invalidEncoding,
            expected: "UTF-8",
            found: "byte 0x" + String(byte(at: position), radix: 16, uppercase: true),
            at: position
        )
    }
}
