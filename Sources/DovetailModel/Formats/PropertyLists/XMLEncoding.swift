import Foundation

/// The encodings of XML other than UTF-8, told by the first bytes (XML 1.0, appendix F).
///
/// A byte order mark, or a `<` with the zeros of a wider unit around it. Such a document is copied
/// to UTF-8 before it is read. Lines and columns of errors are the same in both, because columns
/// count characters.
struct XMLEncoding {
    /// Bytes of a code unit: 2 or 4.
    private let unitSize: Int
    private let isBigEndian: Bool
    /// How many bytes the byte order mark takes.
    private let markSize: Int

    /// Tells the encoding. The marks of four bytes come first: that of UTF-32 in little-endian
    /// order starts like the one of UTF-16.
    ///
    /// - Returns: nil for UTF-8, and for what is not XML.
    init?(of bytes: UnsafeBufferPointer<UInt8>) {
        switch Array(bytes.prefix(4)) {
        case [0x00, 0x00, 0xFE, 0xFF]: self.init(4, isBigEndian: true, markSize: 4)
        case [0xFF, 0xFE, 0x00, 0x00]: self.init(4, isBigEndian: false, markSize: 4)
        case [0x00, 0x00, 0x00, 0x3C]: self.init(4, isBigEndian: true, markSize: 0)
        case [0x3C, 0x00, 0x00, 0x00]: self.init(4, isBigEndian: false, markSize: 0)
        case let start where start.starts(with: [0xFE, 0xFF]):
            self.init(2, isBigEndian: true, markSize: 2)
        case let start where start.starts(with: [0xFF, 0xFE]):
            self.init(2, isBigEndian: false, markSize: 2)
        case let start where start.starts(with: [0x00, 0x3C]):
            self.init(2, isBigEndian: true, markSize: 0)
        case let start where start.starts(with: [0x3C, 0x00]):
            self.init(2, isBigEndian: false, markSize: 0)
        default: return nil
        }
    }

    private init(_ unitSize: Int, isBigEndian: Bool, markSize: Int) {
        self.unitSize = unitSize
        self.isBigEndian = isBigEndian
        self.markSize = markSize
    }

    /// Whether a declaration may name the encoding, in lower case: the order of bytes may be left
    /// out.
    func isNamed(_ name: some StringProtocol) -> Bool {
        let names = unitSize == 2 ? ["utf-16", "utf16", "ucs-2"] : ["utf-32", "utf32", "ucs-4"]
        return names.contains { name.hasPrefix($0) }
    }

    /// The text in UTF-8, without its byte order mark.
    ///
    /// - Complexity: linear, and memory for the copy.
    /// - Throws: ``ModelDecodingError`` with the offset of what belongs to no character.
    func utf8(of bytes: UnsafeBufferPointer<UInt8>) throws -> Data {
        var text = Data(capacity: bytes.count / unitSize + bytes.count / 8)
        var position = markSize
        while position < bytes.count {
            let start = position
            var scalar = unit(&position, in: bytes)
            if unitSize == 2, let high = scalar, high & 0xFC00 == 0xD800 {
                let low = unit(&position, in: bytes)
                scalar = low.flatMap { low in
                    low & 0xFC00 == 0xDC00
                        ? 0x10000 + (high & 0x3FF) << 10 + low & 0x3FF : Optional.none
                }
            }
            guard let character = scalar.flatMap(Unicode.Scalar.init) else {
                throw ModelDecodingError(
                    kind: .invalidEncoding,
                    path: "",
                    expected: "UTF-\(unitSize * 8)",
                    found: "bytes of no character",
                    offset: start
                )
            }
            text.append(contentsOf: character.utf8)
        }
        return text
    }

    /// The next unit; nil when the text ends inside of it.
    private func unit(_ position: inout Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt32? {
        defer { position += unitSize }
        guard position + unitSize <= bytes.count else { return nil }
        let unit = bytes[position..<position + unitSize]
        return isBigEndian
            ? unit.reduce(0) { $0 << 8 | UInt32($1) }
            : unit.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
