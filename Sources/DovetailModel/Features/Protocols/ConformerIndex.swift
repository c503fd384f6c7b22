import Synchronization

/// The part of a ``ConformerTable`` that does not depend on the protocol: the conformers by name
/// and by type.
///
/// A look-up reads the newest ``ConformerSnapshot`` through an atomic address, without a lock. A
/// name or type that is not in it makes a new snapshot if images were loaded since. Only that takes
/// the lock, and the runtime's records are read outside of it.
///
/// Conformers are handed out unmanaged: counting references costs as much as finding one.
///
/// Invariants:
///
/// - A type keeps its ``Conformer``: `contents.conformers` only grows, and holds every one that was
///   handed out.
/// - `contents.snapshots` only grows, so an address that was once in `current` stays valid as long
///   as the table. There is one snapshot for each time that modules were loaded.
@usableFromInline
final class ConformerIndex: Sendable {
    /// The protocol's name, for messages.
    let name: String
    let tagging: ConformerTagging
    /// The code of the type key's ``FieldKey``.
    let typeKeyCode: UInt64
    @usableFromInline let isInternal: Bool
    /// The type key up to its value; nil where that is no string, or the key is too short or too
    /// long for two words.
    let tagStart: TagStart?
    /// `any P` for a protocol P.
    private let existential: Any.Type
    /// The closed list of conformers; nil when all models that conform are.
    private let list: (@Sendable () -> [Any.Type])?
    /// Makes the conformer of a model, which may be below a level; nil when it does not conform.
    private let make: @Sendable (any Model.Type, ConformerTagging?) -> Conformer?
    /// Whether a model conforms.
    private let conforms: @Sendable (any Model.Type) -> Bool
    /// The conformer of objects without a type key; nil when they are an error.
    let absent: (@Sendable () -> any Model.Type)?
    private let contents = Mutex(Contents())
    /// The address of the newest snapshot; 0 before the first one. ``rebuilt()`` stores it with
    /// release order, after the snapshot is in `contents`.
    private let current = Atomic<UInt>(0)

    /// What ``listed(_:)`` has found.
    private let knownList = Mutex<Listed?>(nil)

    /// The conformers of a closed list in its order, with what tells them apart without tags.
    struct Listed: Sendable {
        let conformers: [Conformer]
        let shapes: UnionShapes
    }

    /// The conformers that values without tags may be.
    ///
    /// - Complexity: O(1) after the first time.
    /// - Throws: ``ModelDecodingError`` when no list says their order.
    func listed(_ reader: inout ModelReader) throws -> Listed {
        if let known = knownList.withLock({ $0 }) { return known }
        let conformers = rebuilt().conformers
        guard list != nil, conformers.count <= UnionScope.maximumCount else {
            throw reader.error(
                .unknownType,
                expected: "a list of at most \(UnionScope.maximumCount) conformers of \(name)",
                found: "none",
                at: reader.cursor
            )
        }
        let shapes = conformers.map { conformer in
            (conformer.type as? any Model.Type).map { UnionShape(of: $0) } ?? UnionShape(.any)
        }
        let listed = Listed(conformers: conformers, shapes: UnionShapes(shapes))
        knownList.withLock { $0 = listed }
        return listed
    }

    /// What ``managed`` has found.
    private let knownManaged = Mutex<[any ManagedModel.Type]?>(nil)

    private struct Contents {
        /// ``ModelRegistry/generation`` when the last snapshot was made.
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
        absent: (@Sendable () -> any Model.Type)?,
        conforms: @escaping @Sendable (any Model.Type) -> Bool,
        make: @escaping @Sendable (any Model.Type, ConformerTagging?) -> Conformer?
    ) {
        self.name = name
        self.tagging = tagging
        self.typeKeyCode = FieldKey(tagging.typeKey).code
        self.isInternal = tagging.form == .internal
        self.existential = existential
        self.list = list
        self.absent = absent
        self.conforms = conforms
        self.make = make
        tagStart = tagging.hasTextKey ? TagStart(typeKey: tagging.typeKey) : nil
    }

    /// The names of all conformers without their aliases, sorted.
    var known: [String] {
        rebuilt().typeNames
    }

    /// The classes among the conformers whose instances contexts keep, in the order of the names of their
    /// tables. They are found once: objects know the parts of their relationships by their positions.
    ///
    /// - Complexity: O(1) after the first time.
    var managed: [any ManagedModel.Type] {
        if let known = knownManaged.withLock({ $0 }) { return known }
        let all = rebuilt().conformers.compactMap { $0.type as? any ManagedModel.Type }
        // Those below another one are in its table.
        let tables = all.filter { type in
            var above = type.modelSuperclass
            while let next = above {
                if all.contains(where: { $0 == next }) { return false }
                above = next.modelSuperclass
            }
            return true
        }
        // The text of a type tells those apart whose tables have one name.
        let found =
            tables
            .map { (type: $0, name: $0.modelTable, text: String(reflecting: $0)) }
            .sorted { ($0.name, $0.text) < ($1.name, $1.text) }
            .map(\.type)
        return knownManaged.withLock { known in
            if let known { return known }
            known = found
            return found
        }
    }

