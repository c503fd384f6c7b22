// What a reader does with the objects of older versions. MigratedObject.swift says how.

extension ModelReader {
    /// How many migrated objects may lie in each other. Each is gone over once more, and may be a
    /// copy of what it holds, so without a limit a document of n bytes could cost 512 times as
    /// much.
    public static let maximumMigrations = 100

    /// Goes over the object that was entered, notes its members in the next object of the chain,
    /// and finds its version among them.
    ///
    /// - Complexity: linear in the object, in a binary property list and a tree in its members.
    /// - Returns: nil when the model can read the object as it is; then a reader of JSON is where
    ///   it was, or after a version that came first.
    mutating func olderObject(
        than version: Int,
        _ readsNewer: Bool,
        of type: any Model.Type,
        _ object: inout ObjectScope
    ) throws -> (version: Int, members: Unmanaged<MigratedObject>)? {
        let next = state.nextMigrated()
        let base = source == .binaryPropertyList ? state.start : object.start
        let found = try next._withUnsafeGuaranteedRef { migrated in
            migrated.prepare(at: object.start, base: base)
            return try note(&object, version, readsNewer, of: type, in: migrated, after: 0)
        }
        return found.map { ($0, next) }
    }

    /// The same, with the object of the chain that takes the members.
    ///
    /// - Parameter count: how many members were noted, of an object of JSON without type key.
    @inline(never)
    mutating func note(
        _ object: inout ObjectScope,
        _ version: Int,
        _ readsNewer: Bool,
        of type: any Model.Type,
        in migrated: MigratedObject,
        after count: Int
    ) throws -> Int? {
        let place = count == 0 ? cursor : object.start + 1
        let unread = migrated.unread
        var scan = object
        if count > 0 { scan.isFirst = false }
        var found: Int?
        // A type key is not noted, and an object of another model may have a member of that name.
        let mayExpect = source == .json && object.tag == nil
        var (expected, missed) = (count, 0)
        while true {
            if mayExpect { try noteExpected(&scan, &expected, in: migrated) }
            guard let key = try nextDocumentField(in: &scan) else { break }
            if key.code == VersionField.code, key.matches(VersionField.name) {
                if found != nil { throw repeatedField(VersionField.name) }
                let here = cursor
                found = try olderVersionHere(than: version, readsNewer, of: type)
                cursor = here
                guard found != nil else {
                    guard source == .json, unread.count == 0, object.tag == nil else {
                        cursor = place
                        return nil
                    }
                    // The first member, so the model can go on after it.
                    try skipValue()
                    object.isFirst = false
                    return nil
                }
                try skipValue()
            } else if let tag = object.tag, tag.isTypeKey(key) {
                try expectNoTypeKey(key, beside: tag)
                try noteTypeKey(key, tag.conformer.takeUnretainedValue(), in: migrated)
            } else if source == .json {
                expected = migrated.shape.place(after: key, from: expected)
                missed += 1
                try note(key, from: object.start, in: unread)
            } else {
                try noteMember(key, from: migrated.base, in: unread)
            }
        }
        if mayExpect, missed > unread.count / 2 {
            migrated.shape.learn(unread.members.elements, at: object.start)
        }
        migrated.end = cursor
        return found ?? 1
    }

    /// Notes what the type key has that the model keeps: names that its own would not bring back, and what is
    /// beside the name in the object of a path.
    private mutating func noteTypeKey(
        _ key: FieldKey,
        _ conformer: Conformer,
        in migrated: MigratedObject
    ) throws {
        if !conformer.path.isEmpty, key.matches(conformer.typeKey) {
            let rest = conformer.withoutName(try ModelDocument(modelValue: &self))
            migrated.besideName = rest.map {
                .init(key: conformer.typeKey.description, value: $0)
            }
        } else if keepsNames(key, of: conformer) {
            migrated.typeNames = try keptNames(key, of: conformer)
        } else {
            try skipValue()
        }
    }

