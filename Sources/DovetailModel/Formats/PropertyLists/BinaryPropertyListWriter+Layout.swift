import Foundation

// The end of a binary property list: containers, table of offsets, trailer. Only now it is known
// how many objects there are, and so how wide a reference is.

extension BinaryPropertyListWriter {
    /// Lays out the containers, the table of offsets and the trailer, and hands out the bytes.
    ///
    /// The trailer is 32 bytes: six unused ones (one of them a sort version), the widths of offsets
    /// and references, and in eight bytes each the number of objects, the root and the start of the
    /// table (`CFBinaryPList.c`, `CFBinaryPlistTrailer`).
    ///
    /// - Complexity: linear in the number of objects and references.
    /// - Throws: ``ModelEncodingError`` for 2^32 - 1 objects or more, and when not exactly one root
    ///   was written.
    mutating func finish() throws -> Data {
        guard offsets.count < Int(UInt32.max), pending.count == 1 else {
            throw ModelEncodingError(
                kind: .notRepresentable,
                explanation: "a binary property list needs one root of less than 2^32 objects"
            )
        }
        let referenceSize = Self.size(of: UInt64(offsets.count))
        reserve(containers.count * 10 + references.count * referenceSize)
        for index in 0..<containers.count {
            let container = containers.storage[index]
            offsets.storage[Int(container.object)] = UInt64(count)
            putHeader(
                container.isObject
                    ? BinaryPropertyListMarker.object : BinaryPropertyListMarker.array,
                length: container.count
            )
            let total = container.isObject ? 2 * container.count : container.count
            putReferences(container.start..<container.start + total, size: referenceSize)
        }
        let table = count
        let offsetSize = Self.size(of: UInt64(table))
        reserve(offsets.count * offsetSize + 32)
        for index in 0..<offsets.count { putWord(offsets.storage[index], size: offsetSize) }
        putWord(0, size: 6)
        put(UInt8(offsetSize))
        put(UInt8(referenceSize))
        putWord(UInt64(offsets.count), size: 8)
        putWord(UInt64(pending.storage[0]), size: 8)
        putWord(UInt64(table), size: 8)
        // The buffer becomes the data's own. The writer keeps an empty one for `deallocate()`.
        let written = count
        let document = HeapBytes.reallocate(bytes, written)
        bytes = HeapBytes.allocate(0)
        (capacity, count) = (0, 0)
        return Data(bytesNoCopy: document, count: written, deallocator: .free)
    }

    /// Puts the references of a container. There are less than 2^32 objects, so no width is above
    /// four bytes.
    @inline(__always)
    private mutating func putReferences(_ range: Range<Int>, size: Int) {
        reserve(range.count * size)
        switch size {
        case 4: for index in range { putWord(UInt64(references.storage[index]), size: 4) }
        case 2: for index in range { putWord(UInt64(references.storage[index]), size: 2) }
        default: for index in range { put(UInt8(truncatingIfNeeded: references.storage[index])) }
        }
    }

    /// The width that Foundation gives to numbers up to `limit`: a power of two. A reader may also
    /// meet 3, 5, 6 and 7, which the format allows.
    private static func size(of limit: UInt64) -> Int {
        limit <= 0xFF ? 1 : limit <= 0xFFFF ? 2 : limit <= 0xFFFF_FFFF ? 4 : 8
    }
}
