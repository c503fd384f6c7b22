/// Numbers by the address of what they were made of: names in the program's text, and conformers.
///
/// Generated code hands over the same few literals again and again. Their addresses are compared
/// instead of their bytes, which is one multiplication and one load for most names. Two literals of
/// one text may have two addresses; then the name is entered twice.
///
/// Open addressing with linear probing. Owned by one ``BinaryPropertyListWriter``, which frees it.
/// Invariant: never more than half full (``insert(_:at:)``), so every look-up ends.
struct AddressTable {
    /// An address of 0 marks an empty slot; nothing of a program has it.
    private struct Slot {
        var address: UInt = 0
        var object: UInt32 = 0
    }

    /// Invariant: holds `mask + 1` initialized slots, a power of two.
    private var slots: UnsafeMutablePointer<Slot>
    private var mask = 63
    private var used = 0

    init() {
        slots = .allocate(capacity: 64)
        slots.initialize(repeating: Slot(), count: 64)
    }

    /// Frees the slots. No function may be called afterwards.
    func deallocate() {
        slots.deallocate()
    }

    /// The slot that an address is looked for in first: Fibonacci hashing, since addresses of
    /// neighbouring literals differ in few bits.
    @inline(__always)
    private static func place(_ address: UInt, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: (UInt64(address) &* 0x9E37_79B9_7F4A_7C15) &>> 40) & mask
    }

    /// The number of an address; nil when none was inserted. Complexity: O(1) on average.
    @inline(__always)
    func object(at address: UInt) -> UInt32? {
        var place = Self.place(address, mask)
        while slots[place].address != 0 {
            if slots[place].address == address { return slots[place].object }
            place = (place &+ 1) & mask
        }
        return nil
    }

    /// Enters a number for an address that has none yet, which the caller has looked up.
    ///
    /// - Complexity: O(1) on average, amortized over the doubling of the table.
    mutating func insert(_ object: UInt32, at address: UInt) {
        if 2 * (used + 1) > mask {
            let (old, oldMask) = (slots, mask)
            mask = 2 * (mask + 1) - 1
            slots = .allocate(capacity: mask + 1)
            slots.initialize(repeating: Slot(), count: mask + 1)
            for index in 0...oldMask where old[index].address != 0 { put(old[index]) }
            old.deallocate()
        }
        used += 1
        put(Slot(address: address, object: object))
    }

    /// Stores a slot in the first empty place. Invariant: there is one, as the table is half empty.
    private func put(_ slot: Slot) {
        var place = Self.place(slot.address, mask)
        while slots[place].address != 0 { place = (place + 1) & mask }
        slots[place] = slot
    }
}