    /// Notes the place of a member of a property list or a tree.
    @inline(never)
    private mutating func noteMember(
        _ key: FieldKey,
        from base: UnsafePointer<UInt8>,
        in members: LazyMembers
    ) throws {
        var member = LazyMember(value: source == .tree ? 0 : cursor - base, end: 0)
        member.code = key.code
        member.name = members.keepName(key.bytes)
        member.nameCount = key.count
        switch source {
        case .binaryPropertyList: member.valueEnd = binaryMemberNumber
        case .tree:
            member.value = treeMemberNumber
            member.valueEnd = member.value
        case .json, .row, .xmlPropertyList, .tagged:
            try skipValue()
            member.valueEnd = cursor - base
        }
        members.append(member)
    }

    /// Migrates the object whose members were noted and enters what became of it.
    mutating func enterMigrated(
        at start: UnsafePointer<UInt8>,
        _ members: Unmanaged<MigratedObject>,
        _ type: any Model.Type,
        from version: Int
    ) throws -> ObjectScope {
        var members = members
        var document = try members._withUnsafeGuaranteedRef { try lendDocument(of: $0) }
        let beside = members._withUnsafeGuaranteedRef { $0.besideName.take() }
        document.putBack(beside)
        try migrate(&document, type, from: version, at: start)
        if let beside, type.unknownFieldsPolicy == .throw, document[key: beside.key] == beside.value
        {
            // It belongs to the type key, which is no field that could be unknown.
            document[key: beside.key] = nil
        }
        if let failure = state.migration.lazyPropertyList?.takeFailure() {
            throw placed(failure, at: start)
        }
        document.putBack(members._withUnsafeGuaranteedRef { $0.typeNames.take() })
        guard document.isObject else {
            throw error(
                .typeMismatch,
                expected: "object",
                found: "\(document.kind)",
                at: start
            )
        }
        if !members._withUnsafeGuaranteedRef({ $0.takeBack(&document) }) {
            members = state.replace(members, byMembersOf: document)
        }
        state.enter(members)
        cursor = start
        return ObjectScope(start: start, isFirst: false, kind: .migrated)
    }

    /// Enters the object again, and makes a document of its members.
    private mutating func lendDocument(of migrated: MigratedObject) throws -> ModelDocument {
        let unread = migrated.unread
        switch source {
        case .json, .row, .xmlPropertyList, .tagged:
            let count = migrated.end - migrated.start
            unread.putText(migrated.start, count: count, isXML: source == .xmlPropertyList)
            try descend()
        case .binaryPropertyList:
            try descend()
            if let list = state.listForMigrations() {
                unread.putPropertyList(list, within: remainingDepth)
            }
        case .tree:
            try descend()
            for (place, member) in unread.members.elements.enumerated() {
                moveToTreeMember(member.value)
                unread.keep(try readTreeDocument(), at: place)
            }
        }
        return migrated.lendDocument()
    }

