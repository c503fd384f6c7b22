import Foundation

// How the writer stores bytes into its buffer. Every store lies in the room that a preceding
// `reserve(_:)` has made; what is called `put` stores into it, what is called `append` reserves
// first. The one store outside of this file is that of `appendDecimal(_:decimals:)`, which reserves
// as well.

extension ModelWriter {
    /// Makes room for `extra` more bytes after `count`.
    @inlinable
    @inline(__always)
    mutating func reserve(_ extra: Int) {
        if capacity &- count < extra { grow(by: extra) }
    }

    /// The slow path of `reserve(_:)`. It doubles, so that n bytes cost O(n).
    @usableFromInline
    @inline(never)
    mutating func grow(by extra: Int) {
        // `realloc` moves the pages of a large block without a copy, and touches no new page.
        let block = capacity == 0 ? nil : UnsafeMutableRawPointer(buffer)
        capacity = max(capacity * 2, count + extra, Self.firstCapacity)
        buffer = HeapBytes.reallocate(block, capacity).assumingMemoryBound(to: UInt8.self)
    }

    /// Takes the document out of the writer. A large one keeps its block, trimmed to its size; a
    /// small one is copied, so that a writer of many of them keeps its buffer.
    mutating func takeDocument() -> Data {
        defer { count = 0 }
        guard count > 16_384 else { return Data(bytes: buffer, count: count) }
        let block = HeapBytes.reallocate(buffer, count)
        capacity = 16
        buffer = HeapBytes.allocate(capacity)
        return Data(bytesNoCopy: block, count: count, deallocator: .free)
    }

    /// Stores one byte, for which there is room.
    @inlinable
    @inline(__always)
    mutating func put(_ byte: UInt8) {
        buffer[count] = byte
        count &+= 1
    }

    /// Stores a field's name, for which there is room.
    ///
    /// Most names have less than seventeen bytes, of which quotes and colon are three. Two loads
    /// and stores that may overlap copy those, without a call and within the name's length.
    @inline(__always)
    mutating func put(_ name: StaticString) {
        let length = name.utf8CodeUnitCount
        let source = UnsafeRawPointer(name.utf8Start)
        let target = UnsafeMutableRawPointer(buffer + count)
        if length >= 8, length <= 16 {
            let last = length &- 8
            let first = source.loadUnaligned(as: UInt64.self)
            let second = source.loadUnaligned(fromByteOffset: last, as: UInt64.self)
            target.storeBytes(of: first, as: UInt64.self)
            target.storeBytes(of: second, toByteOffset: last, as: UInt64.self)
        } else if length >= 4, length < 8 {
            let last = length &- 4
            let first = source.loadUnaligned(as: UInt32.self)
            let second = source.loadUnaligned(fromByteOffset: last, as: UInt32.self)
            target.storeBytes(of: first, as: UInt32.self)
            target.storeBytes(of: second, toByteOffset: last, as: UInt32.self)
        } else {
            target.copyMemory(from: source, byteCount: length)
        }
        count &+= length
    }

