/// A tag of an XML property list.
struct XMLTag {
    enum Name: UInt8 {
        case dict, array, string, integer, real, yes, no, date, data, key, plist, unknown
    }

    let name: Name
    /// Whether it ends itself: `<dict/>`.
    let isEmpty: Bool
    /// Where its name starts.
    let start: UnsafePointer<UInt8>
    let nameCount: Int
    /// What follows the tag, or the slash of one that ends itself.
    let content: UnsafePointer<UInt8>

    /// The tag at `position`; nil when none starts there, or it has no end.
    ///
    /// Attributes are passed over, as Foundation does.
    init?(at position: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
        guard end - position > 2, position.pointee == 0x3C else { return nil }
        start = position + 1
        var next = start
        while next < end, Self.isNameByte(next.pointee) { next += 1 }
        nameCount = next - start
        guard nameCount > 0, next < end else { return nil }
        name = Self.name(start, nameCount)
        if next.pointee == 0x3E {
            isEmpty = false
            content = next + 1
            return
        }
        var quote: UInt8 = 0
        while next < end {
            let byte = next.pointee
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == 0x22 || byte == 0x27 {
                quote = byte
            } else if byte == 0x3E {
                isEmpty = false
                content = next + 1
                return
            } else if byte == 0x2F {
                guard end - next >= 2, next[1] == 0x3E else { return nil }
                isEmpty = true
                content = next
                return
            } else if byte == 0x3C {
                return nil
            }
            next += 1
        }
        return nil
    }

    /// The position behind the end tag of this one at `position`; nil when another thing is there.
    @inline(__always)
    func endTag(
        at position: UnsafePointer<UInt8>,
        end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        guard end - position >= nameCount + 3, position.pointee == 0x3C, position[1] == 0x2F else {
            return nil
        }
        for offset in 0..<nameCount where position[2 + offset] != start[offset] { return nil }
        var next = position + 2 + nameCount
        while next < end, next.pointee <= 0x20 { next += 1 }
        return next < end && next.pointee == 0x3E ? next + 1 : nil
    }

    @inline(__always)
    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x2F && byte != 0x3E && byte != 0x3C
    }

    private static func name(_ start: UnsafePointer<UInt8>, _ count: Int) -> Name {
        func has(_ text: StaticString) -> Bool {
            guard count == text.utf8CodeUnitCount else { return false }
            for index in 0..<count where start[index] != text.utf8Start[index] { return false }
            return true
        }
        switch start.pointee {
        case 0x64: return has("dict") ? .dict : has("date") ? .date : has("data") ? .data : .unknown
        case 0x61: return has("array") ? .array : .unknown
        case 0x73: return has("string") ? .string : .unknown
        case 0x69: return has("integer") ? .integer : .unknown
        case 0x72: return has("real") ? .real : .unknown
        case 0x74: return has("true") ? .yes : .unknown
        case 0x66: return has("false") ? .no : .unknown
        case 0x6B: return has("key") ? .key : .unknown
        case 0x70: return has("plist") ? .plist : .unknown
        default: return .unknown
        }
    }
}

/// Finds bytes of XML. Every function loads below `end` only.
enum XMLScan {
    /// Where text ends: at a `<`, a `&` or the end. `high` gathers the top bits of its bytes.
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

    /// Whether `text` stands at `position`.
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

    /// Where the first `text` from `position` on ends; nil without one.
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
    /// them has no end.
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

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
    }
}
