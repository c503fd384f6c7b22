// How a reader finds the type of `any P`: it enters the object, looks for the type key, goes back,
// and lets the conformer read the object as it always does (TaggedObject.swift). A conformer meets
// a type key that does not come first as a field that is not declared, see `skipField(_:in:)`.

/// What a reader knows of an object that was entered to find its type key.
///
/// Invariant of the pointers: positions in the reader's document, valid as long as the object is
/// read. ``ConformerIndex`` keeps the conformer longer than that.
@frozen
@usableFromInline
struct ObjectTag {
    let conformer: Unmanaged<Conformer>
    /// Where the value of the type key is; a type key elsewhere in the object is a second one.
    @usableFromInline let value: UnsafePointer<UInt8>
    /// The quote that the type key begins with, and the position after its value, if the conformer
    /// has no field of that name: ``ModelReader/nextKey(in:expecting:)`` then jumps from one to the
    /// other.
    var name: UnsafePointer<UInt8>?
    var end: UnsafePointer<UInt8>?
    /// Whether nobody has looked for the type key, as the model says that it may be there
    /// (ConcreteTags.swift).
    var isExpected = false

    init(conformer: Unmanaged<Conformer>, value: UnsafePointer<UInt8>, isExpected: Bool = false) {
        self.conformer = conformer
        self.value = value
        self.isExpected = isExpected
    }
}

extension ConformerIndex {
    /// Finds the conformer that the type key of the object under the cursor names.
    ///
    /// A key that comes later is looked for among the bytes, without checking what comes before it:
    /// the conformer goes over all of it anyway. When the conformer fails,
    /// ``explain(_:at:depth:in:)`` finds what is wrong first.
    ///
    /// - Complexity: O(1) for a type key that comes first, else linear in what comes before it.
    /// - Throws: ``ModelDecodingError`` when there is no object, no type key or no such conformer.
    @usableFromInline
    func findTypeKey(_ reader: inout ModelReader) throws -> Unmanaged<Conformer> {
        if reader.isRow { try reader.enterColumnDocument() }
        reader.forgetTaggedObject()
        return leaf(below: try ownTypeKey(&reader), &reader)
    }

    /// The same for the protocol's own key, which may lead to a level.
    @inline(__always)
    private func ownTypeKey(_ reader: inout ModelReader) throws -> Unmanaged<Conformer> {
        // Fast paths for JSON and trees, which do not pay for the variables of the slow one.
        if reader.source == .json {
            if let found = firstTypeKey(&reader) { return found }
            if let found = laterTypeKey(&reader) { return found }
        } else if reader.source == .tree, let found = firstTreeTypeKey(&reader) {
            return found
        }
        return try readTypeKey(&reader, isChecked: false)
    }

    /// The error to throw when the conformer could not read the object at `start`.
    ///
    /// It is the error of a second search for the type key, which checks all that comes before it;
    /// if that finds nothing wrong, the conformer's own. The start is nil where there are no bytes
    /// to search.
    @usableFromInline
    @inline(never)
    func explain(
        _ failure: any Error,
        at start: UnsafePointer<UInt8>?,
        depth: Int,
        in reader: inout ModelReader
    ) -> any Error {
        guard let start, reader.source == .json, reader.byte(at: start) == 0x7B else {
            return failure
        }
        let (cursor, remainingDepth) = (reader.cursor, reader.remainingDepth)
        defer {
            reader.cursor = cursor
            reader.remainingDepth = remainingDepth
            reader.source = .json
        }
        reader.cursor = start
        reader.remainingDepth = depth
        do {
            let found = try readTypeKey(&reader, isChecked: true)
            guard let level = found._withUnsafeGuaranteedRef({ $0.level }) else { return failure }
            reader.source = .json
            return level.explain(failure, at: start, depth: depth, in: &reader)
        } catch {
            return error
        }
    }

