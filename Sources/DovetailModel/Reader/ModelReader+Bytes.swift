// The only file that dereferences the reader's pointers. Every function checks against `end`
// before it loads, so a caller cannot read outside of the document whatever it holds.

extension ModelReader {
    /// The byte under the cursor, or 0 at the end: no JSON token starts with or continues by 0.
    @inlinable
    var byte: UInt8 {
        @inline(__always) get { cursor < end ? cursor.pointee : 0 }
    }

    @inlinable
    @inline(__always)
    func byte(at position: UnsafePointer<UInt8>) -> UInt8 {
        position < end ? position.pointee : 0
    }

    /// Eight bytes from `position`, the first one lowest. At the end of the input the missing bytes
    /// are 0.
    @inlinable
    @inline(__always)
    func word(at position: UnsafePointer<UInt8>) -> UInt64 {
        if end - position >= 8 {
            return UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
        }
        return tailWord(at: position)
    }

    @usableFromInline
    @inline(never)
    func tailWord(at position: UnsafePointer<UInt8>) -> UInt64 {
        var word: UInt64 = 0
        var shift: UInt64 = 0
        var next = position
        while next < end, shift < 64 {
            word |= UInt64(next.pointee) << shift
            shift += 8
            next += 1
        }
        return word
    }

    /// Moves over white space. Indentation of pretty-printed documents goes eight spaces at a time.
    @inlinable
    @inline(__always)
    mutating func skipWhitespace() {
        if byte > 0x20 { return }
        skipWhitespaceRun()
    }

    @inlinable
    mutating func skipWhitespaceRun() {
        while cursor < end {
            switch cursor.pointee {
            case 0x20:
                cursor += 1
                while end - cursor >= 8,
                    UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self)
                        == 0x2020_2020_2020_2020
                {
                    cursor += 8
                }
            case 0x0A, 0x0D, 0x09:
                cursor += 1
            default:
                return
            }
        }
    }

    /// A copy of the bytes between two positions of the document.
    func bytes(from first: UnsafePointer<UInt8>, to last: UnsafePointer<UInt8>)
        -> UnsafeBufferPointer<UInt8>
    {
        UnsafeBufferPointer(start: first, count: last - first)
    }
}

/// Finds bytes in eight at a time. Only the lowest hit of a mask is exact, which is the only one
/// that is used.
@usableFromInline
enum ByteScan {
    @inlinable
    @inline(__always)
    static func zeroes(in word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    /// Marks quotes, backslashes and control characters: what ends the plain run of a string.
    @inlinable
    @inline(__always)
    static func stops(in word: UInt64) -> UInt64 {
        let quotes = zeroes(in: word ^ 0x2222_2222_2222_2222)
        let backslashes = zeroes(in: word ^ 0x5C5C_5C5C_5C5C_5C5C)
        let controls = (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
        return quotes | backslashes | controls
    }
}
