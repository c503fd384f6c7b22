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
        guard Self.count(in: bytes, { $0 == 0x0A }) > 0 else {
            column += Self.scalars(in: bytes)
            return
        }
        line += Self.count(in: bytes) { $0 == 0x0A }
        let lineStart = (bytes.lastIndex(of: 0x0A) ?? -1) + 1
        column = 1 + Self.scalars(in: UnsafeBufferPointer(rebasing: bytes[lineStart...]))
    }

    /// Unicode scalars: all bytes but those that continue one in UTF-8 (RFC 3629, 3).
    private static func scalars(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        count(in: bytes) { $0 & 0xC0 != 0x80 }
    }

    /// Counts in runs of 255, the most that a byte can count, so that the compiler can use vectors
    /// of bytes.
    @inline(__always)
    private static func count(
        in bytes: UnsafeBufferPointer<UInt8>,
        _ isCounted: (UInt8) -> Bool
    ) -> Int {
        var total = 0
        var index = 0
        while index < bytes.count {
            let end = min(index + 255, bytes.count)
            var count: UInt8 = 0
            while index < end {
                count &+= isCounted(bytes[index]) ? 1 : 0
                index &+= 1
            }
            total += Int(count)
        }
        return total
    }
}
