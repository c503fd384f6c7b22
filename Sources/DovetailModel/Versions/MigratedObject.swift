// How an older object is read. Its members are noted while the version is looked for, the model's
// steps change them as a document (UnreadMembers.swift), and then the model reads them one by one
// where they stand: by other names, in another order, or without some. Only when a step put another
// value in is the object written anew (RewrittenObject.swift).

/// An object whose members are read where they stand in the document.
///
/// Also holds what the next older object can use again, so that of many records only the first one
/// pays for memory.
final class MigratedObject {
    /// The members, unless a document has them.
    @exclusivity(unchecked) fileprivate var unread: UnreadMembers?
    /// That of the members, which whatever a step leaves is compared with. Held, so that no other
    /// text can have its address.
    @exclusivity(unchecked) fileprivate var text: DocumentText?
    @exclusivity(unchecked) fileprivate var node: DocumentNode?
    /// The type key with a list of names, which the model keeps and no step sees.
    @exclusivity(unchecked) fileprivate var typeNames: ModelDocument.Member?
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
    private static let spareMembers = 1 << 10

    /// Gives members of nothing, in the memory of those that were noted last.
    fileprivate func takeEmpty() -> UnreadMembers {
        typeNames = nil
        guard var unread = unread.take() else { return UnreadMembers(of: DocumentText()) }
        unread.removeAll()
        return unread
    }

    /// Keeps the members of the object between two addresses.
    fileprivate func note(
        _ members: consuming UnreadMembers,
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>
    ) {
        unread = members
        self.start = start
        self.end = end
    }

    /// Takes a copy of the object's text and gives a document of its members, of which this keeps
    /// no reference: one would make a copy of it at its first change.
    fileprivate func takeDocument(depth: Int) -> ModelDocument {
        text = nil
        unread?.putText(start, count: end - start, depth: depth)
        text = unread?.change { $0.text }
        let node = self.node.take() ?? DocumentNode()
        node.exchangeUnread(with: &unread)
        return ModelDocument(.object(node))
    }

    /// Takes the members back when all of them stand in the text, whatever they are called now.
    fileprivate func takeMembers(of document: inout ModelDocument) -> Bool {
        guard case .object(var node) = document.storage else { return false }
        document.storage = .null
        if isKnownUniquelyReferenced(&node) {
            node.exchangeUnread(with: &unread)
            // Asked in place: a copy of the members would count four references.
            if let text, unread?.change({ $0.isInPlace(in: text) }) ?? false {
                self.node = node
                return true
            }
            node.exchangeUnread(with: &unread)
        }
        document.storage = .object(node)
        return false
    }

    /// Lets go of a large text, so that objects in each other do not hold copies of each other.
    fileprivate func dropText() {
        text = nil
        unread?.dropText(above: Self.spareBytes)
    }

    /// Whether it is small enough to be kept for the next object.
    fileprivate var isSpare: Bool { (unread?.members.capacity ?? 0) <= Self.spareMembers }

    /// Gives the next member and notes where its value ends; nil behind the last one.
    @inline(__always)
    fileprivate func takeNext() -> UnreadMember? {
        guard next < unread?.members.count ?? 0, let member = unread?.members[next] else {
            return nil
        }
        next &+= 1
        valueEnd = start + member.valueEnd
        return member
    }
}

extension ModelReader {
    /// How many migrated objects may lie in each other. Each is gone over once more, and may be a
    /// copy of what it holds, so without a limit a document of n bytes could cost 512 times as
    /// much.
    public static let maximumMigrations = 100

    /// Notes the members of the object of JSON that was entered, and finds its version among them.
    ///
    /// - Returns: nil when the model can read the object as it is; then the reader stands where it
    ///   stood, or behind a version that came first.
    mutating func olderObject(
        than version: Int,
        _ readsNewer: Bool,
        of type: any Model.Type,
        _ object: inout ObjectScope
    ) throws -> (version: Int, members: MigratedObject)? {
        let place = cursor
        let migrated = state.spareObject.take() ?? MigratedObject()
        var unread = migrated.takeEmpty()
        var scan = object
        var found: Int?
        while let key = try nextField(in: &scan) {
            if key.code == VersionField.code, key.matches(VersionField.name) {
                if found != nil { throw repeatedField(VersionField.name) }
                let here = cursor
                found = try olderVersionHere(than: version, readsNewer, of: type)
                guard found != nil else {
                    let isFirst = unread.members.isEmpty
                    migrated.note(consume unread, from: object.start, to: cursor)
                    state.spareObject = migrated
                    cursor = place
                    guard isFirst, object.tag == nil else { return nil }
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
                try note(key, from: object.start, &unread.members, &unread.names)
            }
        }
        migrated.note(consume unread, from: object.start, to: cursor)
        return (found ?? 1, migrated)
    }

    /// Migrates an object whose members were noted and enters what became of it.
    mutating func enterMigrated(
        _ object: ObjectScope,
        _ migrated: MigratedObject,
        _ type: any Model.Type,
        from version: Int
    ) throws -> ObjectScope {
        var document = migrated.takeDocument(depth: remainingDepth)
        let typeNames = migrated.typeNames.take()
        try migrate(&document, type, from: version, at: object.start)
        document.putBack(typeNames)
        let isInPlace = migrated.takeMembers(of: &document)
        migrated.dropText()
        guard isInPlace else {
            state.spareObject = migrated
            return try enterRewritten(document, at: object.start)
        }
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
        // Not held while it is read, which would count its references twice a field.
        if let current = state.innermost,
            let key = try current._withUnsafeGuaranteedRef({ try nextMember(of: $0, in: object) })
        {
            return key
        }
        guard let migrated = state.migrated else { return nil }
        // One that was left by an error which somebody caught is still there.
        let isOwn = migrated.start == object.start
        if isOwn {
            cursor = migrated.end
            remainingDepth += 1
        }
        leaveMigrated()
        return isOwn ? nil : try nextMigratedField(in: &object)
    }

    /// The name of the next member of the innermost object, at whose value the reader stands then;
    /// nil behind the last one, and when `object` is another one.
    @inline(__always)
    private mutating func nextMember(
        of migrated: MigratedObject,
        in object: ObjectScope
    ) throws -> FieldKey? {
        guard migrated.start == object.start else { return nil }
        if cursor != migrated.valueEnd {
            skipWhitespace()
            guard cursor == endOfWhitespace(from: migrated.valueEnd) else {
                throw syntaxError(expected: "\",\" or \"}\"", at: cursor)
            }
        }
        guard let member = migrated.takeNext() else { return nil }
        cursor = object.start + member.value
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
        var name = migrated.unread?.names[~member.name] ?? ""
        name.withUTF8 { scratch.append($0) }
        let bytes = scratch.bytes
        return FieldKey(
            code: member.code,
            start: bytes.baseAddress ?? ReaderState.noBytes,
            count: bytes.count
        )
    }

    private func leaveMigrated() {
        guard let migrated = state.migrated else { return }
        state.migrated = migrated.outer.take()
        state.migrations -= 1
        if migrated.isSpare { state.spareObject = migrated }
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
