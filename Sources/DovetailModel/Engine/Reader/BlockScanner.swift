import CDovetailScan

/// Answers where strings and white space end out of masks of sixty-four bytes at a time, for
/// passing over whole objects and arrays.
///
/// Skipping is bound by how long each answer takes, since every token starts where the last one
/// ended: a load, comparisons and a mask are some fifteen cycles, a shift of a mask that is there
/// already is five. That holds while the masks are in registers, so this is a local of one
/// function; as a part of the reader it was slower than a load a token.
///
/// Invariant: the masks are those of the 64 bytes from `block`, all of them before `end`, or
/// `block` is `end`.
struct BlockScanner {
    private var block: UnsafePointer<UInt8>
    private var stops: UInt64 = 0
    private var high: UInt64 = 0
    private var nonspaces: UInt64 = 0
    private let end: UnsafePointer<UInt8>

    init(to end: UnsafePointer<UInt8>) {
        self.end = end
        block = end
    }

    /// Takes the block at `position`; false where fewer than 64 bytes are left.
    @inline(__always)
    private mutating func load(at position: UnsafePointer<UInt8>) -> Bool {
        guard end - position >= 64 else { return false }
        let masks = dovetail_scan64(position)
        block = position
        stops = masks.stops
        high = masks.high
        nonspaces = masks.nonspaces
        return true
    }

    /// How far `position` lies in the block; 64 or more outside of it.
    @inline(__always)
    private func offset(of position: UnsafePointer<UInt8>) -> UInt64 {
        block == end ? 64 : UInt64(bitPattern: Int64(position - block))
    }

    /// The closing quote of the string whose content starts at `start`; nil when the string holds
    /// anything but plain ASCII, or the input is about to end.
    @inline(__always)
    mutating func closingQuote(from start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        var position = start
        while true {
            let offset = offset(of: position)
            if offset < 64 {
                let found = stops &>> offset
                let nonASCII = high &>> offset
                if found != 0 {
                    let quote = position + found.trailingZeroBitCount
                    let before = found & (0 &- found) &- 1
                    return quote.pointee == 0x22 && nonASCII & before == 0 ? quote : nil
                }
                if nonASCII != 0 { return nil }
                position = block + 64
            }
            if !load(at: position) { return nil }
        }
    }

    /// Where the white space from `start` ends: behind nothing, or behind one line break or space
    /// and the spaces that follow it; nil for other white space, or when the input is about to end.
    @inline(__always)
    mutating func endOfWhitespace(from start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        guard start < end else { return nil }
        let first = start.pointee
        if first > 0x20 { return start }
        guard first == 0x0A || first == 0x20 else { return nil }
        var position = start + 1
        var offset = offset(of: position)
        var found = offset < 64 ? nonspaces &>> offset : 0
        if found == 0 {
            // An indentation that crosses the block starts the next one; a longer one is unusual.
            if offset < 64 { position = block + 64 }
            guard load(at: position) else { return nil }
            offset = 0
            found = nonspaces
            if found == 0 { return nil }
        }
        let next = position + found.trailingZeroBitCount
        return next.pointee > 0x20 ? next : nil
    }
}
