// How an older object is read. Its members are noted while the version is looked for, the model's
// steps change them as a document (UnreadMembers.swift), and then the model reads them one by one
// where they stand: by other names, in another order, or without some. Only when a step put another
// value in is the object written anew (RewrittenObject.swift).

/// An object whose members are read where they stand in the document.
///
/// A state has a chain of them, as long as migrated objects ever lay in each other: of many records
/// only the first one pays for memory, and nobody counts references to what the chain holds.
final class MigratedObject {
    /// The members, which `node` holds too, or the document that it was lent to. A constant, so that
    /// nobody counts a reference while it is used.
    fileprivate let unread = UnreadMembers(of: DocumentText())
    @exclusivity(unchecked) private var node: DocumentNode?
    /// That node while it is lent, to know it again.
    @exclusivity(unchecked) private var lent: ObjectIdentifier?
    /// The type key with a list of names, which the model keeps and no step sees.
    @exclusivity(unchecked) fileprivate var typeNames: ModelDocument.Member?
    /// The place of the member that is next.
    @exclusivity(unchecked) private var next = 0
    /// Invariant of the pointers: addresses in the reader's document, as long as the object is
    /// read.
    @exclusivity(unchecked) fileprivate var start = ReaderState.noBytes
    /// Where the value ends that is being read.
    @exclusivity(unchecked) fileprivate var valueEnd = ReaderState.noBytes
    @exclusivity(unchecked) fileprivate var end = ReaderState.noBytes
    /// The objects of the chain around this one and inside.
    fileprivate let outer: Unmanaged<MigratedObject>?
    @exclusivity(unchecked) fileprivate var inner: MigratedObject?

    /// A larger text is not kept. Members are: those of all objects in each other are not more than
    /// the document has.
    private static let spareBytes = 1 << 16

    init(inside outer: Unmanaged<MigratedObject>?) {
        self.outer = outer
        node = DocumentNode(unread)
    }

    /// Whether somebody may have kept the document that it lent.
    fileprivate var isSpent: Bool { node == nil }

    /// Makes ready for the members of another object.
    fileprivate func prepare(at start: UnsafePointer<UInt8>) {
        self.start = start
        if typeNames != nil { typeNames = nil }
        unread.removeAll()
    }

    /// Takes a copy of the object's text and gives a document of its members; the node is not held
    /// meanwhile, or it would be copied at its first change.
    fileprivate func lendDocument(depth: Int) -> ModelDocument {
        unread.putText(start, count: end - start, depth: depth)
        guard let node = node.take() else { return .null }
        lent = ObjectIdentifier(node)
        return ModelDocument(.object(node))
    }

    /// Takes the node back when all members stand in the text, whatever they are called now;
    /// otherwise the document keeps it.
    fileprivate func takeBack(_ document: inout ModelDocument) -> Bool {
        guard document.kind == .object, var node = document.takeMembers() else { return false }
        guard isKnownUniquelyReferenced(&node), node.isUnread(inPlaceOf: unread) else {
            document.storage = .object(node)
            return false
        }
        self.node = node
        unread.dropValues(ofTextAbove: Self.spareBytes)
        next = 0
        valueEnd = start
        return true
    }

    /// Takes the node back of a document that was written.
    fileprivate func reuse(_ document: consuming ModelDocument) {
        guard document.kind == .object, var node = document.takeMembers(),
            isKnownUniquelyReferenced(&node), lent == ObjectIdentifier(node)
        else { return }
        node.putBack(unread)
        self.node = node
        unread.dropValues(ofTextAbove: Self.spareBytes)
    }

    /// Gives the name of the next member and notes where its value ends; nil behind the last one.
    ///
    /// Invariant of the name's address: the members do not change while the object is read.
    @inline(__always)
    fileprivate func takeNext() -> (key: FieldKey, value: UnsafePointer<UInt8>)? {
        guard next < unread.members.count else { return nil }
        let member = unread.members[next]
        next &+= 1
        valueEnd = start + member.valueEnd
        let name = member.name < 0 ? unread.nameStart(member) : start + member.name
        let key = FieldKey(code: member.code, start: name, count: member.nameCount)
        return (key, start + member.value)
    }
}

extension ReaderState {
    /// The object of the chain that is next.
    fileprivate func nextMigrated() -> Unmanaged<MigratedObject> {
        guard let migrated else {
            if let first = migratedObjects, !first.isSpent { return .passUnretained(first) }
            let first = MigratedObject(inside: nil)
            migratedObjects = first
            return .passUnretained(first)
        }
        return migrated._withUnsafeGuaranteedRef { object in
            if let inner = object.inner, !inner.isSpent { return .passUnretained(inner) }
            let inner = MigratedObject(inside: migrated)
            object.inner = inner
            return .passUnretained(inner)
        }
    }
}

extension ModelReader {
    /// How many migrated objects may lie in each other. Each is gone over once more, and may be a
    /// copy of what it holds, so without a limit a document of n bytes could cost 512 times as
    /// much.
    public static let maximumMigrations = 100

    /// Notes the members of the object of JSON that was entered in the next object of the chain,
    /// and finds its version among them.
    ///
    /// - Returns: nil when the model can read the object as it is; then the reader stands where it
    ///   stood, or behind a version that came first.
    mutating func olderObject(
        than version: Int,
        _ readsNewer: Bool,
        of type: any Model.Type,
        _ object: inout ObjectScope
    ) throws -> (version: Int, members: Unmanaged<MigratedObject>)? {
        let next = state.nextMigrated()
        let found = try next._withUnsafeGuaranteedRef { migrated in
            migrated.prepare(at: object.start)
            let found = try note(&object, version, readsNewer, of: type, in: migrated)
            migrated.end = cursor
            return found
        }
        return found.map { ($0, next) }
    }

