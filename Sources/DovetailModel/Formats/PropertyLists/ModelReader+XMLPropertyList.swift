import Foundation

// XML property lists, in one pass without a tree. The cursor is at the `<` of a value or just after
// one, as in JSON; once a container that ends itself (`<dict/>`) is entered, it is at the slash.
//
// The grammar is that of Apple's `PropertyList-1.0.dtd` over XML 1.0. Unlike a validating parser
// the reader has no entities but the five of XML, and refuses a document type that declares others.

extension ModelReader {
    // MARK: The document

    /// Moves to the root value, over the declaration, the document type and the tag of `<plist>`.
    ///
    /// - Parameter encoding: the encoding before the bytes became UTF-8; nil when they always were.
    /// - Returns: whether the root is inside of `<plist>`, which a document may lack.
    /// - Throws: ``ModelDecodingError`` for a declaration of another encoding and for a document
    ///   type with declarations of its own, which could make entities.
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

    /// Checks that the XML declaration names the encoding that the bytes are in, or none.
    ///
    /// - Parameter declaration: in lower case: names of encodings have no case (section 4.3.3).
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

    /// Moves over `<!DOCTYPE …>`. A bracket would start declarations, which are refused: without
    /// them no entity can grow (the "billion laughs") or name a file.
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

    /// Checks that nothing but the end of `<plist>` is left after the root.
    ///
    /// - Parameter isInPlist: what ``enterXMLDocument(from:)`` gave.
    /// - Throws: ``ModelDecodingError`` that says `trailingContent` when something follows.
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

    /// Moves over white space, comments and processing instructions.
    @inline(__always)
    private mutating func skipXMLSpace() throws {
        guard let next = XMLScan.endOfSpace(from: cursor, end: end) else {
            throw syntaxError(expected: "the end of a comment", at: end)
        }
        cursor = next
    }

    // MARK: Containers

    /// Enters the container under the cursor.
    ///
    /// - Throws: ``ModelDecodingError`` when another element is there, and below
    ///   ``ModelReader/maximumDepth`` levels.
    mutating func enterXMLContainer(_ name: XMLTag.Name, _ expected: String) throws {
        guard let tag = XMLTag(at: cursor, end: end), tag.name == name else {
            throw mismatch(expected)
        }
        try descend()
        cursor = tag.content
    }

    /// Moves to the value of the next member and gives its name; nil after the last one, and then
    /// the reader is positioned after the object. The name is valid until the next text is read.
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

    /// Moves to the next element; false after the last one, and then the reader is positioned after
    /// the array.
    mutating func nextXMLElement(in array: inout ArrayScope) throws -> Bool {
        let isFirst = array.isFirst
        array.isFirst = false
        if try leaveXMLContainer("</array", isFirst: isFirst) { return false }
        // A comma tells it in JSON; here a value that reads nothing would be asked for ever.
        if !isFirst, cursor == array.start {
            throw syntaxError(expected: "an element that was read, or </array>", at: cursor)
        }
        array.start = cursor
        return true
    }

    /// Moves to what comes next in a container and gives false, or moves after its end tag and
    /// gives true.
    ///
    /// - Parameter isFirst: whether nothing of the container was read, as only then a slash can be
    ///   that of its own tag.
    @inline(__always)
    private mutating func leaveXMLContainer(
        _ endTag: StaticString,
        isFirst: Bool
    ) throws -> Bool {
        // After `<dict>` a slash would be content; after `<dict` it ends the tag. The byte before
        // tells them apart, and there is one: the tag's.
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

    /// Gives the text of a tag's element, its references resolved, and moves after the end tag.
    ///
    /// Plain ASCII without references is a view of the document; anything else is put together in
    /// the scratch buffer. What is returned is valid UTF-8, and is valid until the next text is
    /// read.
    ///
    /// - Complexity: linear in the text.
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
        return try scanInterruptedXMLText(tag)
    }

    /// The slow path: text with references, CDATA sections, comments or characters outside of
    /// ASCII. Each run between two of them is checked for UTF-8 on its own.
    @inline(never)
    private mutating func scanInterruptedXMLText(
        _ tag: XMLTag
    ) throws -> UnsafeBufferPointer<UInt8> {
        state.scratch.truncate(to: 0)
        var position = tag.content
        while true {
            var high: UInt64 = 0
            let stop = XMLScan.endOfText(from: position, end: end, high: &high)
            let run = bytes(from: position, to: stop)
            if high != 0, let invalid = UTF8Check.firstInvalidByte(in: run) {
                throw invalidXMLEncoding(at: position + invalid)
            }
            state.scratch.append(contentsOf: run)
            if let next = tag.endTag(at: stop, end: end) {
                cursor = next
                return state.scratch.elements
            }
            position = try scanXMLMarkup(at: stop)
        }
    }

    /// Takes what interrupts text and gives the position after it: a reference, a section whose
    /// content is text as it is, or a comment, which is dropped.
    private mutating func scanXMLMarkup(
        at stop: UnsafePointer<UInt8>
    ) throws -> UnsafePointer<UInt8> {
        if byte(at: stop) == 0x26 { return try scanXMLReference(at: stop) }
        if XMLScan.has("<![CDATA[", at: stop, end: end) {
            guard let next = XMLScan.end(of: "]]>", from: stop + 9, end: end) else {
                throw syntaxError(expected: "\"]]>\"", at: end)
            }
            let section = bytes(from: stop + 9, to: next - 3)
            if let invalid = UTF8Check.firstInvalidByte(in: section) {
                throw invalidXMLEncoding(at: stop + 9 + invalid)
            }
            state.scratch.append(contentsOf: section)
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

    /// Resolves the reference at `start` and gives the position after it: one of the five names of
    /// XML (section 4.6), or a number in decimal or hexadecimal (section 4.1).
    private mutating func scanXMLReference(
        at start: UnsafePointer<UInt8>
    ) throws -> UnsafePointer<UInt8> {
        var next = start + 1
        // "&#x10FFFF;" has 10 bytes. Leading zeros are allowed while the `;` is within 13.
        while next < end, next.pointee != 0x3B, next - start < 12 { next += 1 }
        guard byte(at: next) == 0x3B else {
            throw syntaxError(expected: "a reference that ends with \";\"", at: start)
        }
        let name = String(decoding: bytes(from: start + 1, to: next), as: UTF8.self)
        switch name {
        case "lt": state.scratch.append(0x3C)
        case "gt": state.scratch.append(0x3E)
        case "amp": state.scratch.append(0x26)
        case "quot": state.scratch.append(0x22)
        case "apos": state.scratch.append(0x27)
        default:
            let digits = name.hasPrefix("#x") ? name.dropFirst(2) : name.dropFirst()
            guard name.hasPrefix("#"), digits.allSatisfy(\.isHexDigit),
                let value = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10),
                // Also characters outside of XML 1.0, which Foundation writes and reads.
                let scalar = Unicode.Scalar(value)
            else { throw syntaxError(expected: "a reference to a character", at: start) }
            for byte in String(scalar).utf8 { state.scratch.append(byte) }
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
