/// Keys by names, for names that are made at run time: what ``FlattenedNames`` finds a name without its
/// prefix by.
///
/// Open addressing with linear probing over the code of a key (``FieldKey/code``).
/// Invariant: never more than half full, so every look-up ends. Neither it nor the names are ever freed;
/// there is one for each property with a prefix.
struct NameTable {
    private struct Slot {
        let name: FieldKey
        let key: FieldKey
    }

    private let slots: UnsafeMutablePointer<Slot?>
    private let mask: Int

    /// Makes a table of keys. Of two with one name the first is found.
    init(_ keys: [(name: String, key: String)]) {
        var size = 8
        while size < keys.count * 2 { size *= 2 }
        mask = size - 1
        slots = .allocate(capacity: size)
        slots.initialize(repeating: nil, count: size)
        for (name, key) in keys {
            let name = FieldKey(StaticString.permanent(name))
            guard self.key(name) == nil else { continue }
            var place = place(name)
            while slots[place] != nil { place = (place + 1) & mask }
            slots[place] = Slot(name: name, key: FieldKey(StaticString.permanent(key)))
        }
    }

    /// Fibonacci hashing: names with one prefix differ in few bits.
    private func place(_ key: FieldKey) -> Int {
        let last: UInt64 = key.bytes.last.map { UInt64($0) &<< 48 } ?? 0
        return Int(truncatingIfNeeded: ((key.code ^ last) &* 0x9E37_79B9_7F4A_7C15) &>> 40) & mask
    }

    /// The key of a name; nil when there is none. Complexity: O(length) on average.
    func key(_ name: FieldKey) -> FieldKey? {
        var place = place(name)
        while let slot = slots[place] {
            if slot.name.code == name.code, slot.name.bytes.elementsEqual(name.bytes) {
                return slot.key
            }
            place = (place + 1) & mask
        }
        return nil
    }
}