    /// Finds the type key of the object under the cursor and prepares the object to be resumed.
    ///
    /// - Parameter isChecked: whether everything before the type key is checked, which the fast
    ///   paths do not do.
    @inline(never)
    private func readTypeKey(
        _ reader: inout ModelReader,
        isChecked: Bool
    ) throws -> Unmanaged<Conformer> {
        let isJSON = reader.source == .json
        let start = reader.cursor
        let depth = reader.remainingDepth
        var object = try reader.beginObject()
        let content = reader.cursor
        var isFirst = true
        while let key = try isJSON
            ? reader.nextField(in: &object) : reader.nextNonJSONField(in: &object)
        {
            if !isTypeKey(key) {
                isFirst = false
                guard isJSON, tagging.aliases.isEmpty else {
                    try reader.skipValue()
                    continue
                }
                if !isChecked, tagging.hasTextKey,
                    let tag = peekTypeKey(&reader, from: reader.cursor)
                {
                    reader.remainingDepth += 1
                    return enter(&reader, start, tag)
                }
                guard try reader.skipFields(to: tagging.typeKey, code: typeKeyCode) else { break }
            }
            let value = reader.cursor
            if !tagging.path.isEmpty {
                guard try enterPath(&reader) else { break }
                let found = try readName(&reader, objectAt: start)
                reader.remainingDepth = depth
                object.tag = ObjectTag(conformer: found, value: value)
                object.isFirst = true
                reader.expectTaggedObject(object, resume: content, memberNumber: 0)
                return found
            }
            if absent != nil, try reader.readNull() { break }
            let isList = isJSON ? reader.byte == 0x5B : reader.valueKind == .array
            let memberNumber = isJSON ? 0 : reader.memberNumber
            let found = try readName(&reader, objectAt: start)
            reader.remainingDepth += 1
            object.tag = ObjectTag(conformer: found, value: value)
            let (isDocument, declaresTypeKey) = found._withUnsafeGuaranteedRef {
                ($0.isDocument, $0.meetsTypeKey || isList && $0.keepsNameLists)
            }
            // A raw enum is read from the whole value, and throws its own error about an object.
            guard isDocument else {
                reader.cursor = start
                return found
            }
            if isFirst, !declaresTypeKey {
                if isJSON { try reader.expectEndOfField() }
                let resume = reader.cursor
                reader.expectTaggedObject(object, resume: resume, memberNumber: memberNumber)
            } else {
                object.isFirst = true
                reader.expectTaggedObject(object, resume: content, memberNumber: 0)
            }
            return found
        }
        reader.cursor = start
        reader.remainingDepth = depth
        if let found = conformerWithoutKey() { return found }
        throw reader.missingType(of: name, tagging)
    }

    /// The conformer that the first member of an object of a tree names; the object is then ready to
    /// be resumed. Nil for everything else, which ``readTypeKey(_:isChecked:)`` looks into.
    func firstTreeTypeKey(_ reader: inout ModelReader) -> Unmanaged<Conformer>? {
        let start = reader.cursor
        guard tagging.hasTextKey, reader.treeKind == .object, reader.remainingDepth > 0,
            (try? reader.enterTreeObject()) != nil
        else { return nil }
        let depth = reader.remainingDepth + 1
        defer { reader.remainingDepth = depth }
        guard let key = reader.nextTreeKey(), isTypeKey(key), reader.treeKind == .string,
            let name = reader.treeName(), let found = lookUp(name),
            found._withUnsafeGuaranteedRef({ $0.isDocument && !$0.meetsTypeKey })
        else {
            reader.cursor = start
            return nil
        }
        var object = ObjectScope(start: start)
        object.kind = .nonJSON
        object.tag = ObjectTag(conformer: found, value: reader.cursor)
        reader.expectTaggedObject(object, resume: reader.cursor, memberNumber: 1)
        return found
    }

    /// Whether a field is the type key or an alias of it.
    func isTypeKey(_ key: FieldKey) -> Bool {
        if key.code == typeKeyCode, key.matches(tagging.typeKey) { return true }
        for alias in tagging.aliases where key.matches(alias) { return true }
        return false
    }

