// How a reader finds the type of `any P`.
//
// A conformer reads its object as it always does. So that a type key that comes first is not gone
// over again, the cursor is left behind the key, where `beginObject()` finds no brace, and on that
// way, which only tagged objects take, the object that was entered before. A type key that comes
// later is met as a field that is not declared, see `skipField(_:in:)`.

/// What a reader knows of an object that was entered to find its type key.
@frozen
@usableFromInline
struct ObjectTag {
    let conformer: Unmanaged<Conformer>
    /// Where the value of the type key stands.
    let value: UnsafePointer<UInt8>
}

/// The place of a reader in the object around a value with adjacent or external tagging.
@usableFromInline
struct ContentScope {
    @usableFromInline let conformer: Unmanaged<Conformer>
    fileprivate var object: ObjectScope
    /// Where to go on when the value stands before its tag.
    fileprivate var resume: UnsafePointer<UInt8>?
}

extension ConformerNames {
    /// Finds the conformer that the type key of the object under the cursor names.
    ///
    /// A key that comes later is looked for among the bytes, without checking what comes before it:
    /// the conformer goes over all of it anyway. When that fails, ``explain(_:at:depth:in:)`` tells
    /// what is wrong first.
    @usableFromInline
    func findTypeKey(_ reader: inout ModelReader) throws -> Unmanaged<Conformer> {
        try readTypeKey(&reader, isChecked: false)
    }

    /// The error to throw when the conformer could not read the object at `start`: that of a search
    /// for the type key which checks all that comes before it, or else the conformer's. The start is
    /// nil where there are no bytes to search.
    @usableFromInline
    @inline(never)
    func explain(
        _ failure: any Error,
        at start: UnsafePointer<UInt8>?,
        depth: Int,
        in reader: inout ModelReader
    ) -> any Error {
        guard let start, reader.byte(at: start) == 0x7B else { return failure }
        let (cursor, remainingDepth) = (reader.cursor, reader.remainingDepth)
        defer {
            reader.cursor = cursor
            reader.remainingDepth = remainingDepth
            reader.state.enteredAt = nil
        }
        reader.cursor = start
        reader.remainingDepth = depth
        do {
            _ = try readTypeKey(&reader, isChecked: true)
            return failure
        } catch {
            return error
        }
    }

    private func readTypeKey(
        _ reader: inout ModelReader,
        isChecked: Bool
    ) throws -> Unmanaged<Conformer> {
        if reader.source != .json, let found = try readOtherTypeKey(&reader) { return found }
        let start = reader.cursor
        var object = try reader.beginObject()
        var isFirst = true
        while let key = try reader.nextField(in: &object) {
            if !isTypeKey(key) {
                isFirst = false
                guard tagging.aliases.isEmpty else {
                    try reader.skipValue()
                    continue
                }
                if !isChecked, let tag = glimpseTypeKey(&reader) {
                    object.tag = tag
                    object.isFirst = true
                    reader.cursor = start + 1
                    reader.remainingDepth += 1
                    reader.state.entered = object
                    reader.state.enteredAt = reader.cursor
                    return tag.conformer
                }
                guard try reader.skipFields(to: tagging.typeKey, code: typeKeyCode) else { break }
            }
            let value = reader.cursor
            let isList = reader.byte == 0x5B
            let found = try readName(&reader, objectAt: start)
            reader.remainingDepth += 1
            object.tag = ObjectTag(conformer: found, value: value)
            let (isDocument, declaresTypeKey) = found._withUnsafeGuaranteedRef {
                ($0.isDocument, $0.declaresTypeKey || isList && $0.keepsNameLists)
            }
            if isFirst, isDocument, !declaresTypeKey {
                reader.skipWhitespace()
                guard reader.byte == 0x2C || reader.byte == 0x7D else {
                    throw reader.syntaxError(expected: "\",\" or \"}\"", at: reader.cursor)
                }
            } else {
                reader.cursor = start
                // What is no object says so itself.
                if !isDocument { return found }
                reader.cursor += 1
                object.isFirst = true
            }
            reader.state.entered = object
            reader.state.enteredAt = reader.cursor
            return found
        }
        reader.cursor = start
        throw reader.missingType(of: name, key: tagging.typeKey)
    }

