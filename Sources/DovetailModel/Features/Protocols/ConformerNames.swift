import Synchronization

/// The part of a ``ConformerTable`` that does not depend on the protocol.
///
/// Conformers live as long as the table, so they are handed out unmanaged: counting references
/// costs as much as finding one.
@usableFromInline
final class ConformerNames: Sendable {
    let name: String
    let tagging: ConformerTagging
    /// The code of the type key.
    let typeKeyCode: UInt64
    @usableFromInline let isInternal: Bool
    /// The type key up to its value; nil where that is no string, or two words do not hold it.
    let tagStart: TagStart?
    /// `any P` for a protocol P.
    private let existential: Any.Type
    private let list: (@Sendable () -> [Any.Type])?
    private let make: @Sendable (any Model.Type) -> Conformer?
    private let contents = Mutex(Contents())
    /// The address of the newest snapshot. Snapshots live as long as the table, so readers need no
    /// lock.
    private let current = Atomic<UInt>(0)

    private struct Contents {
        var generation = -1
        var snapshots: [ConformerSnapshot] = []
        /// All that were ever made, so that a type keeps its conformer.
        var conformers: [ObjectIdentifier: Conformer] = [:]
    }

    init(
        _ name: String,
        of existential: Any.Type,
        tagging: ConformerTagging,
        only list: (@Sendable () -> [Any.Type])?,
        make: @escaping @Sendable (any Model.Type) -> Conformer?
    ) {
        self.name = name
        self.tagging = tagging
        self.typeKeyCode = FieldKey(tagging.typeKey).code
        self.isInternal = tagging.form == .internal
        self.existential = existential
        self.list = list
        self.make = make
        tagStart = tagging.kind.isText ? TagStart(typeKey: tagging.typeKey) : nil
    }

    var known: [String] {
        rebuilt().typeNames
    }

    /// The conformer that a name in a document stands for.
    ///
    /// - Throws: ``ModelDecodingError`` about the value at `start` when there is none, or more
    ///   than one.
    func conformer(
        named key: FieldKey,
        _ reader: inout ModelReader,
        at start: UnsafePointer<UInt8>
    ) throws -> Unmanaged<Conformer> {
        if let found = lookUp(key) { return found }
        let text = key.text
        reader.cursor = start
        if let rivals = rebuilt().rivals[text] {
            throw reader.ambiguousType(text, of: name, claimedBy: rivals)
        }
        throw reader.unknownType(text, of: name, known: known)
    }

    /// The conformer that a name in a document stands for; nil when there is not exactly one.
    func lookUp(_ key: FieldKey) -> Unmanaged<Conformer>? {
        find { $0.conformer(named: key) }
    }

    /// Whether more than one conformer has the name.
    func isClaimedTwice(_ key: FieldKey) -> Bool {
        rebuilt().rivals[key.text] != nil
    }

    /// The conformer with a name that stands outside of the document.
    @usableFromInline
    func conformer(named name: String, _ reader: inout ModelReader) throws -> Unmanaged<Conformer> {
        var name = name
        return try name.withUTF8 { bytes in
            let start = bytes.baseAddress ?? ReaderState.noBytes
            let key = FieldKey(start: start, count: bytes.count)
            return try conformer(named: key, &reader, at: reader.cursor)
        }
    }

    /// The conformer that a value's type is.
    ///
    /// - Throws: ``ModelEncodingError`` when the list of conformers is closed and lacks it.
    @usableFromInline
    func conformer(of type: Any.Type) throws -> Unmanaged<Conformer> {
        let identifier = ObjectIdentifier(type)
        if let found = find({ $0.conformer(of: identifier) }) { return found }
        // Generic types are not found, nor are classes that inherit their conformance.
        let made: Unmanaged<Conformer>? = contents.withLock { contents in
            if let known = contents.conformers[identifier] { return .passUnretained(known) }
            // An element that was kept is of no type that a list could name.
            guard list == nil || type is any UnknownModel.Type, let model = type as? any Model.Type,
                let made = make(model)
            else {
                return nil
            }
            contents.conformers[identifier] = made
            return .passUnretained(made)
        }
        if let made { return made }
        throw ModelEncodingError(
            reason: .unknownType,
            explanation: "\(type) is not among the conformers that \(name) lists"
        )
    }

    /// Looks in the newest snapshot, and if that does not help in a newer one.
    @inline(__always)
    private func find(
        _ look: (ConformerSnapshot) -> Unmanaged<Conformer>?
    ) -> Unmanaged<Conformer>? {
        if let address = UnsafeRawPointer(bitPattern: current.load(ordering: .acquiring)) {
            // Invariant: `contents.snapshots` keeps every snapshot that `current` ever named.
            let found = Unmanaged<ConformerSnapshot>.fromOpaque(address)._withUnsafeGuaranteedRef {
                look($0)
            }
            if let found { return found }
        }
        return look(rebuilt())
    }

