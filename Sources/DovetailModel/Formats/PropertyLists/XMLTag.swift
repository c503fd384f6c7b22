/// A start tag of an XML property list.
///
/// Made on the stack for each element; it holds addresses in the document and copies nothing. The
/// bytes of the name stay at hand, so that an end tag is compared with the start tag as it is
/// spelt, whatever its name.
struct XMLTag {
    /// The elements of Apple's `PropertyList-1.0.dtd`, whose names are in lower case.
    enum Name: UInt8 {
        case dict, array, string, integer, real, yes, no, date, data, key, plist, unknown
    }

    /// Which element it is; ``Name/unknown`` for a name that is not in the document type.
    let name: Name
    /// Whether it ends itself: `<dict/>`.
    let isEmpty: Bool
    /// Where its name starts, after the `<`.
    let start: UnsafePointer<UInt8>
    /// The bytes of the name.
    let nameCount: Int
    /// What follows the tag, or the slash of one that ends itself.
    let content: UnsafePointer<UInt8>

    /// The tag at `position`; nil when none starts there, or it has no end.
    ///
    /// Attributes are passed over, as Foundation does; a `>` in quotes does not end the tag. Loads
    /// lie below `end`.
    ///
    /// - Complexity: linear in the length of the tag.
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

    /// Where the end tag of this one, which starts at `position`, ends; nil when something else is
    /// there. White space may follow the name (XML 1.0, section 3.1).
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

    /// Names are not checked further: a name of other bytes is unknown in any case.
    @inline(__always)
    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x2F && byte != 0x3E && byte != 0x3C
    }

    /// The element of a name. The first byte leaves at most three to compare with.
    ///
    /// Invariant: `count` is at least 1, and as many bytes are loaded (``init(at:end:)``).
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
