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