    /// Appends one byte.
    @inlinable
    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        put(byte)
    }

    /// Appends a literal of the source as it is.
    @inlinable
    @inline(__always)
    mutating func append(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        reserve(length)
        UnsafeMutableRawPointer(buffer + count).copyMemory(from: text.utf8Start, byteCount: length)
        count &+= length
    }

    /// Appends bytes that lie outside of the buffer.
    @usableFromInline
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        (buffer + count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    /// Puts the elements of a set, commas included, in the order of their bytes, so that equal sets
    /// give equal documents.
    ///
    /// - Parameter starts: where each element starts; the last one ends at the end of the buffer.
    /// - Complexity: O(n log n) comparisons, and a copy of all elements.
    mutating func sortElements(from starts: [Int]) {
        guard starts.count > 1, let first = starts.first else { return }
        if let binary { return binary.pointee.sortElements(from: first) }
        if let tree { return tree.pointee.sortElements(from: first) }
        let written = Array(UnsafeBufferPointer(start: buffer + first, count: count - first))
        let ends = starts.dropFirst() + [count]
        let elements = zip(starts, ends).map { written[($0 - first)..<($1 - first)] }
        count = first
        for element in elements.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            element.withUnsafeBufferPointer { append($0) }
        }
    }

    /// Appends the comma after a field or an element of JSON; nothing for other destinations.
    @inlinable
    @inline(__always)
    mutating func putComma() {
        if isJSON { append(0x2C) }
    }

    /// Closes an object or array: over its last comma, or after the opening bracket of an empty
    /// one. There is a byte before `count`, since the opening bracket was appended.
    @inlinable
    @inline(__always)
    mutating func close(_ bracket: UInt8) {
        if buffer[count &- 1] == 0x2C {
            buffer[count &- 1] = bracket
        } else {
            append(bracket)
        }
        remainingDepth &+= 1
    }

    /// Appends a string of JSON in quotes (RFC 8259, section 7). Eight bytes are copied at a time
    /// until one needs an escape.
    @inline(never)
    mutating func appendQuoted(_ bytes: UnsafeBufferPointer<UInt8>) {
        // Two bytes for the quotes; no copy goes past the end of the string.
        reserve(bytes.count &+ 10)
        putQuoted(bytes)
    }

    /// The same, where there is room for the string and its quotes. The rest from the first escape
    /// on makes room for itself.
    @inline(__always)
    mutating func putQuoted(_ bytes: UnsafeBufferPointer<UInt8>) {
        let length = bytes.count
        put(0x22)
        guard let start = bytes.baseAddress else {
            put(0x22)
            return
        }
        let source = UnsafeRawPointer(start)
        let target = UnsafeMutableRawPointer(buffer + count)
        var offset = 0
        while offset &+ 8 <= length {
            let word = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if ByteScan.stops(in: UInt64(littleEndian: word)) != 0 { break }
            target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        while offset < length {
            let byte = start[offset]
            // The last bytes one by one: fewer than eight, or some before an escape.
            if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
            target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
            offset &+= 1
        }
        count &+= offset
        if offset < length { appendEscaped(UnsafeBufferPointer(rebasing: bytes[offset...])) }
        append(0x22)
    }

    /// Appends the rest of a string from its first byte that needs an escape. Only quotes,
    /// backslashes and control characters do; everything else is written in UTF-8.
    @usableFromInline
    @inline(never)
    mutating func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
        // At most six bytes for one (`\u001f`), and the closing quote.
        reserve(bytes.count * 6 + 1)
        for byte in bytes {
            switch byte {
            case 0x22: putEscape(0x22)
            case 0x5C: putEscape(0x5C)
            case 0x08: putEscape(0x62)
            case 0x0C: putEscape(0x66)
            case 0x0A: putEscape(0x6E)
            case 0x0D: putEscape(0x72)
            case 0x09: putEscape(0x74)
            case 0..<0x20:
                putEscape(0x75)
                put(0x30)
                put(0x30)
                put(0x30 + byte >> 4)
                put(byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15)
            default: put(byte)
            }
        }
    }

    /// Stores a backslash and a letter, for which there is room.
    private mutating func putEscape(_ letter: UInt8) {
        put(0x5C)
        put(letter)
    }

    /// Appends the decimal digits of a number, two at a time from the right.
    ///
    /// - Complexity: linear in the digits, of which there are at most 20.
    @inlinable
    mutating func appendDigits(_ value: UInt64) {
        reserve(20)
        if value < 10 {
            put(0x30 &+ UInt8(truncatingIfNeeded: value))
            return
        }
        let length = DecimalDigits.count(of: value)
        var rest = value
        var offset = count &+ length
        let pairs = DecimalDigits.pairs.utf8Start
        while rest >= 100 {
            let pair = Int(truncatingIfNeeded: rest % 100) &* 2
            rest /= 100
            offset &-= 2
            buffer[offset] = pairs[pair]
            buffer[offset &+ 1] = pairs[pair &+ 1]
        }
        if rest >= 10 {
            let pair = Int(truncatingIfNeeded: rest) &* 2
            buffer[offset &- 2] = pairs[pair]
            buffer[offset &- 1] = pairs[pair &+ 1]
        } else {
            buffer[offset &- 1] = 0x30 &+ UInt8(truncatingIfNeeded: rest)
        }
        count &+= length
    }
}

/// Tables for writing whole numbers.
@usableFromInline
enum DecimalDigits {
    /// The digits of 00 to 99, two bytes each, so that one division by 100 gives two digits.
    @usableFromInline static var pairs: StaticString {
        @inlinable @inline(__always) get {
            """
            0001020304050607080910111213141516171819\
            2021222324252627282930313233343536373839\
            4041424344454647484950515253545556575859\
            6061626364656667686970717273747576777879\
            8081828384858687888990919293949596979899
            """
        }
    }

    /// How many digits `value` has: 1 to 20.
    @inlinable
    static func count(of value: UInt64) -> Int {
        var limit: UInt64 = 10
        var digits = 1
        while value >= limit {
            digits &+= 1
            if digits == 20 { break }
            limit = limit &* 10
        }
        return digits
    }
}
