extension DocumentPosition {
    /// Where an offset of an XML property list lies: its path, line and column.
    ///
    /// For errors. Readers keep no path; the document is gone over once more from its start.
    ///
    /// - Complexity: O(offset).
    init(offset: Int, inXML document: UnsafeBufferPointer<UInt8>) {
        var walk = XMLWalk(document: document)
        walk.advance(to: offset)
        self = walk.position(at: offset)
    }
}

/// A walk over the tags of an XML property list that keeps the path of where it is.
///
/// It can be resumed at a later offset, so the places of many errors in ascending order cost one
/// pass together. It does not check the document: tags need not match, because a broken document
/// is what it is asked about.
struct XMLWalk {
    let document: UnsafeBufferPointer<UInt8>
    /// How far the tags were gone over. It may lie after the offset that was asked for, at the end
    /// of the tag that contains it.
    private var index = 0
    /// The containers that are open at `index`.
    private var levels: [Level] = []
    /// The line of the byte at `counted`, from 1.
    private var line = 1
    /// The column of the byte at `counted`, from 1, in Unicode scalars.
    private var column = 1
    /// How far lines and columns were counted.
    private var counted = 0

    /// An open container.
    private enum Level {
        /// An object; nil between a value and the next key.
        case dict(key: String?)
        /// An array, with the index of the next or current element.
        case array(index: Int)
    }

    init(document: UnsafeBufferPointer<UInt8>) {
        self.document = document
    }

    /// The place that was reached. Offsets have to ascend from call to call.
    ///
    /// - Complexity: linear in the distance from the last place that was asked for.
    mutating func position(at offset: Int) -> DocumentPosition {
        let end = min(max(offset, counted), document.count)
        for byte in document[counted..<end] {
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        counted = end
        return DocumentPosition(path: path, line: line, column: column)
    }

    /// The path of the value at `index`, or of the container when it is before a key.
    private var path: String {
        var path = DocumentPath()
        for level in levels {
            switch level {
            case .dict(let key?): path.append(key: key)
            case .dict(nil): break
            case .array(let index): path.append(index: index)
            }
        }
        return path.text
    }

    /// Goes over the tags before an offset.
    ///
    /// - Complexity: linear in the distance.
    mutating func advance(to offset: Int) {
        guard let start = document.baseAddress else { return }
        let end = start + document.count
        let limit = start + min(offset, document.count)
        var position = start + index
        while position < limit {
            guard position.pointee == 0x3C else {
                position += 1
                continue
            }
            if let next = Self.endOfMarkup(at: position, end: end) {
                position = next
            } else if XMLScan.has("</", at: position, end: end) {
                if XMLScan.has("</dict", at: position, end: end)
                    || XMLScan.has("</array", at: position, end: end)
                {
                    _ = levels.popLast()
                }
                if !XMLScan.has("</key", at: position, end: end) { endValue() }
                position += 2
            } else if let tag = XMLTag(at: position, end: end) {
                position = tag.content
                enter(tag, before: limit, end: end)
            } else {
                position += 1
            }
        }
        index = position - start
    }

    /// Notes what a start tag opens. A key counts once its end tag lies before the limit, so an
    /// error about a key is one about the object.
    private mutating func enter(
        _ tag: XMLTag,
        before limit: UnsafePointer<UInt8>,
        end: UnsafePointer<UInt8>
    ) {
        switch tag.name {
        case .plist, .unknown: break
        case .key:
            let close = XMLScan.end(of: "</key", from: tag.content, end: end)
            guard !tag.isEmpty, let close, close <= limit, !levels.isEmpty else { return }
            let bytes = UnsafeBufferPointer(start: tag.content, count: close - 5 - tag.content)
            levels[levels.count - 1] = .dict(key: Self.text(of: tag, bytes, end))
        case _ where tag.isEmpty: endValue()
        case .dict: levels.append(.dict(key: nil))
        case .array: levels.append(.array(index: 0))
        default: break
        }
    }

    /// The text of a key as readers see it, or as it stands there where it cannot be read.
    private static func text(
        of tag: XMLTag,
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ end: UnsafePointer<UInt8>
    ) -> String {
        if bytes.contains(where: { $0 == 0x26 || $0 == 0x3C }) {
            let rest = UnsafeBufferPointer(start: tag.content, count: end - tag.content)
            var reader = ModelReader(xmlPropertyList: rest)
            if let text = try? reader.scanXMLText(tag) {
                return String(decoding: text, as: UTF8.self)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Notes that a value has ended: the next one has another key or index.
    private mutating func endValue() {
        switch levels.last {
        case .dict: levels[levels.count - 1] = .dict(key: nil)
        case .array(let index): levels[levels.count - 1] = .array(index: index + 1)
        case nil: break
        }
    }

    /// The end of the comment, section or declaration at `position`; nil when there is none. What
    /// has no end takes the rest of the document.
    private static func endOfMarkup(
        at position: UnsafePointer<UInt8>,
        end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        if XMLScan.has("<!--", at: position, end: end) {
            return XMLScan.end(of: "-->", from: position, end: end) ?? end
        }
        if XMLScan.has("<![CDATA[", at: position, end: end) {
            return XMLScan.end(of: "]]>", from: position, end: end) ?? end
        }
        if XMLScan.has("<?", at: position, end: end) {
            return XMLScan.end(of: "?>", from: position, end: end) ?? end
        }
        if XMLScan.has("<!", at: position, end: end) {
            return XMLScan.end(of: ">", from: position, end: end) ?? end
        }
        return nil
    }
}

extension DocumentExcerpt {
    /// Says in a few words what is at an offset, for the *found* of an error. At most ``limit``
    /// characters of the document are quoted.
    static func describeXML(_ document: UnsafeBufferPointer<UInt8>, at offset: Int) -> String {
        guard let start = document.baseAddress, offset < document.count else {
            return "end of input"
        }
        let end = start + document.count
        guard let tag = XMLTag(at: start + offset, end: end) else {
            let rest = document[offset...].prefix(limit).prefix { $0 > 0x20 }
            return "\""
                + String(decoding: rest.isEmpty ? document[offset...offset] : rest, as: UTF8.self)
                + "\""
        }
        let content = UnsafeBufferPointer(start: tag.content, count: end - tag.content)
        let text = String(
            decoding: content.prefix(4 * limit).prefix { $0 != 0x3C },
            as: UTF8.self
        )
        let short = text.count > limit ? text.prefix(limit) + "…" : text
        switch tag.name {
        case .dict: return "object"
        case .array: return "array"
        case .yes: return "true"
        case .no: return "false"
        case .string: return tag.isEmpty ? "\"\"" : "\"\(short)\""
        case .integer, .real: return tag.isEmpty ? "an empty element" : short
        case .date: return "a date"
        case .data: return "data"
        case .key, .plist, .unknown:
            let name = UnsafeBufferPointer(start: tag.start, count: tag.nameCount)
            return "<\(String(decoding: name.prefix(limit), as: UTF8.self))>"
        }
    }
}
