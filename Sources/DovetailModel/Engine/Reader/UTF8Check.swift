import CDovetailScan

/// Validates UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF).
enum UTF8Check {
    /// Whether all bytes are below 0x80.
    ///
    /// - Parameter isPadded: whether seven bytes after the last one can be loaded too, which saves
    ///   a loop for short strings. The caller's invariant; a constant wherever this is called.
    /// - Complexity: linear; eight bytes at a time.
    @inline(__always)
    static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>, isPadded: Bool = false) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        let raw = UnsafeRawPointer(start)
        var high: UInt64 = 0
        if !isPadded, bytes.count >= 8, bytes.count <= 32 {
            // Most names and words: the first eight and the last eight, without a loop.
            high = raw.loadUnaligned(as: UInt64.self)
            high |= raw.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
            if bytes.count > 16 {
                high |= raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                high |= raw.loadUnaligned(fromByteOffset: bytes.count &- 16, as: UInt64.self)
            }
            return high & 0x8080_8080_8080_8080 == 0
        }
        var offset = 0
        while offset &+ 8 <= bytes.count {
            high |= raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        if isPadded {
            let rest = UInt64(truncatingIfNeeded: bytes.count &- offset) &* 8
            let last = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            high |= UInt64(littleEndian: last) & ((1 &<< rest) &- 1)
        } else if bytes.count >= 8 {
            // The last eight bytes, of which some were looked at.
            high |= raw.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
        } else if bytes.count >= 4 {
            // The first four and the last four, which may be the same ones.
            high |= UInt64(raw.loadUnaligned(as: UInt32.self))
            high |= UInt64(raw.loadUnaligned(fromByteOffset: bytes.count &- 4, as: UInt32.self))
        } else if bytes.count > 0 {
            // The first one, the middle one and the last one are all there are.
            high |= UInt64(start[0] | start[bytes.count &>> 1] | start[bytes.count &- 1])
        }
        return high & 0x8080_8080_8080_8080 == 0
    }

    /// The offset of the first byte that belongs to no well-formed sequence; nil when all of them
    /// do.
    ///
    /// - Complexity: linear; sixteen bytes a step, without a branch on what they are. Only invalid
    ///   text, and text of less than 19 bytes, is checked character by character.
    static func firstInvalidByte(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        // Invariant: `dovetail_is_utf8` loads only these bytes, of which it needs 19 at least.
        if bytes.count >= 19, dovetail_is_utf8(base, bytes.count) != 0 { return nil }
        return firstInvalidByte(at: base, count: bytes.count)
    }

    /// The same, character by character: for few bytes, or to find the first invalid one.
    private static func firstInvalidByte(at base: UnsafePointer<UInt8>, count: Int) -> Int? {
        var index = 0
        while index < count {
            if base[index] < 0x80 {
                index += 1
                while count - index >= 8,
                    UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
                        & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                continue
            }
            let length = lengthOfSequence(at: base + index, count: count - index)
            if length == 0 { return index }
            index += length
        }
        return nil
    }

    /// The length of the well-formed sequence at `start`, whose first byte is not ASCII; 0 when
    /// there is none.
    @inline(__always)
    private static func lengthOfSequence(at start: UnsafePointer<UInt8>, count: Int) -> Int {
        let lead = start[0]
        if lead < 0xE0 {
            return lead >= 0xC2 && count >= 2 && start[1] & 0xC0 == 0x80 ? 2 : 0
        }
        guard count >= 3, start[1] & 0xC0 == 0x80, start[2] & 0xC0 == 0x80 else { return 0 }
        // The first two bytes together rule out overlong forms, surrogates and characters above
        // U+10FFFF.
        if lead < 0xF0 {
            let top = UInt32(lead & 0x0F) << 6 | UInt32(start[1] & 0x3F)
            return top >= 0x20 && top & 0x3E0 != 0x360 ? 3 : 0
        }
        let top = UInt32(lead & 0x0F) << 6 | UInt32(start[1] & 0x3F)
        return count >= 4 && start[3] & 0xC0 == 0x80 && top >= 0x10 && top < 0x110 ? 4 : 0
    }

    /// Makes a string of bytes that were validated. `String(decoding:as:)` would validate them
    /// again, which doubles the cost of non-ASCII text.
    @inline(__always)
    static func string(
        validated bytes: UnsafeBufferPointer<UInt8>,
        isASCII: Bool = false
    ) -> String {
        if isASCII, bytes.count <= 15, let start = bytes.baseAddress {
            return small(start, bytes.count)
        }
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            // Invariant of `unchecked`: the caller has validated the bytes, or found no byte above
            // 0x7F.
            return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Makes a string of at most 15 bytes of ASCII, which it holds inline. Copying a span puts them
    /// together one at a time, which takes up to twice as many instructions.
    @inline(__always)
    private static func small(_ start: UnsafePointer<UInt8>, _ count: Int) -> String {
        String(unsafeUninitializedCapacity: count) { room in
            guard let room = room.baseAddress else { return 0 }
            let (source, target) = (UnsafeRawPointer(start), UnsafeMutableRawPointer(room))
            // Invariant: loads and stores are of the `count` bytes, of which two parts may overlap.
            if count >= 8 {
                let last = source.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
                target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
                target.storeBytes(of: last, toByteOffset: count &- 8, as: UInt64.self)
            } else if count >= 4 {
                let last = source.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
                target.storeBytes(of: source.loadUnaligned(as: UInt32.self), as: UInt32.self)
                target.storeBytes(of: last, toByteOffset: count &- 4, as: UInt32.self)
            } else {
                for offset in 0..<count {
                    target.storeBytes(of: start[offset], toByteOffset: offset, as: UInt8.self)
                }
            }
            return count
        }
    }
}