    /// The newest snapshot, made anew if images were loaded since the last one.
    private func rebuilt() -> ConformerSnapshot {
        let generation = list == nil ? ModelRegistry.generation : 0
        let last = contents.withLock { $0.generation == generation ? $0.snapshots.last : nil }
        if let last { return last }
        // The list is source code of the protocol's module, so it is asked outside of the lock.
        let models =
            list?().compactMap { $0 as? any Model.Type } ?? ModelRegistry.models(of: existential)
        return contents.withLock { contents in
            // Somebody else may have been here in between.
            if contents.generation >= generation, let last = contents.snapshots.last { return last }
            contents.generation = generation
            var conformers: [Conformer] = []
            for model in models {
                let identifier = ObjectIdentifier(model)
                guard let known = contents.conformers[identifier] ?? make(model),
                    !conformers.contains(where: { $0 === known })
                else { continue }
                contents.conformers[identifier] = known
                conformers.append(known)
            }
            let snapshot = ConformerSnapshot(conformers)
            contents.snapshots.append(snapshot)
            let address = Unmanaged.passUnretained(snapshot).toOpaque()
            current.store(UInt(bitPattern: address), ordering: .releasing)
            return snapshot
        }
    }
}

/// Two immutable open-addressing tables over the same conformers, never more than half full.
///
/// Invariant of `@unchecked`: nothing changes after `init`; the tables hold as many slots as the
/// masks say, and what they point to lives in `conformers` and `texts`.
final class ConformerSnapshot: @unchecked Sendable {
    let conformers: [Conformer]
    /// Their names without aliases, sorted.
    let typeNames: [String]
    /// The types that claim a name, for names that more than one claims.
    let rivals: [String: [String]]
    private let byName: UnsafeMutableBufferPointer<NameSlot>
    private let byType: UnsafeMutableBufferPointer<TypeSlot>
    private let texts: UnsafeMutableBufferPointer<UInt8>

    private struct NameSlot {
        var key = FieldKey(start: ReaderState.noBytes, count: 0)
        /// Nil in an empty slot.
        var conformer: Unmanaged<Conformer>?
    }

    private struct TypeSlot {
        var type: ObjectIdentifier?
        var conformer: Unmanaged<Conformer>?
    }

    init(_ conformers: [Conformer]) {
        self.conformers = conformers
        typeNames = Set(conformers.map(\.typeName)).sorted()
        var claims: [String: [Conformer]] = [:]
        for conformer in conformers {
            for name in conformer.names { claims[name, default: []].append(conformer) }
        }
        rivals = claims.filter { $0.value.count > 1 }.mapValues { claims in
            claims.map { String(reflecting: $0.type) }.sorted()
        }
        let unique = claims.filter { $0.value.count == 1 }
        byName = Self.slots(for: unique.count, NameSlot())
        byType = Self.slots(for: conformers.count, TypeSlot())
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
        for conformer in conformers {
            let type = ObjectIdentifier(conformer.type)
            var slot = Self.hash(type) & (byType.count - 1)
            while byType[slot].type != nil { slot = (slot + 1) & (byType.count - 1) }
            byType[slot] = TypeSlot(type: type, conformer: .passUnretained(conformer))
        }
    }

    deinit {
        byName.deallocate()
        byType.deallocate()
        texts.deallocate()
    }

    private static func slots<Slot>(
        for count: Int,
        _ empty: Slot
    ) -> UnsafeMutableBufferPointer<Slot> {
        var size = 8
        while size < count * 2 { size *= 2 }
        let slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: size)
        slots.initialize(repeating: empty)
        return slots
    }

    @inline(__always)
    private static func hash(_ code: UInt64) -> Int {
        Int(truncatingIfNeeded: (code &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }

    @inline(__always)
    private static func hash(_ type: ObjectIdentifier) -> Int {
        hash(UInt64(truncatingIfNeeded: Int(bitPattern: type)))
    }

    func conformer(named key: FieldKey) -> Unmanaged<Conformer>? {
        var slot = Self.hash(key.code) & (byName.count &- 1)
        while let conformer = byName[slot].conformer {
            let known = byName[slot].key
            // Up to seven bytes are in the code, together with the length.
            let isEqual =
                known.code == key.code && known.count == key.count
                && (key.count < 8 || known.hasBytes(at: key.start))
            if isEqual { return conformer }
            slot = (slot &+ 1) & (byName.count &- 1)
        }
        return nil
    }

    func conformer(of type: ObjectIdentifier) -> Unmanaged<Conformer>? {
        var slot = Self.hash(type) & (byType.count &- 1)
        while let known = byType[slot].type {
            if known == type { return byType[slot].conformer }
            slot = (slot &+ 1) & (byType.count &- 1)
        }
        return nil
    }
}
