/// Values by the address of what they were made of: names in the program's text, conformers, types.
///
/// Generated code hands over the same few literals again and again. Their addresses are compared
/// instead of their bytes, which is one multiplication and one load for most. Two literals of one
/// text may have two addresses; then the name is entered twice.
///
/// Open addressing with linear probing. It has one owner, which calls ``deallocate()`` once.
/// Invariant: never more than half full (``insert(_:at:)``), so every look-up ends.
struct AddressTable<Value: BitwiseCopyable> {
    /// An address of 0 marks an empty slot; nothing of a program has it.
    private struct Slot: BitwiseCopyable {
        let address: UInt
        let value: Value?
    }

    /// Invariant: holds `mask + 1` initialized slots, a power of two.
    private var slots: UnsafeMutablePointer<Slot>
    private var mask: Int
    private var used = 0

    /// Makes a table with room for as many values without growing.
    init(for count: Int) {
        var size = 8
        while size < count * 2 { size *= 2 }
        mask = size - 1
        slots = Self.empty(size)
    }

    private static func empty(_ size: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: size)
        slots.initialize(repeating: Slot(address: 0, value: nil), count: size)
        return slots
    }

    /// Frees the slots. No function may be called afterwards.
    func deallocate() {
        slots.deallocate()
    }

    /// The slot that an address is looked for in first: Fibonacci hashing, since addresses of
    /// neighbours differ in few bits.
    @inline(__always)
    private static func place(_ address: UInt, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: (UInt64(address) &* 0x9E37_79B9_7F4A_7C15) &>> 40) & mask
    }

    /// The value of an address; nil when none was inserted. Complexity: O(1) on average.
    @inline(__always)
    func value(at address: UInt) -> Value? {
        var place = Self.place(address, mask)
        while slots[place].address != 0 {
            if slots[place].address == address { return slots[place].value }
            place = (place &+ 1) & mask
        }
        return nil
    }

    /// Enters a value for an address that has none yet, which the caller has looked up.
    ///
    /// - Complexity: O(1) on average, amortized over the doubling of the table.
    mutating func insert(_ value: Value, at address: UInt) {
        if 2 * (used + 1) > mask + 1 {
            let (old, size) = (slots, mask + 1)
            mask = 2 * size - 1
            slots = Self.empty(2 * size)
            for index in 0..<size where old[index].address != 0 { put(old[index]) }
            old.deallocate()
        }
        used += 1
        put(Slot(address: address, value: value))
    }

    /// Stores a slot in the first empty place. Invariant: there is one, as the table is half empty.
    private func put(_ slot: Slot) {
        var place = Self.place(slot.address, mask)
        while slots[place].address != 0 { place = (place + 1) & mask }
        slots[place] = slot
    }
}
