/// Where an offset of a JSON document lies: its path, line and column.
///
/// A reader keeps no path while it reads. Only errors need one, so they walk over the document once
/// more, from its start.
package struct DocumentPosition {
    let path: String
    let line: Int
    let column: Int

    package init(path: String, line: Int, column: Int) {
        self.path = path
        self.line = line
        self.column = column
    }

    /// The position of one offset. A caller with several offsets in ascending order keeps a
    /// ``DocumentWalk`` instead, which does not start over.
    ///
    /// - Complexity: O(offset).
    init(offset: Int, in document: UnsafeBufferPointer<UInt8>) {
        var walk = DocumentWalk()
        walk.advance(to: offset, in: document)
        self = walk.position(at: offset, in: document)
    }
}

/// A walk through a JSON document that can be continued.
///
/// The document may be broken, since errors are what asks: the walk checks nothing and never fails.
/// In a document that is no JSON its answer is the best guess. It indexes the buffer only below the
/// buffer's `count`, because the subscript of an `UnsafeBufferPointer` is not checked in release
/// builds.
struct DocumentWalk {
    /// How far the walk has come.
    private(set) var index = 0
    /// The containers around `index`, outermost first.
    private var levels: [Level] = []
    private var line = 1
    /// The column of the byte at `counted`, which lies in the last line.
    private var column = 1
    private var counted = 0

    /// A container around `index`: an object with the range of its last key between the quotes, or
    /// an array with the index of its current element.
    private enum Level {
        case object(key: Range<Int>?, expectsKey: Bool)
        case array(index: Int)
    }

    /// Walks up to an offset. Keys are noted as ranges and not made into strings: most of them are
    /// left again before anybody asks.
    ///
    /// - Complexity: linear in the distance.
    mutating func advance(to offset: Int, in document: UnsafeBufferPointer<UInt8>) {
        while index < min(offset, document.count) {
            switch document[index] {
            case 0x0A:
                line += 1
                column = 1
                counted = index + 1
            case 0x7B: levels.append(.object(key: nil, expectsKey: true))
            case 0x5B: levels.append(.array(index: 0))
            case 0x7D, 0x5D: _ = levels.popLast()
            case 0x2C:
                switch levels.popLast() {
                case .object: levels.append(.object(key: nil, expectsKey: true))
                case .array(let element): levels.append(.array(index: element + 1))
                case nil: break
                }
            case 0x22:
                // A string that contains the offset, or has no end, is the last token to look at.
                guard let end = Self.endOfString(from: index + 1, in: document), end <= offset
                else {
                    index = document.count
                    continue
                }
                if case .object(_, true) = levels.last {
                    levels[levels.count - 1] = .object(key: index + 1..<end - 1, expectsKey: false)
                }
                index = end
                continue
            default: break
            }
            index += 1
        }
    }

    /// The position of `offset`, which is where ``advance(to:in:)`` has stopped. Columns count
    /// Unicode scalars: a continuation byte of UTF-8 is none.
    ///
    /// - Complexity: linear in the distance from the last position that was asked for.
    mutating func position(
        at offset: Int,
        in document: UnsafeBufferPointer<UInt8>
    ) -> DocumentPosition {
        var path = DocumentPath()
        for level in levels {
            switch level {
            case .object(let key?, _):
                path.append(key: Self.name(at: key, in: document))
            case .object(nil, _): break
            case .array(let element): path.append(index: element)
            }
        }
        let end = min(max(offset, counted), document.count)
        for byte in document[counted..<end] where byte & 0xC0 != 0x80 { column += 1 }
        counted = end
        return DocumentPosition(path: path.text, line: line, column: column)
    }