    /// The type key among the fields that follow, found by its bytes; nil when it takes more to be
    /// sure of it.
    ///
    /// Up to the first bracket or backslash quotes only begin and end the names and the values of
    /// one object, so a string with a colon behind it is a name, if what comes before it is JSON.
    private func glimpseTypeKey(_ reader: inout ModelReader) -> ObjectTag? {
        let name = tagging.typeKey
        guard tagging.kind == .string || tagging.kind == .stringOrList, name.utf8CodeUnitCount > 0
        else { return nil }
        let first = name.utf8Start.pointee
        var position = reader.cursor
        while let quote = reader.possibleName(from: position, first: first) {
            position = quote + 1 + name.utf8CodeUnitCount
            guard reader.byte(at: position) == 0x22,
                isTypeKey(reader.plainKey(from: quote + 1, to: position))
            else {
                position = quote + 1
                continue
            }
            let colon = reader.endOfWhitespace(from: position + 1)
            guard reader.byte(at: colon) == 0x3A else { continue }
            let value = reader.endOfWhitespace(from: colon + 1)
            var high: UInt64 = 0
            guard reader.byte(at: value) == 0x22 else { return nil }
            let end = reader.endOfPlainRun(from: value + 1, high: &high)
            guard reader.byte(at: end) == 0x22, high == 0,
                let found = lookUp(reader.plainKey(from: value + 1, to: end)),
                found._withUnsafeGuaranteedRef({ $0.isDocument })
            else { return nil }
            return ObjectTag(conformer: found, value: value)
        }
        return nil
    }

    /// Enters the object under the cursor and moves to the value in it.
    func enterContent(_ reader: inout ModelReader) throws -> ContentScope {
        let start = reader.cursor
        var object = try reader.beginObject()
        if tagging.form == .external { return try enterNamedContent(&reader, object, at: start) }
        var found: Unmanaged<Conformer>?
        var content: UnsafePointer<UInt8>?
        while let key = try reader.nextDocumentField(in: &object) {
            if isTypeKey(key) {
                if found != nil { throw reader.repeatedField(tagging.typeKey) }
                found = try readName(&reader, objectAt: object.start)
            } else if key.matches(tagging.content) {
                if content != nil { throw reader.repeatedField(tagging.content) }
                content = reader.cursor
                if let found { return ContentScope(conformer: found, object: object) }
                try reader.skipValue()
            } else {
                try reader.skipValue()
            }
            if let found, let content {
                let resume = reader.cursor
                reader.cursor = content
                return ContentScope(conformer: found, object: object, resume: resume)
            }
        }
        guard found == nil else { throw reader.missingField(tagging.content, in: object) }
        reader.cursor = object.start
        throw reader.missingType(of: name, key: tagging.typeKey)
    }

    private func enterNamedContent(
        _ reader: inout ModelReader,
        _ scope: ObjectScope,
        at start: UnsafePointer<UInt8>
    ) throws -> ContentScope {
        var object = scope
        var unknown: String?
        while let key = try reader.nextDocumentField(in: &object) {
            if let found = lookUp(key) { return ContentScope(conformer: found, object: object) }
            if isClaimedTwice(key) { _ = try conformer(named: key, &reader, at: object.start) }
            if unknown == nil { unknown = key.text }
            try reader.skipValue()
        }
        reader.cursor = object.start
        if let unknown { throw reader.unknownType(unknown, of: name, known: known) }
        throw reader.emptyObject(of: name)
    }

    /// Moves from behind the value to behind the object around it.
    func leaveContent(_ scope: inout ContentScope, _ reader: inout ModelReader) throws {
        if let resume = scope.resume { reader.cursor = resume }
        while let key = try reader.nextDocumentField(in: &scope.object) {
            if tagging.form == .external {
                if lookUp(key) != nil { throw reader.repeatedType(of: name) }
            } else if isTypeKey(key) {
                throw reader.repeatedField(tagging.typeKey)
            } else if key.matches(tagging.content) {
                throw reader.repeatedField(tagging.content)
            }
            try reader.skipValue()
        }
    }

    func isTypeKey(_ key: FieldKey) -> Bool {
        if key.code == typeKeyCode, key.matches(tagging.typeKey) { return true }
        for alias in tagging.aliases where key.matches(alias) { return true }
        return false
    }

