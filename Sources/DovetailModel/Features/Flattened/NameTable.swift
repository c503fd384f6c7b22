import Foundation

/// Keys by names, for names that are made at run time: what ``FlattenedNames`` finds a name without its
/// prefix by.
///
/// Open addressing with linear probing over the code of a key (``FieldKey/code``), which has the length
/// and the first seven bytes; the others are compared. A code of 0 is a free place: no name here is empty.
/// Invariant: never more than half full, so every look-up ends. Neither it nor the names are ever freed;
/// there is one for each property with a prefix.
///
/// Invariant of the unchecked `Sendable`: nothing changes after `init`.
struct NameTable: @unchecked Sendable {
    private struct Slot {
        let code: UInt64
        let name: FieldKey
        let key: FieldKey
    }

    private let slots: UnsafeMutablePointer<Slot>
    private let mask: Int

    /// Makes a table of keys. Of two with one name the first is found.
    init(_ keys: [(name: String, key: String)]) {
        var size = 8
        while size < keys.count * 2 { size *= 2 }
        mask = size - 1
        slots = .allocate(capacity: size)
        let none = FieldKey("")
        slots.initialize(repeating: Slot(code: 0, name: none, key: none), count: size)
        for (name, key) in keys {
            let name = FieldKey(StaticString.permanent(name))
            guard self.key(name) == nil else { continue }
            var place = place(name)
            while slots[place].code != 0 { place = (place + 1) & mask }
            let key = FieldKey(StaticString.permanent(key))
            slots[place] = Slot(code: name.code, name: name, key: key)
        }
    }

    /// Fibonacci hashing: names with one prefix differ in few bits.
    @inline(__always)
    private func place(_ key: FieldKey) -> Int {
        let last = key.count > 0 ? UInt64(key.start[key.count &- 1]) &<< 48 : 0
        return Int(truncatingIfNeeded: ((key.code ^ last) &* 0x9E37_79B9_7F4A_7C15) &>> 40) & mask
    }

    /// The key of a name; nil when there is none. Complexity: O(length) on average.
    func key(_ name: FieldKey) -> FieldKey? {
        var place = place(name)
        while true {
            let code = slots[place].code
            if code == 0 { return nil }
            if code == name.code {
                let known = slots[place].name
                // Names of one code have one length, unless they are longer than it can say.
                let isSame =
                    name.count <= 7
                    || known.count == name.count
                        && memcmp(known.start + 7, name.start + 7, name.count &- 7) == 0
                if isSame { return slots[place].key }
            }
            place = (place &+ 1) & mask
        }
    }
}
