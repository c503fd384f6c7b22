import CDovetailScan

// How the reader loads bytes of JSON. Every function here checks against `end` before it loads, so
// a caller cannot read outside of the document, whatever the document holds.
//
// The few loops that load for themselves have the check beside the load: `BlockScanner`,
// `ExpectedNames`, `valueAfterColon(at:)`, `shortString(at:count:)` and `UTF8Check`. Other formats
// have loaders of their own (XMLScan.swift, XMLTag.swift, BinaryPropertyListInput.swift,
// TreeInput.swift).
//
// What is not inlined takes pointers, or the reader inout. A borrowed reader is copied to the
// stack, and loading the fresh copy in other widths than it was stored in stalls the processor:
// that alone was a third of the time of skipping.

extension ModelReader {
    /// The byte under the cursor; 0 at the end. No JSON token contains 0, so most callers need no
    /// check for the end.
    @inlinable
    package var byte: UInt8 {
        @inline(__always) get { cursor < end ? cursor.pointee : 0 }
    }

    /// The byte at `position`; 0 at the end.
    @inlinable
    @inline(__always)
    func byte(at position: UnsafePointer<UInt8>) -> UInt8 {
        position < end ? position.pointee : 0
    }

    /// Eight bytes from `position`, the first one lowest. Bytes past the end of the input are 0.
    @inlinable
    @inline(__always)
    func word(at position: UnsafePointer<UInt8>) -> UInt64 {
        if end - position >= 8 {
            return UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
        }
        return ModelReader.tailWord(at: position, end: end)
    }

    /// Up to eight bytes, loaded one by one as far as the input goes: the slow path of `word(at:)`.
    @usableFromInline
    @inline(never)
    static func tailWord(at position: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> UInt64 {
        var word: UInt64 = 0
        var shift: UInt64 = 0
        var next = position
        while next < end, shift < 64 {
            word |= UInt64(next.pointee) << shift
            shift += 8
            next += 1
        }
        return word
    }

    /// Moves over white space (RFC 8259, section 2). Most places have none, which costs one
    /// comparison.
    @inlinable
    @inline(__always)
    package mutating func skipWhitespace() {
        if byte > 0x20 { return }
        skipWhitespaceRun()
    }

    /// The rest of `skipWhitespace()`, kept out of the caller's code.
    @usableFromInline
    mutating func skipWhitespaceRun() {
        cursor = endOfWhitespace(from: cursor)
    }

    /// Finds where the white space from `start` ends. The two fast paths are compact documents,
    /// which have none, and pretty ones, which have one line break or space and then the spaces of
    /// an indentation.
    @inline(__always)
    func endOfWhitespace(from start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        let first = byte(at: start)
        if first > 0x20 { return start }
        if first == 0x0A || first == 0x20, end - start > 16 {
            let others = dovetail_nonspaces16(start + 1)
            let next = start + 1 + others.trailingZeroBitCount
            if others != 0, next.pointee > 0x20 { return next }
        }
        return ModelReader.endOfLongWhitespace(from: start, end: end)
    }

    /// The slow path: tabs, carriage returns, long indentations, and the end of the input. Sixteen
    /// spaces a step.
    @inline(never)
    private static func endOfLongWhitespace(
        from start: UnsafePointer<UInt8>,
        end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        var position = start
        while position < end {
            switch position.pointee {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return position
            }
            while end - position >= 16 {
                let others = dovetail_nonspaces16(position)
                position += others == 0 ? 16 : others.trailingZeroBitCount
                if others != 0 { break }
            }
        }
        return position
    }

    /// Finds where the plain run of a string ends that starts at `start`: at a quote, a backslash,
    /// a control character or the end of the input. `high` gathers the top bits of the run's bytes;
    /// it stays 0 for ASCII.
    ///
    /// Sixteen bytes a step. Steps of sixty-four gain nothing: most strings are shorter.
    @inline(__always)
    func endOfPlainRun(
        from start: UnsafePointer<UInt8>,
        high: inout UInt64
    ) -> UnsafePointer<UInt8> {
        var position = start
        while end - position >= 16 {
            let block = dovetail_scan16(position)
            if block.stops != 0 {
                let count = block.stops.trailingZeroBitCount
                high |= UInt64(block.high & ((1 &<< UInt32(truncatingIfNeeded: count)) &- 1))
                return position + count
            }
            high |= UInt64(block.high)
            position += 16
        }
        return ModelReader.endOfPlainRunNearEnd(from: position, end: end, high: &high)
    }

    /// The last bytes of the input, eight at a time. The zeros after the end stop the scan, like a
    /// control character.
    @inline(never)
    private static func endOfPlainRunNearEnd(
        from start: UnsafePointer<UInt8>,
        end: UnsafePointer<UInt8>,
        high: inout UInt64
    ) -> UnsafePointer<UInt8> {
        var position = start
        while true {
            let word = tailWord(at: position, end: end)
            let stops = ByteScan.stops(in: word)
            if stops == 0 {
                high |= word & 0x8080_8080_8080_8080
                position += 8
                continue
            }
            let bits = UInt64(truncatingIfNeeded: stops.trailingZeroBitCount & ~7)
            high |= word & ((1 &<< bits) &- 1) & 0x8080_8080_8080_8080
            return position + Int(truncatingIfNeeded: bits &>> 3)
        }
    }

    /// The first quote from `start` that is followed by the byte `first`, so that a name may begin
    /// there. Nil when a bracket, a backslash or a vertical bar comes before it, and near the end
    /// of the input, where seventeen bytes cannot be loaded. The vertical bar only ends the search
    /// early: its code lies between the brackets'.
    ///
    /// Sixteen bytes a step. Steps of sixty-four gain nothing.
    @inline(__always)
    func possibleName(
        from start: UnsafePointer<UInt8>,
        first: UInt8
    ) -> UnsafePointer<UInt8>? {
        var position = start
        while end - position >= 17 {
            let block = dovetail_names16(position, first)
            if block.names | block.stops != 0 {
                let name = block.names.trailingZeroBitCount
                return name < block.stops.trailingZeroBitCount ? position + name : nil
            }
            position += 16
        }
        return nil
    }

    /// A view of the bytes between two positions, both within the document; nothing is copied.
    func bytes(
        from first: UnsafePointer<UInt8>,
        to last: UnsafePointer<UInt8>
    )
        -> UnsafeBufferPointer<UInt8>
    {
        UnsafeBufferPointer(start: first, count: last - first)
    }
}

/// Finds bytes in eight at a time, without vector instructions. Only the lowest hit of a mask is
/// exact, since a subtraction may borrow from the byte below; only that one is used.
@usableFromInline
enum ByteScan {
    /// Marks the top bit of quotes, backslashes and control characters: what ends the plain run of
    /// a string.
    @inlinable
    @inline(__always)
    static func stops(in word: UInt64) -> UInt64 {
        let quotes = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
        let backslashes = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
        let controls = word &- 0x2020_2020_2020_2020
        return (quotes | backslashes | controls) & ~word & 0x8080_8080_8080_8080
    }

    /// Marks the top bit of bytes that are no decimal digits. All marks are exact.
    @inline(__always)
    static func nonDigits(in word: UInt64) -> UInt64 {
        // A digit becomes 0...9, of which the sum has no top bit.
        let values = word ^ 0x3030_3030_3030_3030
        let sums = values & 0x7F7F_7F7F_7F7F_7F7F &+ 0x7676_7676_7676_7676
        return (sums | values) & 0x8080_8080_8080_8080
    }
}