    /// Reads the name under the cursor; an error about it is one about the object around it.
    func readName(
        _ reader: inout ModelReader,
        objectAt start: UnsafePointer<UInt8>
    ) throws -> Unmanaged<Conformer> {
        if reader.source != .json { return try readOtherName(&reader, objectAt: start) }
        if tagging.kind == .stringOrList, reader.byte == 0x5B {
            return try readFirstKnownName(&reader, objectAt: start)
        }
        if tagging.kind == .boolean { return try readBoolean(&reader, objectAt: start) }
        if tagging.kind != .integer {
            guard reader.byte == 0x22 else { throw reader.mismatch("the name of a type") }
            return try conformer(named: reader.scanKey(), &reader, at: start)
        }
        guard reader.byte == 0x2D || 0x30...0x39 ~= reader.byte else {
            throw reader.mismatch("the number of a type")
        }
        var digits = "\(try reader.readInteger(Int64.self))"
        return try digits.withUTF8 { bytes in
            let first = bytes.baseAddress ?? ReaderState.noBytes
            let key = FieldKey(start: first, count: bytes.count)
            return try conformer(named: key, &reader, at: start)
        }
    }
}

extension ConformerNames {
    /// Reads a name that is true or false, of any format.
    func readBoolean(
        _ reader: inout ModelReader,
        objectAt start: UnsafePointer<UInt8>
    ) throws -> Unmanaged<Conformer> {
        let name: StaticString = try Bool(modelValue: &reader) ? "true" : "false"
        let key = FieldKey(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return try conformer(named: key, &reader, at: start)
    }

    private func readFirstKnownName(
        _ reader: inout ModelReader,
        objectAt start: UnsafePointer<UInt8>
    ) throws -> Unmanaged<Conformer> {
        var found: Unmanaged<Conformer>?
        var unknown: String?
        var array = try reader.beginArray()
        while try reader.nextElement(in: &array) {
            guard reader.byte == 0x22 else { throw reader.mismatch("the name of a type") }
            if found != nil {
                try reader.skipValue()
                continue
            }
            let key = try reader.scanKey()
            found = lookUp(key)
            if found == nil, isClaimedTwice(key) {
                return try conformer(named: key, &reader, at: start)
            }
            unknown = unknown ?? key.text
        }
        if let found { return found }
        reader.cursor = start
        guard let unknown else { throw reader.missingType(of: name, key: tagging.typeKey) }
        throw reader.unknownType(unknown, of: name, known: known)
    }

    /// Whether `value`, as the value of the type key, stands for `conformer`.
    func isName(_ value: ArraySlice<UInt8>, of conformer: Conformer) -> Bool {
        value.withUnsafeBufferPointer { bytes in
            var reader = ModelReader(json: bytes)
            let found = try? readName(&reader, objectAt: reader.cursor)
            return found?.takeUnretainedValue() === conformer
        }
    }
}

extension ModelReader {
    /// Enters the object that ``ConformerNames/findTypeKey(_:)`` has entered before.
    @usableFromInline
    @inline(never)
    mutating func resumeObject(_ object: inout ObjectScope) throws {
        guard state.enteredAt == cursor, let entered = state.entered else {
            throw mismatch("object")
        }
        state.enteredAt = nil
        object = entered
    }

    /// Checks that a field that is not declared is no type key but the one that was read already.
    @usableFromInline
    @inline(never)
    mutating func expectNoTypeKey(_ key: FieldKey, beside tag: ObjectTag) throws {
        let found = tag.conformer._withUnsafeGuaranteedRef { $0.typeKey(named: key) }
        if let found, cursor != tag.value { throw repeatedField(found) }
    }

    /// Moves to the value of the next field and gives its name, but never that of the type key: for
    /// values to which every name means something. Called by generated code.
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

    mutating func missingType(of name: String, key: StaticString) -> ModelDecodingError {
        error(
            .unknownType,
            expected: "a conformer of \(name)",
            found: "object without \"\(key)\"",
            at: cursor
        )
    }

    mutating func emptyObject(of name: String) -> ModelDecodingError {
        error(
            .unknownType,
            expected: "a conformer of \(name)",
            found: "an empty object",
            at: cursor
        )
    }

    mutating func repeatedType(of name: String) -> ModelDecodingError {
        error(
            .repeatedField,
            expected: "one conformer of \(name)",
            found: "another one beside it",
            at: cursor
        )
    }

    mutating func unknownType(
        _ type: String,
        of name: String,
        known: [String]
    ) -> ModelDecodingError {
        let none = ModelRegistry.failure?.description ?? "there is none"
        let list = known.isEmpty ? none : known.prefix(12).joined(separator: ", ")
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