    /// The name between two quotes, unescaped; as it is where an escape is broken.
    private static func name(
        at key: Range<Int>,
        in document: UnsafeBufferPointer<UInt8>
    )
        -> String
    {
        if document[key].contains(0x5C) {
            let quoted = document[key.lowerBound - 1...key.upperBound]
            var reader = ModelReader(json: UnsafeBufferPointer(rebasing: quoted))
            if let name = try? reader.readString() { return name }
        }
        return String(decoding: document[key], as: UTF8.self)
    }

    /// The offset after the closing quote; nil where there is none.
    private static func endOfString(
        from start: Int,
        in document: UnsafeBufferPointer<UInt8>
    )
        -> Int?
    {
        var index = start
        while index < document.count {
            switch document[index] {
            case 0x22: return index + 1
            case 0x5C: index += 2
            default: index += 1
            }
        }
        return nil
    }
}

/// Builds the text of a path: `assets[3].red`, `["Test.Domain"].name`. ``ModelDocument`` takes it
/// as a subscript, so the path of an error leads to the value.
package struct DocumentPath {
    private(set) var text: String

    init(text: String = "") {
        self.text = text
    }

    mutating func append(key: String) {
        let component = DocumentPath.component(of: key)
        if !text.isEmpty, !component.hasPrefix("[") { text += "." }
        text += component
    }

    mutating func append(index: Int) {
        text += "[\(index)]"
    }

    /// The path of a value that has the path `inner` within the value at `outer`.
    package static func joined(_ outer: String, _ inner: String) -> String {
        let dot = outer.isEmpty || inner.isEmpty || inner.hasPrefix("[") ? "" : "."
        return outer + dot + inner
    }

    /// A field name in the form it has in a path; names with dots, brackets, quotes, backslashes or
    /// spaces are quoted.
    package static func component(of key: String) -> String {
        let isPlain =
            !key.isEmpty
            && key.unicodeScalars.allSatisfy { !".[]\"\\ ".unicodeScalars.contains($0) }
        return isPlain ? key : "[\"\(key)\"]"
    }
}

/// Describes in a few words what a JSON document holds at an offset: what errors say that they
/// found.
package enum DocumentExcerpt {
    /// How many characters of a scalar an error message quotes at most.
    package static let limit = 40

    /// The value at `offset`: `object` or `array`, a scalar of at most ``limit`` characters, or the
    /// character that starts no value.
    ///
    /// - Complexity: O(1); it looks at a bounded number of bytes.
    static func describe(_ document: UnsafeBufferPointer<UInt8>, at offset: Int) -> String {
        guard offset < document.count else { return "end of input" }
        switch document[offset] {
        case 0x7B: return "object"
        case 0x5B: return "array"
        case 0x22: return quoteString(document[(offset + 1)...])
        default:
            let word = document[offset...].prefix(limit + 1).prefix { byte in
                byte > 0x20 && ![0x22, 0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D].contains(byte)
            }
            if let first = word.first, 0x2D...0x39 ~= first || 0x61...0x7A ~= first {
                let text = String(decoding: word, as: UTF8.self)
                return text.count > limit ? text.prefix(limit) + "…" : text
            }
            let character = String(decoding: document[offset...].prefix(4), as: UTF8.self).first
            return character.map { "\"\($0)\"" } ?? "end of input"
        }
    }

    /// A string in quotes, cut off after ``limit`` characters.
    static func quote(_ text: String) -> String {
        text.count > limit ? "\"\(text.prefix(limit))…\"" : "\"\(text)\""
    }

    /// A string of a document in quotes, escapes as they are. Four bytes a character bound what is
    /// copied.
    private static func quoteString(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        var content: [UInt8] = []
        var escaped = false
        var closed = false
        for byte in rest.prefix(4 * limit + 1) {
            if byte == 0x22, !escaped {
                closed = true
                break
            }
            escaped = byte == 0x5C && !escaped
            content.append(byte)
        }
        let text = String(decoding: content, as: UTF8.self)
        let short = String(text.prefix(limit))
        return "\"" + short + (closed && text.count <= limit ? "\"" : "…\"")
    }
}