    /// Runs the steps of a model.
    ///
    /// - Throws: ``ModelDecodingError`` when a step throws, and for more than ``maximumMigrations``
    ///   objects in each other.
    private mutating func migrate(
        _ document: inout ModelDocument,
        _ type: any Model.Type,
        from version: Int,
        at start: UnsafePointer<UInt8>
    ) throws {
        guard state.migration.depth < ModelReader.maximumMigrations else {
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

    /// Moves to the value of the next member of a migrated object and gives its name; after the last
    /// one moves past the end of the object, leaves it and gives nil.
    ///
    /// The fast path is a member after another one that was read to its end. What is rare is called,
    /// so that a member that is where it was costs few registers. Not inlined: it would make the
    /// functions of other sources, which share a caller with it, save more of them.
    @inline(never)
    mutating func nextMigratedField(in object: inout ObjectScope) throws -> FieldKey? {
        if state.migration.place.start != object.start, !leaveMigrations(inside: object.start) {
            return nil
        }
        let nesting = state.migration.place.nesting
        if state.migration.nesting != nesting { leaveMigrations(above: nesting) }
        let valueEnd = state.migration.place.valueEnd
        if cursor != valueEnd { try expectEndOfMember(at: valueEnd) }
        guard let member = state.takeNextMember() else {
            endMigrated()
            return nil
        }
        let base = state.migration.place.base
        let name = member.pointee.name
        let key = FieldKey(
            code: member.pointee.code,
            start: name < 0 ? state.migration.place.names + ~name : base + name,
            count: member.pointee.nameCount
        )
        if member.pointee.value < 0 {
            enterValue(of: member, named: key)
            return key
        }
        state.migration.place.valueEnd = base + member.pointee.valueEnd
        if source == .tree {
            moveToTreeMember(member.pointee.value)
        } else {
            cursor = base + member.pointee.value
            if source == .binaryPropertyList { binaryMemberNumber = member.pointee.valueEnd }
        }
        return key
    }

    /// Moves past the end of the innermost migrated object and leaves it.
    @inline(never)
    private mutating func endMigrated() {
        guard let current = state.migration.current else { return }
        cursor = current._withUnsafeGuaranteedRef { $0.end }
        remainingDepth += 1
        state.leaveMigrated()
    }

    /// Turns to a value that a step put in. The reader comes back to this position after it.
    @inline(never)
    private mutating func enterValue(of member: UnsafePointer<LazyMember>, named name: FieldKey) {
        guard let current = state.migration.current else { return }
        state.migration.place.valueEnd = cursor
        let slot = member.pointee.slot
        let value = current._withUnsafeGuaranteedRef { $0.unread.values.storage + slot }
        enterValue(at: value, named: name, in: state.migration.place.start)
    }

    /// The slow path: the innermost object is one that was left by an error which somebody caught.
    ///
    /// - Returns: whether the object at `start` is the innermost one now.
    @inline(never)
    private mutating func leaveMigrations(inside start: UnsafePointer<UInt8>) -> Bool {
        while state.migration.current != nil {
            if state.migration.place.start == start { return true }
            leaveMigrations(above: state.migration.place.nesting - 1)
        }
        return false
    }

    /// Whether the innermost of what the reader is in is a value that a step put in.
    @inline(__always)
    private var isInValue: Bool {
        guard let tree = state.trees.current else { return false }
        return tree.pointee.outside?.nesting == state.migration.nesting
    }

    /// Checks that the value before was read to its end, when the reader is not exactly there. In
    /// JSON white space may follow; what is not a position in a text is not checked.
    @inline(never)
    private mutating func expectEndOfMember(at end: UnsafePointer<UInt8>) throws {
        switch source {
        case .json, .row, .tagged:
            skipWhitespace()
            guard cursor == endOfWhitespace(from: end) else {
                throw syntaxError(expected: "\",\" or \"}\"", at: cursor)
            }
        case .binaryPropertyList, .tree: break
        case .xmlPropertyList:
            throw syntaxError(expected: "<key> or </dict>", at: cursor)
        }
    }

    /// Leaves migrated objects, and values that were put into them, until so many are left.
    @inline(never)
    mutating func leaveMigrations(above count: Int) {
        while state.migration.nesting > count {
            if isInValue {
                leaveValue()
            } else {
                state.leaveMigrated()
            }
        }
    }
}

extension ReaderState {
    /// What migrations look into of the binary property list that is read.
    fileprivate func listForMigrations() -> LazyPropertyList? {
        if migration.lazyPropertyList == nil, let data = binary?.pointee.data {
            migration.lazyPropertyList = LazyPropertyList(data)
        }
        return migration.lazyPropertyList
    }
}

extension ModelDocument {
    /// Puts back a member that no step saw.
    mutating func putBack(_ member: Member?) {
        if let member, isObject { self[key: member.key] = member.value }
    }
}

extension ObjectTag {
    /// Whether a field is the type key, of which the model has no field.
    func isTypeKey(_ key: FieldKey) -> Bool {
        conformer._withUnsafeGuaranteedRef { $0.typeKey(named: key) } != nil
    }
}
