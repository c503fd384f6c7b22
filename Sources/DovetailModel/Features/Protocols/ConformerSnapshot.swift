/// The conformers of a protocol at one time: two immutable hash tables, by name and by type.
///
/// The table of names uses open addressing with linear probing and is never more than half full, so
/// a look-up ends at an empty slot. A name that several conformers claim is not in the table of names
/// but in `rivals`.
///
/// Invariant of `@unchecked`: nothing changes after `init`. The number of slots is a power of two
/// (``emptySlots(for:)``), which the masks rely on. The slots point into `conformers` and `texts`,
/// which live as long as the snapshot.
final class ConformerSnapshot: @unchecked Sendable {
    let conformers: [Conformer]
    /// Their names without aliases, sorted.
    let typeNames: [String]
    /// The types that claim a name, for names that more than one claims.
    let rivals: [String: [String]]
    private let byName: UnsafeMutableBufferPointer<NameSlot>
    private let byType: AddressTable<Unmanaged<Conformer>>
    /// The bytes of the names, one after the other.
    private let texts: UnsafeMutableBufferPointer<UInt8>

    private struct NameSlot {
        var key = FieldKey(start: ReaderState.noBytes, count: 0)
        /// Nil in an empty slot.
        var conformer: Unmanaged<Conformer>?
    }

    /// Makes both tables.
    ///
    /// - Complexity: linear in the names, and O(n log n) for the sorted lists in messages.
    init(_ conformers: [Conformer]) {
        self.conformers = conformers
        let named = conformers.filter { !$0.isBelowLevel }
        typeNames = Set(named.map(\.typeName)).sorted()
        var claims: [String: [Conformer]] = [:]
        for conformer in named {
            for name in conformer.names { claims[name, default: []].append(conformer) }
        }
        rivals = claims.filter { $0.value.count > 1 }.mapValues { claims in
            claims.map { String(reflecting: $0.type) }.sorted()
        }
        let unique = claims.filter { $0.value.count == 1 }
        byName = Self.emptySlots(for: unique.count)
        texts = .allocate(capacity: unique.keys.reduce(1) { $0 + $1.utf8.count })
        var offset = 0
        for (name, claims) in unique {
            let text = texts[offset...].prefix(name.utf8.count)
            offset = texts[offset...].update(fromContentsOf: name.utf8)
            guard let base = texts.baseAddress else { continue }
            let key = FieldKey(start: base + text.startIndex, count: text.count)
            var slot = Self.hash(key.code) & (byName.count - 1)
            while byName[slot].conformer != nil { slot = (slot + 1) & (byName.count - 1) }
            byName[slot] = NameSlot(key: key, conformer: claims.first.map { .passUnretained($0) })
        }
        var byType = AddressTable<Unmanaged<Conformer>>(for: conformers.count)
        for conformer in conformers {
            byType.insert(.passUnretained(conformer), at: Self.address(conformer.type))
        }
        self.byType = byType
    }

    deinit {
        byName.deallocate()
        byType.deallocate()
        texts.deallocate()
    }

    /// Empty slots: a power of two, and at least twice as many as are used.
    private static func emptySlots(for count: Int) -> UnsafeMutableBufferPointer<NameSlot> {
        var size = 8
        while size < count * 2 { size *= 2 }
        let slots = UnsafeMutableBufferPointer<NameSlot>.allocate(capacity: size)
        slots.initialize(repeating: NameSlot())
        return slots
    }

    /// Multiplies by 2^64 divided by the golden ratio (Fibonacci hashing) and takes the upper 24
    /// bits, which depend on all bits of the code.
    @inline(__always)
    private static func hash(_ code: UInt64) -> Int {
        Int(truncatingIfNeeded: (code &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }

    @inline(__always)
    private static func address(_ type: Any.Type) -> UInt {
        UInt(bitPattern: ObjectIdentifier(type))
    }

    /// The conformer with a name; nil when there is none, or when several claim it.
    func conformer(named key: FieldKey) -> Unmanaged<Conformer>? {
        var slot = Self.hash(key.code) & (byName.count &- 1)
        while let conformer = byName[slot].conformer {
            let known = byName[slot].key
            // The code holds up to seven bytes and the length, so it decides for short names.
            let isEqual =
                known.code == key.code && known.count == key.count
                && (key.count < 8 || known.hasBytes(at: key.start))
            if isEqual { return conformer }
            slot = (slot &+ 1) & (byName.count &- 1)
        }
        return nil
    }

    /// The conformer of a type; nil when it is none.
    func conformer(of type: Any.Type) -> Unmanaged<Conformer>? {
        byType.value(at: Self.address(type))
    }
}
