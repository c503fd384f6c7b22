import Synchronization

/// The conformers of one protocol by their names.
///
/// Built from the registered models at the first use, and again when an unknown name is met after
/// more modules were loaded. Looking up is a hash and a comparison of bytes.
public final class ConformerTable<Value>: Sendable {
    /// Reads a value of one conforming type.
    public typealias Decode = @Sendable (inout ModelReader) throws -> Value

    private let name: String
    @usableFromInline let tagging: ModelTagging
    private let cast: @Sendable (any Model.Type) -> Decode?
    private let contents = Mutex(Contents())
    /// The current snapshot; never freed while the table lives, so readers need no lock.
    private let current = Atomic<UInt>(0)

    private struct Contents {
        var generation = -1
        var snapshots: [Snapshot] = []
    }

    /// An immutable open-addressing table.
    private final class Snapshot: Sendable {
        struct Entry: Sendable {
            let name: [UInt8]
            /// Nil when two types claim the name.
            let decode: Decode?
            let rivals: [String]
        }

        let slots: [Entry?]

        init(_ entries: [Entry]) {
            var size = 8
            while size < entries.count * 2 { size *= 2 }
            var slots = [Entry?](repeating: nil, count: size)
            for entry in entries {
                var slot = entry.name.withUnsafeBufferPointer {
                    Snapshot.hash(FieldKey(
                            start: $0.baseAddress ?? ReaderState.noBytes,
                            count: $0.count
                        ))
                }
                slot &= size - 1
                while slots[slot] != nil { slot = (slot + 1) & (size - 1) }
                slots[slot] = entry
            }
            self.slots = slots
        }

        static func hash(_ key: FieldKey) -> Int {
            Int(truncatingIfNeeded: (key.code &* 0x9E37_79B9_7F4A_7C15) >> 40)
        }

        func entry(for key: FieldKey) -> Entry? {
            var slot = Snapshot.hash(key) & (slots.count - 1)
            while let entry = slots[slot] {
                let isEqual = entry.name.withUnsafeBufferPointer { name in
                    name.count == key.count
                        && UnsafeBufferPointer(start: key.start, count: key.count)
                            .elementsEqual(name)
                }
                if isEqual { return entry }
                slot = (slot + 1) & (slots.count - 1)
            }
            return nil
        }
    }

    /// Used by generated code.
    ///
    /// - Parameters:
    ///   - name: the protocol's name, for messages.
    ///   - cast: gives how to read a registered type if it conforms.
    public init(
        _ name: String,
        tagging: ModelTagging,
        cast: @escaping @Sendable (any Model.Type) -> Decode?
    ) {
        self.name = name
        self.tagging = tagging
        self.cast = cast
    }

    @usableFromInline
    func decode(from reader: inout ModelReader) throws -> Value {
        guard let key = try reader.peekTypeName(tagging) else {
            throw reader.missingType(of: name, key: tagging.typeKey)
        }
        guard let entry = entry(for: key) else {
            throw reader.unknownType(key.text, of: name, known: knownNames)
        }
        guard let decode = entry.decode else {
            throw reader.ambiguousType(key.text, of: name, claimedBy: entry.rivals)
        }
        return try decode(&reader)
    }

    private func entry(for key: FieldKey) -> Snapshot.Entry? {
        if let pointer = UnsafeRawPointer(bitPattern: current.load(ordering: .acquiring)) {
            // Invariant: `contents.snapshots` keeps every snapshot that `current` ever named.
            let snapshot = Unmanaged<Snapshot>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0 }
            if let entry = snapshot.entry(for: key) { return entry }
        }
        return rebuilt()?.entry(for: key)
    }

    /// A new snapshot if models were registered since the last one.
    private func rebuilt() -> Snapshot? {
        let (generation, models) = ModelRegistry.all
        return contents.withLock { contents in
            if contents.generation == generation { return contents.snapshots.last }
            contents.generation = generation
            let snapshot = Snapshot(entries(of: models))
            contents.snapshots.append(snapshot)
            let pointer = Unmanaged.passUnretained(snapshot).toOpaque()
            current.store(UInt(bitPattern: pointer), ordering: .releasing)
            return snapshot
        }
    }

    private func entries(of models: [any Model.Type]) -> [Snapshot.Entry] {
        var byName: [String: [(type: any Model.Type, decode: Decode)]] = [:]
        for model in models {
            guard let decode = cast(model) else { continue }
            byName[model.typeName, default: []].append((model, decode))
        }
        return byName.map { name, claims in
            Snapshot.Entry(
                name: Array(name.utf8),
                decode: claims.count == 1 ? claims[0].decode : nil,
                rivals: claims.map { String(reflecting: $0.type) }.sorted()
            )
        }
    }

    /// The names of all conformers, sorted.
    public var knownNames: [String] {
        (rebuilt()?.slots ?? []).compactMap { $0.map { String(decoding: $0.name, as: UTF8.self) } }
            .sorted()
    }
}

extension ModelReader {
    /// Finds the name behind the type key of the object under the cursor without moving.
    ///
    /// - Throws: ``ModelDecodingError`` when there is no object, or the type key holds no string.
    mutating func peekTypeName(_ tagging: ModelTagging) throws -> FieldKey? {
        if isRow { try enterColumnDocument() }
        let (start, depth) = (cursor, remainingDepth)
        defer { (cursor, remainingDepth) = (start, depth) }
        var object = try beginObject()
        while let key = try nextKey(in: &object) {
            guard key.matches(tagging.typeKey) else {
                try skipValue()
                continue
            }
            guard byte == 0x22 else { throw mismatch("the name of a type") }
            return try scanKey()
        }
        return nil
    }

    func missingType(of name: String, key: StaticString) -> ModelDecodingError {
        error(
            .unknownType,
            expected: "a conformer of \(name)",
            found: "object without \"\(key)\"",
            at: cursor
        )
    }

    func unknownType(_ type: String, of name: String, known: [String]) -> ModelDecodingError {
        let list = known.isEmpty ? "none is registered" : known.prefix(12).joined(separator: ", ")
        return error(
            .unknownType,
            expected: "a conformer of \(name) (\(list))",
            found: "type \"\(type.prefix(DocumentExcerpt.limit))\"",
            at: cursor
        )
    }

    func ambiguousType(_ type: String, of name: String, claimedBy rivals: [String])
        -> ModelDecodingError
    {
        error(
            .ambiguousType,
            expected: "one conformer of \(name) named \"\(type)\"",
            found: rivals.joined(separator: " and "),
            at: cursor
        )
    }
}
