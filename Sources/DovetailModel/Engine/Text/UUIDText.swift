package import Foundation

/// Identifiers as text: 36 characters (RFC 9562, section 4).
///
/// Foundation reads them with `sscanf` and writes them with `snprintf`, which showed as the largest
/// part of Swift's side in a profile of fetching rows with one identifier each.
package enum UUIDText {
    package static let length = 36

    /// The identifier that 36 bytes spell, in capital or small letters; nil for anything else.
    package static func uuid(_ bytes: UnsafeBufferPointer<UInt8>) -> UUID? {
        guard bytes.count == length, bytes[8] == 0x2D, bytes[13] == 0x2D, bytes[18] == 0x2D,
            bytes[23] == 0x2D
        else { return nil }
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let isComplete = withUnsafeMutableBytes(of: &value) { target in
            var place = 0
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 { place &+= 1 }
                let (high, low) = (digit(bytes[place]), digit(bytes[place &+ 1]))
                if high | low > 15 { return false }
                target[index] = high &<< 4 | low
                place &+= 2
            }
            return true
        }
        return isComplete ? UUID(uuid: value) : nil
    }

    /// Whether these are the 36 characters of an identifier in capital letters, as it is written.
    package static func isCanonical(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        uuid(bytes) != nil && !bytes.contains { $0 >= 0x61 }
    }

    /// Stores the 36 characters, in capital letters. `target` has room for them.
    package static func write(_ uuid: UUID, to target: UnsafeMutablePointer<UInt8>) {
        withUnsafeBytes(of: uuid.uuid) { source in
            var place = 0
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    target[place] = 0x2D
                    place &+= 1
                }
                target[place] = character(source[index] &>> 4)
                target[place &+ 1] = character(source[index] & 15)
                place &+= 2
            }
        }
    }

    /// The value of a hexadecimal digit; 255 for another byte.
    @inline(__always)
    private static func digit(_ byte: UInt8) -> UInt8 {
        let number = byte &- 0x30
        if number < 10 { return number }
        // Capital letters become small ones, and nothing else becomes a small letter a to f.
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : 255
    }

    @inline(__always)
    private static func character(_ digit: UInt8) -> UInt8 {
        digit < 10 ? 0x30 &+ digit : 0x37 &+ digit
    }
}
