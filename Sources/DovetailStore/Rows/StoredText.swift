import Foundation

/// Text as a store compares it: byte by byte in UTF-8.
///
/// Swift's own equality takes canonical equivalents, such as the two forms of "é", as equal. They
/// are two values of a column and two keys. Comparing and hashing are linear in the length of the
/// text.
package struct StoredText: Hashable, Sendable {
    package let string: String

    package init(_ string: String) {
        self.string = string
    }

    package static func == (left: StoredText, right: StoredText) -> Bool {
        var (left, right) = (left.string, right.string)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard left.count == right.count else { return false }
                guard let start = left.baseAddress, let other = right.baseAddress else {
                    return true
                }
                return memcmp(start, other, left.count) == 0
            }
        }
    }

    /// The order of the bytes, which is that of the Unicode scalars: a negative number, 0 or a
    /// positive one.
    func order(relativeTo other: StoredText) -> Int {
        var (left, right) = (string, other.string)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                if let start = left.baseAddress, let other = right.baseAddress {
                    let order = memcmp(start, other, min(left.count, right.count))
                    if order != 0 { return Int(order) }
                }
                return left.count - right.count
            }
        }
    }

    package func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(UInt8.max)
    }
}
