/// The strings and data of a binary property list by their bytes: open addressing, at most half
/// full.
///
/// A look-up takes a bounded number of steps, so text that is made to collide is written again and
/// costs no more than text that does not.
///
/// The table holds no bytes: an object is written first, and its bytes are compared with those of
/// known objects in the same buffer. Owned by a ``BinaryPropertyListWriter``, which frees it.
struct BinaryObjectTable {
    /// The upper half is a hash, the lower one the object plus one; 0 in an empty slot.
    ///
    /// Invariant: `mask + 1` slots, a power of two.
    private var slots: UnsafeMutablePointer<UInt64>
    private var mask = 1023
    private var used = 0
    /// The slots that a look-up goes over at most.
    private static let steps = 32

    init() {
        slots = Self.emptySlots(1024)
    }

    /// Frees the slots. No function may be called afterwards.
    func deallocate() {
        slots.deallocate()
    }

    private static func emptySlots(_ count: Int) -> UnsafeMutablePointer<UInt64> {
        let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
        slots.initialize(repeating: 0, count: count)
        return slots
    }

    /// The object with these bytes, or `next`, which is remembered for them.
    ///
    /// Invariant: eight bytes may be loaded from any of the bytes on, which
    /// `BinaryPropertyListWriter.reserve(_:)` keeps. A known object lies before them, so as many
    /// bytes can be compared; its first ones say how long it is, so equal bytes are equal objects.
    ///
    /// - Parameters:
    ///   - start: The bytes of the object, marker included.
    ///   - bytes: The buffer that all objects are in.
    ///   - offsets: Where each object starts in it.
    ///   - next: The number that the object gets when it is a new one.
    /// - Complexity: linear in `count` for the hash, and at most 32 steps.
    @inline(__always)
    mutating func object(
        of start: UnsafeMutablePointer<UInt8>,
        count: Int,
        in bytes: UnsafeMutablePointer<UInt8>,
        _ offsets: UnsafeMutablePointer<UInt64>,
        orInsert next: UInt32
    ) -> UInt32 {
        let hash = Self.hash(start, count)
        var place = Int(truncatingIfNeeded: hash) & mask
        for _ in 0..<Self.steps {
            let slot = slots[place]
            if slot == 0 {
                slots[place] = UInt64(hash) &<< 32 | UInt64(next &+ 1)
                used &+= 1
                if used &* 2 > mask { grow() }
                return next
            }
            if UInt32(truncatingIfNeeded: slot &>> 32) == hash {
                let known = UInt32(truncatingIfNeeded: slot) &- 1
                let offset = Int(truncatingIfNeeded: offsets[Int(known)])
                if Self.areEqual(bytes + offset, start, count) { return known }
            }
            place = (place &+ 1) & mask
        }
        return next
    }

    /// Makes the table four times as large. The hash is in the slot, so no object is read again.
    @inline(never)
    private mutating func grow() {
        let old = slots
        let oldCount = mask + 1
        mask = 4 * oldCount - 1
        slots = Self.emptySlots(4 * oldCount)
        for index in 0..<oldCount where old[index] != 0 {
            var place = Int(truncatingIfNeeded: old[index] >> 32) & mask
            while slots[place] != 0 { place = (place + 1) & mask }
            slots[place] = old[index]
        }
        old.deallocate()
    }

    /// A hash of eight bytes at a time; the rest is masked out of one more load.
    @inline(__always)
    private static func hash(_ start: UnsafeMutablePointer<UInt8>, _ count: Int) -> UInt32 {
        let raw = UnsafeRawPointer(start)
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
        var offset = 0
        while offset &+ 8 <= count {
            hash = mix(hash ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset &+= 8
        }
        let rest = UInt64(truncatingIfNeeded: count &- offset) &* 8
        let last = UInt64(
            littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        )
        hash = mix(hash ^ (last & ((1 &<< rest) &- 1)) ^ UInt64(truncatingIfNeeded: count) &<< 56)
        return UInt32(truncatingIfNeeded: hash)
    }

    /// Folds the 128 bits of a product, in which every bit of the value has reached every other.
    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }

    /// Whether `count` bytes are the same. Both sides hold as many, and nothing after them is
    /// loaded.
    @inline(__always)
    private static func areEqual(
        _ left: UnsafeMutablePointer<UInt8>,
        _ right: UnsafeMutablePointer<UInt8>,
        _ count: Int
    ) -> Bool {
        let (a, b) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
        var offset = 0
        while offset &+ 8 <= count {
            let x = a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let y = b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if x != y { return false }
            offset &+= 8
        }
        while offset < count {
            if left[offset] != right[offset] { return false }
            offset &+= 1
        }
        return true
    }
}
