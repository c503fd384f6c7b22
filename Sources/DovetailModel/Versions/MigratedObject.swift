// How an older object is read. Its members are noted while the version is looked for, the model's
// steps change them as a document (UnreadMembers.swift), and then the model reads them one by one
// where they stand: by other names, in another order, or without some. Only when a step put another
// value in is the object written anew (RewrittenObject.swift).

/// An object whose members are read where they stand in the document.
///
/// Also holds what the next older object can use again, so that of many records only the first one
/// pays for memory.
final class MigratedObject {
    @exclusivity(unchecked) fileprivate var members: [UnreadMember] = []
    @exclusivity(unchecked) fileprivate var names: [String] = []
    @exclusivity(unchecked) fileprivate var text = DocumentText()
    @exclusivity(unchecked) fileprivate var node: DocumentNode?
    /// The member that is next.
    @exclusivity(unchecked) fileprivate var next = 0
    /// Invariant of the pointers: addresses in the reader's document, as long as the object is
    /// read.
    @exclusivity(unchecked) fileprivate var start = ReaderState.noBytes
    /// Where the value ends that is being read.
    @exclusivity(unchecked) fileprivate var valueEnd = ReaderState.noBytes
    @exclusivity(unchecked) fileprivate var end = ReaderState.noBytes
    /// The migrated object around this one.
    @exclusivity(unchecked) fileprivate var outer: MigratedObject?

    /// Memory for more than this is not kept.
    private static let spareBytes = 1 << 16

    /// Takes the text of the object and gives a document of its members.
    fileprivate func document(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
        depth: Int,
        _ members: consuming [UnreadMember],
        _ names: [String]
    ) -> ModelDocument {
        self.start = start
        self.end = end
        // A document that a step kept has its text for itself.
        if !isKnownUniquelyReferenced(&text) { text = DocumentText() }
        text.replace(with: start, count: end - start, depth: depth)
        let node = self.node.take() ?? DocumentNode()
        node.putUnread(UnreadMembers(members, names: names, of: text))
        return ModelDocument(.object(node))
    }

    /// Takes the members back when all of them stand in the text, whatever they are called now.
    fileprivate func takeMembers(of document: inout ModelDocument) -> Bool {
        guard case .object(var node) = document.storage else { return false }
        document.storage = .null
        guard isKnownUniquelyReferenced(&node), let unread = node.takeUnread() else {
            document.storage = .object(node)
            return false
        }
        guard unread.isInPlace(in: text) else {
            node.putUnread(unread)
            document.storage = .object(node)
            return false
        }
        members = unread.members
        names = unread.names
        self.node = node
        return true
    }

    fileprivate func takeArrays() -> (members: [UnreadMember], names: [String]) {
        defer { (members, names) = ([], []) }
        members.removeAll(keepingCapacity: true)
        names.removeAll(keepingCapacity: true)
        return (members, names)
    }

    /// Lets go of a large text, so that objects in each other do not hold copies of each other.
    fileprivate func dropText() {
        if text.capacity > Self.spareBytes { text = DocumentText() }
    }
}

extension ModelReader {
    /// How many migrated objects may lie in each other. Each is gone over once more, and may be a
    /// copy of what it holds, so without a limit a document of n bytes could cost 512 times as
    /// much.
    public static let maximumMigrations = 100

    /// Notes the members of the object of JSON that was entered, and finds its version among them.
    ///
    /// - Returns: nil when the model can read the object as it is; then the reader has not moved.
    mutating func olderObject(
        than version: Int,
        _ readsNewer: Bool,
        of type: any Model.Type,
        _ object: inout ObjectScope
    ) throws -> (version: Int, members: MigratedObject, document: ModelDocument)? {
        let place = cursor
        let migrated = state.spareObject.take() ?? MigratedObject()
        var (members, names) = migrated.takeArrays()
        var scan = object
        var found: Int?
        while let key = try nextField(in: &scan) {
            if key.code == VersionField.code, key.matches(VersionField.name) {
                if found != nil { throw repeatedField(VersionField.name) }
                let here = cursor
                found = try olderVersionHere(than: version, readsNewer, of: type)
                guard found != nil else {
                    state.spareObject = migrated
                    cursor = place
                    guard members.isEmpty, object.tag == nil else { return nil }
                    // Written first, it need not be met again.
                    cursor = here
                    try skipValue()
                    object.isFirst = false
                    return nil
                }
                try skipValue()
            } else if let tag = object.tag, tag.isTypeKey(key) {
                try expectNoTypeKey(key, beside: tag)
                try skipValue()
            } else {
                try note(key, from: object.start, &members, &names)
            }
        }
        let document = migrated.document(
            from: object.start,
            to: cursor,
            depth: remainingDepth,
            members,
            names
        )
        return (found ?? 1, migrated, document)
    }

    /// Migrates an object that was gone over and enters what became of it.
    mutating func enterMigrated(
        _ object: ObjectScope,
        _ migrated: MigratedObject,
        _ document: consuming ModelDocument,
        _ type: any Model.Type,
        from version: Int
    ) throws -> ObjectScope {
        var document = document
        try migrate(&document, type, from: version, at: object.start)
        guard migrated.takeMembers(of: &document) else {
            state.spareObject = migrated
            return try enterRewritten(document, at: object.start)
        }
        migrated.dropText()
        migrated.next = 0
        migrated.outer = state.migrated
        state.migrated = migrated
        state.migrations += 1
        var object = object
        object.kind = .migrated
        object.tag = nil
        cursor = object.start
        migrated.valueEnd = cursor
        try descend()
        return object
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
        // One that was left by an error which somebody caught is still there.
        while let inner = state.migrated, inner.start != object.start { leaveMigrated() }
        guard let migrated = state.migrated else { return nil }
        skipWhitespace()
        guard cursor == migrated.valueEnd else {
            throw syntaxError(expected: "\",\" or \"}\"", at: cursor)
        }
        let next = migrated.next
        guard next < migrated.members.count else {
            cursor = migrated.end
            remainingDepth += 1
            leaveMigrated()
            return nil
        }
        migrated.next = next + 1
        let member = migrated.members[next]
        cursor = object.start + member.value
        migrated.valueEnd = object.start + member.valueEnd
        guard member.name < 0 else {
            return FieldKey(
                code: member.code,
                start: object.start + member.name,
                count: member.nameCount
            )
        }
        // As a name with escapes, it is valid until the next one is read.
        let scratch = state.scratch
        scratch.removeAll()
        migrated.names[~member.name].withUTF8 { scratch.append($0) }
        let name = scratch.bytes
        return FieldKey(
            code: member.code,
            start: name.baseAddress ?? ReaderState.noBytes,
            count: name.count
        )
    }

    private func leaveMigrated() {
        guard let migrated = state.migrated else { return }
        state.migrated = migrated.outer.take()
        state.migrations -= 1
        state.spareObject = migrated
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

extension ObjectTag {
    func isTypeKey(_ key: FieldKey) -> Bool {
        conformer._withUnsafeGuaranteedRef { $0.typeKey(named: key) } != nil
    }
}
