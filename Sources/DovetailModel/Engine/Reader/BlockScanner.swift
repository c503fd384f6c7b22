import CDovetailScan

/// Finds where strings and white space end, from bit masks of sixty-four bytes at a time. It serves
/// `skipValue()`, which passes over whole objects and arrays.
///
/// Skipping is bound by latency, because every token starts where the last one ended: a load,
/// comparisons and a mask take some fifteen cycles, the shift of a mask that is already there takes
/// five. That holds while the masks are in registers, so a scanner is a local of one call; as a
/// part of the reader it was slower than a load for each token.
///
/// Every function answers nil when it does not know. The caller then asks the functions of
/// `ModelReader+Bytes.swift`, which are slower and complete.
///
/// Invariant: the masks are those of the 64 bytes from `block`, all of them before `end`, or
/// `block` is `end`. Only `load(at:)` changes them.
struct BlockScanner {
    private var block: UnsafePointer<UInt8>
    /// Quotes, backslashes and control characters.
    private var stops: UInt64 = 0
    /// Bytes of 0x80 and above.
    private var high: UInt64 = 0
    /// Everything but spaces.
    private var nonspaces: UInt64 = 0
    private let end: UnsafePointer<UInt8>

    /// Holds no block yet. `end` is the end of the input.
    init(to end: UnsafePointer<UInt8>) {
        self.end = end
        block = end
    }

    /// Loads the block at `position`; false when fewer than 64 bytes are left.
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

    /// The offset of `position` in the block; 64 or more when it lies outside.
    @inline(__always)
    private func offset(of position: UnsafePointer<UInt8>) -> UInt64 {
        block == end ? 64 : UInt64(bitPattern: Int64(position - block))
    }

    /// The closing quote of the string whose content starts at `start`; nil when the string holds
    /// anything but plain ASCII, or fewer than 64 bytes are left for the next block.
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
                    // The bits below the lowest stop: the string's own bytes, which have to be
                    // ASCII.
                    let before = found & (0 &- found) &- 1
                    return quote.pointee == 0x22 && nonASCII & before == 0 ? quote : nil
                }
                if nonASCII != 0 { return nil }
                position = block + 64
            }
            if !load(at: position) { return nil }
        }
    }

    /// Where the white space from `start` ends: at `start` itself, or after one line break or space
    /// and the spaces that follow it. Nil for other white space, and near the end of the input.
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
            // An indentation that crosses the block goes on in the next one; one of over 64 spaces
            // is left to the caller.
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
