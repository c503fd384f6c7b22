/// Finds bytes of XML.
///
/// Pure functions over two addresses, used by the reader, by ``XMLTag`` and by ``XMLWalk``. Every
/// function loads below `end` only, and gives a position of at most `end`. All are linear in the
/// distance they cover.
enum XMLScan {
    /// Where text ends: at a `<`, a `&` or the end.
    ///
    /// Eight bytes a step: a byte that equals the pattern becomes zero by `^`, and only a zero has
    /// its top bit set after the subtraction. A borrow can mark a byte above the first hit, so only
    /// the lowest mark counts.
    ///
    /// - Parameter high: gathers the top bits of the text's bytes; 0 afterwards means ASCII, for
    ///   which no check of UTF-8 is needed.
    @inline(__always)
    static func endOfText(
        from start: UnsafePointer<UInt8>,
        end: UnsafePointer<UInt8>,
        high: inout UInt64
    ) -> UnsafePointer<UInt8> {
        var position = start
        while end - position >= 8 {
            let word = UInt64(
                littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self)
            )
            let angles = (word ^ 0x3C3C_3C3C_3C3C_3C3C) &- 0x0101_0101_0101_0101
            let ampersands = (word ^ 0x2626_2626_2626_2626) &- 0x0101_0101_0101_0101
            let stops = (angles | ampersands) & ~word & 0x8080_8080_8080_8080
            if stops != 0 {
                let bits = UInt64(truncatingIfNeeded: stops.trailingZeroBitCount & ~7)
                high |= word & ((1 &<< bits) &- 1) & 0x8080_8080_8080_8080
                return position + Int(truncatingIfNeeded: bits &>> 3)
            }
            high |= word & 0x8080_8080_8080_8080
            position += 8
        }
        while position < end, position.pointee != 0x3C, position.pointee != 0x26 {
            high |= UInt64(position.pointee & 0x80)
            position += 1
        }
        return position
    }

    /// Whether the bytes at `position` are `text`.
    @inline(__always)
    static func has(
        _ text: StaticString,
        at position: UnsafePointer<UInt8>,
        end: UnsafePointer<UInt8>
    ) -> Bool {
        let count = text.utf8CodeUnitCount
        guard end - position >= count else { return false }
        for index in 0..<count where position[index] != text.utf8Start[index] { return false }
        return true
    }

    /// Where the first `text` from `position` on ends; nil without one. For comments and
    /// declarations, which are short and few.
    static func end(
        of text: StaticString,
        from position: UnsafePointer<UInt8>,
        end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        var next = position
        let first = text.utf8Start.pointee
        while next < end {
            if next.pointee == first, has(text, at: next, end: end) {
                return next + text.utf8CodeUnitCount
            }
            next += 1
        }
        return nil
    }

    /// Where white space, comments and processing instructions from `start` end; nil when one of
    /// them has no end. XML allows all three between elements (XML 1.0, section 2.8, `Misc`).
    @inline(__always)
    static func endOfSpace(
        from start: UnsafePointer<UInt8>,
        end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        var position = start
        while true {
            while position < end, isSpace(position.pointee) { position += 1 }
            guard end - position >= 2, position.pointee == 0x3C,
                position[1] == 0x21 || position[1] == 0x3F
            else { return position }
            if has("<!--", at: position, end: end) {
                guard let next = self.end(of: "-->", from: position + 4, end: end) else {
                    return nil
                }
                position = next
            } else if position[1] == 0x3F {
                guard let next = self.end(of: "?>", from: position + 2, end: end) else {
                    return nil
                }
                position = next
            } else {
                return position
            }
        }
    }

    /// White space of XML 1.0 (section 2.3).
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
    }
}
