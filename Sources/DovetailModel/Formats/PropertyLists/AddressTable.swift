/// Objects by the address of what they were made of: names in the program's text, and conformers.
///
/// Invariant: never more than half full, so every look-up ends.
struct AddressTable {
    private struct Slot {
        var address: UInt = 0
        var object: UInt32 = 0
    }

    private var slots: UnsafeMutablePointer<Slot>
    private var mask = 63
    private var used = 0

    init() {
        slots = .allocate(capacity: 64)
        slots.initialize(repeating: Slot(), count: 64)
    }

    func deallocate() {
        slots.deallocate()
    }

    @inline(__always)
    private static func place(_ address: UInt, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: (UInt64(address) &* 0x9E37_79B9_7F4A_7C15) &>> 40) & mask
    }

    @inline(__always)
    func object(at address: UInt) -> UInt32? {
        var place = Self.place(address, mask)
        while slots[place].address != 0 {
            if slots[place].address == address { return slots[place].object }
            place = (place &+ 1) & mask
        }
        return nil
    }

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

    private func put(_ slot: Slot) {
        var place = Self.place(slot.address, mask)
        while slots[place].address != 0 { place = (place + 1) & mask }
        slots[place] = slot
    }
}
