import CDovetailScan
import DovetailModel

/// Finds where an element of an array ends while its bytes are still coming.
///
/// It keeps its state between calls, so every byte is looked at once, however small the pieces are.
/// It does not tell valid from invalid: what it takes as whole is read afterwards, and reading
/// reports what is wrong. ``StreamWindow`` owns one as long as an element is incomplete.
struct ElementBoundary {
    /// How many bytes of the element were looked at.
    private var offset = 0
    /// How many objects and arrays are open; 0 for a number, a string or a word.
    private var depth = 0
    /// Whether `offset` is inside of a string.
    private var isString = false
    /// Whether the byte before `offset` is the backslash of an escape.
    private var isEscape = false

    /// Looks at the bytes that are new. True when the element is whole, or when it is wrong in a
    /// way that more bytes do not change.
    ///
    /// - Parameter element: All of its bytes so far, and what follows them.
    /// - Complexity: linear in the number of new bytes.
    mutating func isWhole(in element: UnsafeBufferPointer<UInt8>) -> Bool {
        while offset < element.count {
            if passBlocks(in: element) { return true }
            if passBytes(in: element, to: min(offset + 64, element.count)) { return true }
        }
        return false
    }

    /// Moves over blocks of 64 bytes inside of an object or array: the strings of a block are found
    /// with a few shifts, and only brackets outside of them are looked at one by one. Stops before
    /// a block with a control character in a string or a backslash outside of one, which no valid
    /// document has. True at the end of the element.
    ///
    /// Large elements are searched before they are read. Byte by byte, that was a fifth of the time
    /// of a stream of elements of 100 kB.
    private mutating func passBlocks(in element: UnsafeBufferPointer<UInt8>) -> Bool {
        guard depth > 0, let start = element.baseAddress else { return false }
        // The condition of the loop: 64 bytes from `offset` on can be read, and `place` is one of
        // them.
        while element.count - offset >= 64 {
            let block = dovetail_structure64(start + offset)
            var quotes = block.quotes
            var escapes = block.backslashes
            if isEscape {
                quotes &= ~1
                escapes &= ~1
            }
            var endsInEscape = false
            while escapes != 0 {
                // The bit after the lowest one; 0 when that is the last of the block.
                let escaped = (escapes & (0 &- escapes)) &<< 1
                endsInEscape = escaped == 0
                quotes &= ~escaped
                escapes &= (escapes &- 1) & ~escaped
            }
            // Each bit becomes the parity of the quotes up to it, so the bits of strings are set,
            // with their opening quotes.
            var strings = quotes
            strings ^= strings &<< 1
            strings ^= strings &<< 2
            strings ^= strings &<< 4
            strings ^= strings &<< 8
            strings ^= strings &<< 16
            strings ^= strings &<< 32
            if isString { strings = ~strings }
            if block.controls & strings | block.backslashes & ~strings != 0 { return false }
            var brackets = block.brackets & ~strings
            while brackets != 0 {
                let place = offset + brackets.trailingZeroBitCount
                // Opening brackets are 0x5B and 0x7B, closing ones 0x5D and 0x7D.
                depth += start[place] & 2 != 0 ? 1 : -1
                if depth == 0 || depth > ModelReader.maximumDepth {
                    offset = place
                    return true
                }
                brackets &= brackets &- 1
            }
            isString = strings &>> 63 != 0
            isEscape = endsInEscape
            offset += 64
        }
        return false
    }

    /// Moves to `last` byte by byte, or further in a string. True at the end of the element.
    private mutating func passBytes(
        in element: UnsafeBufferPointer<UInt8>,
        to last: Int
    ) -> Bool {
        while offset < last {
            if isString {
                guard let isWhole = passString(in: element) else { continue }
                if isWhole { return true }
                continue
            }
            let byte = element[offset]
            switch byte {
            case 0x22:
                // A quote ends a number or a word, when the element is one.
                if depth == 0, offset > 0 { return true }
                isString = true
            case 0x7B, 0x5B:
                if depth == 0, offset > 0 { return true }
                depth += 1
                if depth > ModelReader.maximumDepth { return true }
            case 0x7D, 0x5D:
                depth -= 1
                if depth <= 0 { return true }
            case 0x2C, 0x3A, 0...0x20:
                if depth == 0 { return true }
            default: break
            }
            offset += 1
        }
        return false
    }

    /// Moves through a string. Nil while it may go on, then whether its end is that of the element.
    private mutating func passString(in element: UnsafeBufferPointer<UInt8>) -> Bool? {
        if isEscape {
            isEscape = false
            offset += 1
            return nil
        }
        while element.count - offset >= 16, let start = element.baseAddress {
            // The condition of the loop: sixteen bytes from `offset` on can be read. The stops are
            // quotes, backslashes and control characters, the first byte in the lowest bit.
            let stops = dovetail_scan16(start + offset).stops
            if stops != 0 {
                offset += stops.trailingZeroBitCount
                break
            }
            offset += 16
        }
        guard offset < element.count else { return nil }
        switch element[offset] {
        case 0x22:
            isString = false
            offset += 1
            return depth == 0
        case 0x5C: isEscape = true
        // No string has such bytes (RFC 8259, 7). Its closing quote is missing; reading says so.
        case 0..<0x20: return true
        default: break
        }
        offset += 1
        return nil
    }
}
