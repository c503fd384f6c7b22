import Synchronization

/// The conformers of one protocol by their names.
///
/// Built from the registered models at the first use, and again when an unknown name is met after
/// more modules were loaded. Looking up is a hash and a comparison of bytes.
public final class ConformerTable<Value>: Sendable {
    /// Reads a value of one conforming type.
    public typealias Decode = (inout ModelReader) throws -> Value

    @usableFromInline let names: ConformerNames

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
        names = ConformerNames(name, tagging: tagging) { model in
            cast(model).map(ConformerDecoder.init)
        }
    }

    /// The names of all conformers, sorted.
    public var knownNames: [String] { names.known }

    @inlinable
    func decode(from reader: inout ModelReader) throws -> Value {
        let found = try names.decoder(for: &reader)
        // Every decoder in `names` was made by the closure above.
        return try unsafeDowncast(found, to: ConformerDecoder<Value>.self).decode(&reader)
    }
}

/// Holds how one conformer is read, so that the look-up need not be generic: unspecialized generic
/// code would ask for metadata at every element.
@usableFromInline
final class ConformerDecoder<Value>: Sendable {
    /// Generated code makes it, and captures nothing but the metatype of a model, which is Sendable
    /// although `any P.Type` cannot say so.
    @usableFromInline nonisolated(unsafe) let decode: ConformerTable<Value>.Decode

    init(_ decode: @escaping ConformerTable<Value>.Decode) {
        self.decode = decode
    }
}

/// The part of a ``ConformerTable`` that does not depend on the protocol.
@usableFromInline
final class ConformerNames: Sendable {
    @usableFromInline typealias Decoder = any AnyObject & Sendable

    private let name: String
    private let tagging: ModelTagging
    private let cast: @Sendable (any Model.Type) -> Decoder?
    private let contents = Mutex(Contents())
    /// The address of the newest snapshot. Snapshots live as long as the table, so readers need no
    /// lock.
    private let current = Atomic<UInt>(0)

    private struct Contents {
        var generation = -1
        var snapshots: [Snapshot] = []
    }

    /// A class, so that finding one retains one object.
    private final class Entry: Sendable {
        let name: [UInt8]
        /// Nil when two types claim the name.
        let decoder: Decoder?
        let rivals: [String]

        init(name: [UInt8], decoder: Decoder?, rivals: [String]) {
            self.name = name
            self.decoder = decoder
            self.rivals = rivals
        }
    }

    init(
        _ name: String,
        tagging: ModelTagging,
        cast: @escaping @Sendable (any Model.Type) -> Decoder?
    ) {
        self.name = name
        self.tagging = tagging
        self.cast = cast
    }

    /// Finds the decoder for the object under the cursor, without moving.
    @usableFromInline
    func decoder(for reader: inout ModelReader) throws -> Decoder {
        guard let key = try reader.peekTypeName(tagging) else {
            throw reader.missingType(of: name, key: tagging.typeKey)
        }
        guard let entry = entry(for: key) else {
            throw reader.unknownType(key.text, of: name, known: known)
        }
        guard let decoder = entry.decoder else {
            throw reader.ambiguousType(key.text, of: name, claimedBy: entry.rivals)
        }
        return decoder
    }

    var known: [String] {
        (rebuilt()?.slots ?? []).compactMap { $0.map { String(decoding: $0.name, as: UTF8.self) } }
            .sorted()
    }

    private func entry(for key: FieldKey) -> Entry? {
        if let address = UnsafeRawPointer(bitPattern: current.load(ordering: .acquiring)) {
            // Invariant: `contents.snapshots` keeps every snapshot that `current` ever named.
            let found = Unmanaged<Snapshot>.fromOpaque(address)._withUnsafeGuaranteedRef {
                $0.entry(for: key)
            }
            if let found { return found }
        }
        return rebuilt()?.entry(for: key)
    }

    /// The newest snapshot, made anew if models were registered since the last one.
    private func rebuilt() -> Snapshot? {
        let (generation, models) = ModelRegistry.all
        return contents.withLock { contents in
            if contents.generation == generation { return contents.snapshots.last }
            contents.generation = generation
            let snapshot = Snapshot(entries(of: models))
            contents.snapshots.append(snapshot)
            let address = Unmanaged.passUnretained(snapshot).toOpaque()
            current.store(UInt(bitPattern: address), ordering: .releasing)
            return snapshot
        }
    }

    private func entries(of models: [any Model.Type]) -> [Entry] {
        var byName: [String: [(type: any Model.Type, decoder: Decoder)]] = [:]
        for model in models {
            guard let decoder = cast(model) else { continue }
            byName[model.typeName, default: []].append((model, decoder))
        }
        return byName.map { name, claims in
            Entry(
                name: Array(name.utf8),
                decoder: claims.count == 1 ? claims[0].decoder : nil,
                rivals: claims.map { String(reflecting: $0.type) }.sorted()
            )
        }
    }

    /// An immutable open-addressing table, never more than half full.
    private final class Snapshot: Sendable {
        let slots: [Entry?]

        init(_ entries: [Entry]) {
            var size = 8
            while size < entries.count * 2 { size *= 2 }
            var slots = [Entry?](repeating: nil, count: size)
            for entry in entries {
                var slot = entry.name.withUnsafeBufferPointer { name in
                    let start = name.baseAddress ?? ReaderState.noBytes
                    return Snapshot.hash(FieldKey(start: start, count: name.count))
                }
                slot &= size - 1
                while slots[slot] != nil { slot = (slot + 1) & (size - 1) }
                slots[slot] = entry
            }
            self.slots = slots
        }

        private static func hash(_ key: FieldKey) -> Int {
            Int(truncatingIfNeeded: (key.code &* 0x9E37_79B9_7F4A_7C15) >> 40)
        }

        func entry(for key: FieldKey) -> Entry? {
            var slot = Snapshot.hash(key) & (slots.count - 1)
            while let entry = slots[slot] {
                let isEqual = entry.name.withUnsafeBufferPointer { name in
                    name.count == key.count && key.hasBytes(at: name.baseAddress)
                }
                if isEqual { return entry }
                slot = (slot + 1) & (slots.count - 1)
            }
            return nil
        }
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

    mutating func missingType(of name: String, key: StaticString) -> ModelDecodingError {
        error(
            .unknownType,
            expected: "a conformer of \(name)",
            found: "object without \"\(key)\"",
            at: cursor
        )
    }

    mutating func unknownType(
        _ type: String,
        of name: String,
        known: [String]
    ) -> ModelDecodingError {
        let list = known.isEmpty ? "none is registered" : known.prefix(12).joined(separator: ", ")
        return error(
            .unknownType,
            expected: "a conformer of \(name) (\(list))",
            found: "type \"\(type.prefix(DocumentExcerpt.limit))\"",
            at: cursor
        )
    }

    mutating func ambiguousType(
        _ type: String,
        of name: String,
        claimedBy rivals: [String]
    )
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
