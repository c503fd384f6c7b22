import Foundation

/// The keys of the lists of names that a reader of a tree met more than once.
///
/// Objects that were read or written together share their lists (``SharedNames``). So a list is
/// known by its address, and its keys are made once instead of once an object.
///
/// Invariant: the lists are alive and unchanged while their addresses are in here, as the tree is
/// (``TreeInput``), whose owner calls ``removeAll()`` before another one.
struct TreeNames {
    /// A list of names, and its keys when it was met twice.
    private struct Slot: BitwiseCopyable {
        var list: UnsafePointer<String>?
        var keys: UnsafeMutablePointer<FieldKey>?
        var count = 0
    }

    /// Nil before the first list. Invariant: otherwise holds `size` slots.
    private var slots: UnsafeMutablePointer<Slot>?
    private static let size = 64

    /// The keys of a list, valid until ``removeAll()``; nil the first time, and for a list whose
    /// slot another one has.
    ///
    /// - Complexity: O(1); linear in the names the second time.
    @inline(__always)
    mutating func keys(of list: UnsafePointer<String>, count: Int) -> UnsafePointer<FieldKey>? {
        guard let slots else { return makeSlots(list) }
        // Fibonacci hashing: neighbouring lists differ in few bits of their addresses.
        let address = UInt64(UInt(bitPattern: list))
        let slot = slots + Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) &>> 58)
        if slot.pointee.list == list, slot.pointee.count == count, let keys = slot.pointee.keys {
            return UnsafePointer(keys)
        }
        return slot.pointee.keys == nil ? meet(list, count: count, slot) : nil
    }

    /// Makes the slots, at the first list. A value that a migration puts in seldom has one.
    @inline(never)
    private mutating func makeSlots(_ list: UnsafePointer<String>) -> UnsafePointer<FieldKey>? {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: Self.size)
        slots.initialize(repeating: Slot(), count: Self.size)
        self.slots = slots
        return nil
    }

    /// Notes a list, or makes its keys when it was noted.
    @inline(never)
    private func meet(
        _ list: UnsafePointer<String>,
        count: Int,
        _ slot: UnsafeMutablePointer<Slot>
    ) -> UnsafePointer<FieldKey>? {
        guard slot.pointee.list == list else {
            slot.pointee.list = list
            return nil
        }
        let names = UnsafeBufferPointer(start: list, count: count)
        // The keys, and after them the bytes that they point to.
        let size = count * MemoryLayout<FieldKey>.stride
        let memory = HeapBytes.reallocate(nil, size + names.reduce(8) { $0 + $1.utf8.count })
        let keys = memory.assumingMemoryBound(to: FieldKey.self)
        var start = (memory + size).assumingMemoryBound(to: UInt8.self)
        for (index, name) in names.enumerated() {
            FieldKey.with(name) { key in
                if let bytes = key.bytes.baseAddress {
                    start.update(from: bytes, count: key.bytes.count)
                }
                keys[index] = FieldKey(
                    code: key.code,
                    start: UnsafePointer(start),
                    count: key.bytes.count
                )
                start += key.bytes.count
            }
        }
        slot.pointee.keys = keys
        slot.pointee.count = count
        return UnsafePointer(keys)
    }

    /// Forgets all lists.
    @inline(__always)
    mutating func removeAll() {
        if let slots { forgetAll(in: slots) }
    }

    @inline(never)
    private func forgetAll(in slots: UnsafeMutablePointer<Slot>) {
        for index in 0..<Self.size {
            free(slots[index].keys)
            slots[index] = Slot()
        }
    }

    /// Frees everything. No function may be called afterwards.
    mutating func deallocate() {
        removeAll()
        slots?.deallocate()
    }
}