    private mutating func note(
        _ object: inout ObjectScope,
        _ version: Int,
        _ readsNewer: Bool,
        of type: any Model.Type,
        in migrated: MigratedObject
    ) throws -> Int? {
        let place = cursor
        let unread = migrated.unread
        var scan = object
        var found: Int?
        while let key = try nextField(in: &scan) {
            if key.code == VersionField.code, key.matches(VersionField.name) {
                if found != nil { throw repeatedField(VersionField.name) }
                let here = cursor
                found = try olderVersionHere(than: version, readsNewer, of: type)
                guard found != nil else {
                    cursor = place
                    guard unread.count == 0, object.tag == nil else { return nil }
                    // Written first, it need not be met again.
                    cursor = here
                    try skipValue()
                    object.isFirst = false
                    return nil
                }
                try skipValue()
            } else if let tag = object.tag, tag.isTypeKey(key) {
                try expectNoTypeKey(key, beside: tag)
                if byte == 0x5B, tag.keepsNameLists {
                    let name = key.text
                    let value = try ModelDocument(modelValue: &self)
                    migrated.typeNames = .init(key: name, value: value)
                } else {
                    try skipValue()
                }
            } else {
                try note(key, from: object.start, in: unread)
            }
        }
        return found ?? 1
    }

    /// Migrates the object whose members were noted and enters what became of it.
    mutating func enterMigrated(
        _ object: ObjectScope,
        _ members: Unmanaged<MigratedObject>,
        _ type: any Model.Type,
        from version: Int
    ) throws -> ObjectScope {
        try members._withUnsafeGuaranteedRef { migrated in
            var document = migrated.lendDocument(depth: remainingDepth)
            try migrate(&document, type, from: version, at: object.start)
            document.putBack(migrated.typeNames.take())
            guard migrated.takeBack(&document) else {
                let rewritten = try enterRewritten(document, at: object.start)
                migrated.reuse(document)
                return rewritten
            }
            state.migrated = members
            state.migrations += 1
            var object = object
            object.kind = .migrated
            object.tag = nil
            cursor = object.start
            try descend()
            return object
        }
    }

    /// Runs the steps of a model.
    ///
    /// - Throws: ``ModelDecodingError`` when a step throws, and for more than ``maximumMigrations``
    ///   objects in each other.
    mutating func migrate(
        _ document: inout ModelDocument,
        _ type: any Model.Type,
        from version: Int,
        at start: UnsafePointer<UInt8>
    ) throws {
        guard state.migrations < ModelReader.maximumMigrations else {
            throw error(
                .tooDeep,
                expected: "at most \(ModelReader.maximumMigrations) migrations in each other",
                found: "one more",
                at: start
            )
        }
        for step in version..<max(type.modelVersion, version) {
            do {
                try type.migrate(&document, from: step)
            } catch {
                throw refused(by: "migrate(_:from: \(step))", of: type, error, at: start)
            }
        }
    }

    /// Moves to the next member of a migrated object and gives its name; nil behind the last one.
    mutating func nextMigratedField(in object: inout ObjectScope) throws -> FieldKey? {
        guard let current = state.migrated else { return nil }
        let start = object.start
        if let key = try current._withUnsafeGuaranteedRef({ try nextMember(of: $0, at: start) }) {
            return key
        }
        // One that was left by an error which somebody caught is still there.
        let (isOwn, end) = current._withUnsafeGuaranteedRef { ($0.start == start, $0.end) }
        leaveMigrated()
        guard isOwn else { return try nextMigratedField(in: &object) }
        cursor = end
        remainingDepth += 1
        return nil
    }

    /// The name of the next member of the innermost object, at whose value the reader stands then;
    /// nil behind the last one, and when the object at `start` is another one.
    @inline(__always)
    private mutating func nextMember(
        of migrated: MigratedObject,
        at start: UnsafePointer<UInt8>
    ) throws -> FieldKey? {
        guard migrated.start == start else { return nil }
        if cursor != migrated.valueEnd {
            skipWhitespace()
            guard cursor == endOfWhitespace(from: migrated.valueEnd) else {
                throw syntaxError(expected: "\",\" or \"}\"", at: cursor)
            }
        }
        guard let (key, value) = migrated.takeNext() else { return nil }
        cursor = value
        return key
    }

    private func leaveMigrated() {
        guard let migrated = state.migrated else { return }
        state.migrated = migrated.takeUnretainedValue().outer
        state.migrations -= 1
    }

    /// Leaves migrated objects that an error ended, until so many are left.
    mutating func leaveMigrations(above count: Int) {
        while state.migrations > count {
            if state.migrated != nil {
                leaveMigrated()
            } else if !leaveRewritten() {
                return
            }
        }
    }
}

extension ModelDocument {
    /// Puts back a member that no step saw.
    mutating func putBack(_ member: Member?) {
        if let member, kind == .object { self[key: member.key] = member.value }
    }
}

extension ObjectTag {
    func isTypeKey(_ key: FieldKey) -> Bool {
        conformer._withUnsafeGuaranteedRef { $0.typeKey(named: key) } != nil
    }

    /// Whether the model keeps a type key that is a list of names.
    var keepsNameLists: Bool { conformer._withUnsafeGuaranteedRef { $0.keepsNameLists } }
}