    /// Reads the name under the cursor and finds its conformer.
    ///
    /// - Throws: ``ModelDecodingError`` about the name when it is of another kind than the tagging
    ///   says, about the object at `start` when no conformer has it.
    func readName(
        _ reader: inout ModelReader,
        objectAt start: UnsafePointer<UInt8>
    ) throws -> Unmanaged<Conformer> {
        let kind = reader.valueKind
        switch tagging.kind {
        case .boolean:
            guard kind == .bool else { throw reader.mismatch("true or false as a type") }
            let name: StaticString = try reader.readBool() ? "true" : "false"
            return try conformer(named: FieldKey(name), &reader, at: start)
        case .integer:
            guard kind == .number else { throw reader.mismatch("the number of a type") }
            var digits = "\(try reader.readInteger(Int64.self))"
            return try digits.withUTF8 { bytes in
                try conformer(named: FieldKey(bytes), &reader, at: start)
            }
        case .stringOrList where kind == .array:
            return try readFirstKnownName(&reader, objectAt: start)
        case .scalar where kind == .number || kind == .bool:
            var word: String
            if kind == .bool {
                word = try reader.readBool() ? "true" : "false"
            } else {
                let number = try ModelDocument(modelValue: &reader)
                word = number.intValue.map { "\($0)" } ?? number.doubleValue.map { "\($0)" } ?? ""
            }
            return try word.withUTF8 { bytes in
                try conformer(named: FieldKey(bytes), &reader, at: start)
            }
        case .string, .stringOrList, .scalar:
            guard kind == .string else { throw reader.mismatch("the name of a type") }
            return try conformer(named: reader.readCaseName().key, &reader, at: start)
        }
    }

    /// Reads the list of names under the cursor, and gives the conformer of the first name that has
    /// one. The whole list is checked.
    private func readFirstKnownName(
        _ reader: inout ModelReader,
        objectAt start: UnsafePointer<UInt8>
    ) throws -> Unmanaged<Conformer> {
        var found: Unmanaged<Conformer>?
        var unknown: String?
        var array = try reader.beginArray()
        while try reader.nextElement(in: &array) {
            guard reader.valueKind == .string else {
                throw reader.mismatch("the name of a type")
            }
            if found != nil {
                try reader.skipValue()
                continue
            }
            let key = try reader.readCaseName().key
            found = lookUp(key)
            if found == nil, isClaimedTwice(key) {
                return try conformer(named: key, &reader, at: start)
            }
            unknown = unknown ?? key.text
        }
        if let found { return found }
        reader.cursor = start
        guard let unknown else { throw reader.missingType(of: name, tagging) }
        throw reader.unknownType(unknown, of: name, known: known)
    }

    /// Whether `value`, written as the value of the type key, would be read as `conformer`.
    func isName(_ value: ArraySlice<UInt8>, of conformer: Conformer) -> Bool {
        value.withUnsafeBufferPointer { bytes in
            var reader = ModelReader(json: bytes)
            let found = try? readName(&reader, objectAt: reader.cursor)
            return found?.takeUnretainedValue() === conformer
        }
    }
}

extension ModelReader {
    /// Moves over white space to the comma or brace after a field of JSON.
    ///
    /// - Throws: ``ModelDecodingError`` when something else is there.
    @inline(__always)
    mutating func expectEndOfField() throws {
        skipWhitespace()
        guard byte == 0x2C || byte == 0x7D else {
            throw syntaxError(expected: "\",\" or \"}\"", at: cursor)
        }
    }

    /// Checks that a field that is not declared is no second type key.
    @usableFromInline
    @inline(never)
    mutating func expectNoTypeKey(_ key: FieldKey, beside tag: ObjectTag) throws {
        let found = tag.conformer._withUnsafeGuaranteedRef { $0.ownTypeKey(named: key) }
        if found != nil, tag.isExpected { return try checkTypeKey(of: tag) }
        if let found, cursor != tag.value { throw repeatedField(found) }
    }

    /// Moves to the value of the next field and gives its name; nil after the last one. The type
    /// key is skipped, so this is for values to which every name means something: dictionaries, and
    /// enums whose field names a case. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no object, and for a second type key.
    public mutating func nextMember(in object: inout ObjectScope) throws -> FieldKey? {
        while let key = try nextKey(in: &object) {
            guard let tag = object.tag,
                tag.conformer._withUnsafeGuaranteedRef({ $0.typeKey(named: key) }) != nil
            else { return key }
            try skipField(key, in: object)
        }
        return nil
    }
}