    /// The conformer that has a name.
    ///
    /// - Throws: ``ModelDecodingError`` about the value at `start`: `unknownType` when there is no
    ///   such conformer, `ambiguousType` when several claim the name.
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

    /// The protocols that are conformers of this one.
    private var levels: [LevelParent] {
        let this = ObjectIdentifier(existential)
        return ModelRegistry.levels.filter { $0.existential == this }
    }

    /// The tagging with which a model is written that belongs to a level; nil for others.
    private func levelTagging(
        of model: any Model.Type,
        among levels: [LevelParent]
    ) -> ConformerTagging? {
        guard let names = levels.first(where: { $0.names.conforms(model) })?.names else {
            return nil
        }
        return names.levelTagging(of: model, among: names.levels) ?? names.tagging
    }

    /// The conformer of an object without a type key.
    func conformerWithoutKey() -> Unmanaged<Conformer>? {
        guard let absent else { return nil }
        return try? conformer(of: absent())
    }

    /// The conformer that has a name; nil unless there is exactly one.
    ///
    /// - Complexity: O(1) for a name that is known. An unknown one asks how many images there are.
    func lookUp(_ key: FieldKey) -> Unmanaged<Conformer>? {
        find { $0.conformer(named: key) }
    }

    /// Whether more than one conformer claims the name. Only errors and lists of names ask.
    func isClaimedTwice(_ key: FieldKey) -> Bool {
        rebuilt().rivals[key.text] != nil
    }

    /// The conformer that has a name from outside of the document.
    ///
    /// - Throws: ``ModelDecodingError`` about the value under the cursor, as
    ///   ``conformer(named:_:at:)`` does.
    @usableFromInline
    func conformer(named name: String, _ reader: inout ModelReader) throws -> Unmanaged<Conformer> {
        var name = name
        return try name.withUTF8 { bytes in
            let start = bytes.baseAddress ?? ReaderState.noBytes
            let key = FieldKey(start: start, count: bytes.count)
            return try conformer(named: key, &reader, at: reader.cursor)
        }
    }

    /// The conformer of a type, to write a value of it.
    ///
    /// - Complexity: O(1).
    /// - Throws: ``ModelEncodingError`` with the kind `unknownType` when the list of conformers
    ///   is closed and lacks the type.
    @usableFromInline
    func conformer(of type: Any.Type) throws -> Unmanaged<Conformer> {
        let identifier = ObjectIdentifier(type)
        if let found = find({ $0.conformer(of: type) }) { return found }
        let level = (type as? any Model.Type).flatMap { levelTagging(of: $0, among: levels) }
        // The registry finds neither generic types nor classes that inherit their conformance without @Model.
        let made: Unmanaged<Conformer>? = contents.withLock { contents in
            if let known = contents.conformers[identifier] { return .passUnretained(known) }
            // An element that was kept is of no type that a list could name.
            guard list == nil || type is any UnknownModel.Type, let model = type as? any Model.Type,
                let made = make(model, level)
            else {
                return nil
            }
            contents.conformers[identifier] = made
            return .passUnretained(made)
        }
        if let made { return made }
        throw ModelEncodingError(
            kind: .unknownType,
            explanation: "\(type) is not among the conformers that \(name) lists"
        )
    }

    /// Looks in the newest snapshot, and if the answer is nil in one that is up to date.
    @inline(__always)
    private func find(
        _ look: (ConformerSnapshot) -> Unmanaged<Conformer>?
    ) -> Unmanaged<Conformer>? {
        if let address = UnsafeRawPointer(bitPattern: current.load(ordering: .acquiring)) {
            // Invariant: `contents.snapshots` keeps every snapshot whose address was ever in
            // `current`; `rebuilt()` appends before it stores.
            let found = Unmanaged<ConformerSnapshot>.fromOpaque(address)._withUnsafeGuaranteedRef {
                look($0)
            }
            if let found { return found }
        }
        return look(rebuilt())
    }

    /// The newest snapshot, made anew if images were loaded since the last one. A closed list never
    /// changes, so its snapshot is made once.
    private func rebuilt() -> ConformerSnapshot {
        let generation = list == nil ? ModelRegistry.generation : 0
        let last = contents.withLock { $0.generation == generation ? $0.snapshots.last : nil }
        if let last { return last }
        // The list is source code of the protocol's module, so it is asked outside of the lock.
        let models =
            list?().compactMap { $0 as? any Model.Type }
            ?? ModelRegistry.modelsInDocuments(of: existential)
        let levels = levels
        let taggings = models.map { levelTagging(of: $0, among: levels) }
        return contents.withLock { contents in
            // Another thread may have made it in the meantime.
            if contents.generation >= generation, let last = contents.snapshots.last { return last }
            contents.generation = generation
            var conformers: [Conformer] = []
            for level in levels {
                let identifier = ObjectIdentifier(level.names.existential)
                let known = contents.conformers[identifier] ?? level.makeConformer(tagging)
                contents.conformers[identifier] = known
                conformers.append(known)
            }
            for (model, level) in zip(models, taggings) {
                let identifier = ObjectIdentifier(model)
                guard let known = contents.conformers[identifier] ?? make(model, level),
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
