import CDovetailScan

// The only file that dereferences the reader's pointers. Every function checks against `end`
// before it loads, so a caller cannot read outside of the document whatever it holds.
//
// What is not inlined takes pointers, or the reader inout: a borrowed reader is copied to the
// stack, and loading the fresh copy in other widths than it was stored in stalls the processor.
// That alone was a third of the time of skipping.

extension ModelReader {
    /// The byte under the cursor, or 0 at the end: no JSON token starts with or continues by 0.
    @inlinable
    package var byte: UInt8 {
        @inline(__always) get { cursor < end ? cursor.pointee : 0 }
    }

    @inlinable
    @inline(__always)
    func byte(at position: UnsafePointer<UInt8>) -> UInt8 {
        position < end ? position.pointee : 0
    }

    /// Eight bytes from `position`, the first one lowest. At the end of the input the missing bytes
    /// are 0.
    @inlinable
    @inline(__always)
    func word(at position: UnsafePointer<UInt8>) -> UInt64 {
        if end - position >= 8 {
            return UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
        }
        return ModelReader.tailWord(at: position, end: end)
    }

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

    /// Moves over white space: none in most places, and sixteen bytes at a time in others.
    @inlinable
    @inline(__always)
    package mutating func skipWhitespace() {
        if byte > 0x20 { return }
        skipWhitespaceRun()
    }

    @usableFromInline
    mutating func skipWhitespaceRun() {
        cursor = endOfWhitespace(from: cursor)
    }

    /// Finds where the white space from `start` ends: at once in compact documents, and in pretty
    /// ones mostly behind one line break and the spaces that indent a line.
    @inline(__always)
    func endOfWhitespace(from start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        let first = byte(at: start)
        if first > 0x20 { return start }
        if first == 0x0A || first == 0x20, end - start > 16 {
            let others = dovetail_nonspaces16(start + 1)
            let next = start + 1 + others.trailingZeroBitCount
            if others != 0, next.pointee > 0x20 { return next }
        }
        return ModelReader.endOfUnusualWhitespace(from: start, end: end)
    }

    @inline(never)
    private static func endOfUnusualWhitespace(
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

    /// Finds where the plain run of a string that starts at `start` ends: at a quote, a backslash,
    /// a control character or the end of the input. `high` gathers the top bits of its bytes.
    ///
    /// Steps of sixty-four bytes were tried and gain nothing: most strings are shorter.
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

    /// The last bytes of the input, eight at a time; the zeros behind the end stop the scan.
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

    /// The first quote from `start` that may begin the name `first` is the first byte of, unless a
    /// bracket or a backslash comes before it; nil there, and when the input is about to end.
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

    /// A copy of the bytes between two positions of the document.
    func bytes(
        from first: UnsafePointer<UInt8>,
        to last: UnsafePointer<UInt8>
    )
        -> UnsafeBufferPointer<UInt8>
    {
        UnsafeBufferPointer(start: first, count: last - first)
    }
}

/// Finds bytes in eight at a time. Only the lowest hit of a mask is exact, which is the only one
/// that is used.
@usableFromInline
enum ByteScan {
    /// Marks quotes, backslashes and control characters: what ends the plain run of a string.
    @inlinable
    @inline(__always)
    static func stops(in word: UInt64) -> UInt64 {
        let quotes = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
        let backslashes = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
        let controls = word &- 0x2020_2020_2020_2020
        return (quotes | backslashes | controls) & ~word & 0x8080_8080_8080_8080
    }
}
