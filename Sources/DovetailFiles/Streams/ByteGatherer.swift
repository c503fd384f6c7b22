/// Gathers single bytes into pieces that end where an element may end, so that an element which
/// arrives slowly is delivered once it is there.
///
/// A piece ends after a comma or a closing bracket of the outer array's own level, and at 16 KiB.
/// In invalid documents the places are wrong, which only changes the pieces and never the result.
@usableFromInline
struct ByteGatherer {
    /// The largest piece, in bytes.
    private static let size = 16 << 10

    private var piece: [UInt8] = []
    /// How many brackets and braces are open; 1 inside of the outer array.
    private var depth = 0
    private var isString = false
    private var isEscape = false

    @usableFromInline
    init() {}

    /// Takes a byte. True when the piece should be handed on.
    @usableFromInline
    mutating func take(_ byte: UInt8) -> Bool {
        piece.append(byte)
        if isString {
            if isEscape {
                isEscape = false
            } else if byte == 0x5C {
                isEscape = true
            } else if byte == 0x22 {
                isString = false
            }
            return piece.count >= Self.size
        }
        switch byte {
        case 0x22: isString = true
        case 0x7B, 0x5B: depth &+= 1
        case 0x7D, 0x5D:
            depth &-= 1
            if depth <= 1 { return true }
        case 0x2C: if depth <= 1 { return true }
        default: break
        }
        return piece.count >= Self.size
    }

    /// Hands out what was gathered, and starts the next piece; nil when there is nothing.
    @usableFromInline
    mutating func end() -> [UInt8]? {
        defer { piece.removeAll(keepingCapacity: true) }
        return piece.isEmpty ? nil : piece
    }
}
