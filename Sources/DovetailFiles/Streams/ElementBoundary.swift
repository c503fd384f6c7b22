import CDovetailScan
import DovetailModel

/// Finds where an element of an array ends while its bytes are still coming.
///
/// It remembers where it is, so every byte is looked at once, however small the pieces are. It
/// does not tell right from wrong: what it calls whole is then read, and reading says what is wrong.
struct ElementBoundary {
    /// How many bytes of the element were looked at.
    private var offset = 0
    private var depth = 0
    private var isString = false
    private var isEscape = false

    /// Looks at the bytes that are new. True when the element is whole, or wrong in a way that more
    /// bytes do not change.
    ///
    /// - Parameter element: all of its bytes so far, and what follows them.
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
                // The end of a number or a word, when the element is one.
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

    /// Moves to the end of the string, or of the bytes. True when that ends the element.
    private mutating func passString(in element: UnsafeBufferPointer<UInt8>) -> Bool? {
        if isEscape {
            isEscape = false
            offset += 1
            return nil
        }
        while element.count - offset >= 16, let start = element.baseAddress {
            // Sixteen bytes from `offset` were just seen to be there.
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
        // No string has such bytes: one whose closing quote is missing ends here.
        case 0..<0x20: return true
        default: break
        }
        offset += 1
        return nil
    }
}
