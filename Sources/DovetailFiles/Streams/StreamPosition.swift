/// A line and a column of a document whose bytes come and go.
///
/// Both count from 1. A column is a Unicode scalar, as in the errors about whole documents.
struct StreamPosition {
    private(set) var line = 1
    private(set) var column = 1

    /// Moves over `bytes`.
    ///
    /// - Complexity: linear in the number of bytes.
    mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
        let (scalars, lines) = Self.count(in: bytes)
        guard lines > 0 else {
            column += scalars
            return
        }
        line += lines
        let lineStart = (bytes.lastIndex(of: 0x0A) ?? -1) + 1
        column = 1 + Self.count(in: UnsafeBufferPointer(rebasing: bytes[lineStart...])).scalars
    }

    /// Unicode scalars, which are all bytes but those that continue one in UTF-8 (RFC 3629, 3), and
    /// line breaks.
    ///
    /// Counts in runs of 255, the most that a byte can count, so that the compiler can use vectors
    /// of bytes.
    private static func count(
        in bytes: UnsafeBufferPointer<UInt8>
    ) -> (scalars: Int, lines: Int) {
        var total = (scalars: 0, lines: 0)
        var index = 0
        while index < bytes.count {
            let end = min(index + 255, bytes.count)
            var scalars: UInt8 = 0
            var lines: UInt8 = 0
            while index < end {
                let byte = bytes[index]
                scalars &+= byte & 0xC0 != 0x80 ? 1 : 0
                lines &+= byte == 0x0A ? 1 : 0
                index &+= 1
            }
            total.scalars += Int(scalars)
            total.lines += Int(lines)
        }
        return total
    }
}
