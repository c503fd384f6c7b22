/// The place of a reader inside one object.
@frozen
public struct ObjectScope {
    @usableFromInline var isFirst: Bool
    /// Whether the fields are the columns of a row.
    @inlinable public var isRow: Bool { kind == .row }
    @usableFromInline var kind: Kind
    @usableFromInline var start: UnsafePointer<UInt8>
    /// The type key, of an object that may have one among its fields.
    @usableFromInline var tag: ObjectTag?

    @usableFromInline enum Kind {
        /// One of JSON.
        case plain
        /// The columns of a row.
        case row
        /// One of another format.
        case other
        /// One of an older version.
        case migrated
    }

    @inlinable
    init(start: UnsafePointer<UInt8>) {
        self.isFirst = true
        self.kind = .plain
        self.start = start
    }
}

/// The place of a reader inside one array.
@frozen
public struct ArrayScope {
    @usableFromInline var isFirst = true
    /// Where the first element stands, or white space before it.
    @usableFromInline let start: UnsafePointer<UInt8>

    @inlinable
    init(start: UnsafePointer<UInt8>) {
        self.start = start
    }
}

extension ModelReader {
    /// Enters the object under the cursor.
    ///
    /// - Throws: ``ModelDecodingError`` when there is no object or it is nested too deep.
    @inlinable
    @inline(__always)
    public mutating func beginObject() throws -> ObjectScope {
        // One variable on all ways: a scope that is joined from several is copied through memory.
        var object = ObjectScope(start: cursor)
        if case .json = source, byte == 0x7B, remainingDepth > 0 {
            cursor += 1
            remainingDepth &-= 1
        } else {
            try enterUnusualObject(&object)
        }
        return object
    }

    /// Enters what is no object of JSON from its brace, or is nested too deep.
    ///
    /// - Throws: ``ModelDecodingError`` when there is no object or it is nested too deep.
    @usableFromInline
    @inline(never)
    mutating func enterUnusualObject(_ object: inout ObjectScope) throws {
        if case .tagged = source { return try resumeTaggedObject(&object) }
        if source != .json, try enterOtherObject(&object) { return }
        guard byte == 0x7B else { throw mismatch("object") }
        try descend()
        cursor += 1
    }

    /// Moves to the value of the next field and gives its name; nil behind the last field.
    ///
    /// The type key of `any P` may be among the names. Hand what you do not know to
    /// ``skipField(_:in:)``, which knows it.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no object, and for a row: its columns have no
    ///   names (``readColumn(_:)-(Value?)``).
    @inlinable
    @inline(__always)
    public mutating func nextKey(in object: inout ObjectScope) throws -> FieldKey? {
        if case .plain = object.kind { return try nextField(in: &object) }
        return try nextUnusualKey(in: &object)
    }

    /// The same, quicker where the name is the next one of `names`. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no JSON object.
    @inlinable
    @inline(__always)
    public mutating func nextKey(
        in object: inout ObjectScope,
        expecting names: inout ExpectedNames
    ) throws -> FieldKey? {
        if case .plain = object.kind { return try nextField(in: &object, expecting: &names) }
        return try nextUnusualKey(in: &object)
    }

    /// The same in an object of another kind.
    @usableFromInline
    @inline(never)
    mutating func nextUnusualKey(in object: inout ObjectScope) throws -> FieldKey? {
        switch object.kind {
        case .plain: try nextField(in: &object)
        case .row: throw namesOfRow()
        case .other: try nextOtherField(in: &object)
        case .migrated: try nextMigratedField(in: &object)
        }
    }

    /// Moves over the value of a field that is not declared.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no JSON value, and for a second type key.
    @inlinable
    @inline(__always)
    public mutating func skipField(_ key: FieldKey, in object: ObjectScope) throws {
        if let tag = object.tag, cursor != tag.value { try expectNoTypeKey(key, beside: tag) }
        try skipValue()
    }

    /// The next field of an object of any format but rows, the type key included.
    @inline(__always)
    mutating func nextDocumentField(in object: inout ObjectScope) throws -> FieldKey? {
        if source == .json { return try nextField(in: &object) }
        return try nextOtherField(in: &object)
    }

    @usableFromInline
    mutating func nextField(in object: inout ObjectScope) throws -> FieldKey? {
        guard try enterField(of: &object) else { return nil }
        let key = try scanKey()
        cursor = try valueBehindColon(at: cursor)
        return key
    }

    @usableFromInline
    mutating func nextField(
        in object: inout ObjectScope,
        expecting names: inout ExpectedNames
    ) throws -> FieldKey? {
        guard try enterField(of: &object) else { return nil }
        if let key = names.key(at: cursor, end: end) {
            cursor = try valueBehindColon(at: key.start + key.count + 1)
            return key
        }
        // A type key that was found before is no field of the model.
        if let tag = object.tag, tag.name == cursor, let tagEnd = tag.end {
            cursor = tagEnd
            guard try enterField(of: &object) else { return nil }
        }
        let key = try scanKey()
        names.skip(to: key)
        cursor = try valueBehindColon(at: cursor)
        return key
    }

    /// Moves to the name of the next field; false behind the last one.
    @inline(__always)
    private mutating func enterField(of object: inout ObjectScope) throws -> Bool {
        if object.isFirst {
            object.isFirst = false
            cursor = endOfWhitespace(from: cursor)
            if byte == 0x7D {
                leave()
                return false
            }
        } else {
            skipWhitespace()
            if byte == 0x7D {
                leave()
                return false
            }
            guard byte == 0x2C else {
                throw syntaxError(expected: "\",\" or \"}\"", at: cursor)
            }
            cursor = endOfWhitespace(from: cursor + 1)
        }
        guard byte == 0x22 else { throw syntaxError(expected: "a field name", at: cursor) }
        return true
    }

    /// Reads the name under the cursor.
    @usableFromInline
    @inline(__always)
    mutating func scanKey() throws -> FieldKey {
        let start = cursor + 1
        var high: UInt64 = 0
        let position = endOfPlainRun(from: start, high: &high)
        guard byte(at: position) == 0x22, high == 0 else { return try scanUnusualKey() }
        cursor = position + 1
        return plainKey(from: start, to: position)
    }

    /// The name between its quotes, which is plain ASCII.
    @inline(__always)
    func plainKey(
        from start: UnsafePointer<UInt8>,
        to quote: UnsafePointer<UInt8>
    ) -> FieldKey {
        let count = quote - start
        let bits = UInt64(truncatingIfNeeded: min(count, 7)) &* 8
        let length = UInt64(truncatingIfNeeded: min(count, 255))
        return FieldKey(
            code: word(at: start) & ((1 &<< bits) &- 1) | length &<< 56,
            start: start,
            count: count
        )
    }

    /// Reads a name with escapes or non-ASCII bytes.
    @usableFromInline
    @inline(never)
    mutating func scanUnusualKey() throws -> FieldKey {
        try unescapeString()
        // The scratch buffer is not touched before the next name or string is unescaped; a key is
        // only looked at before its value is read.
        let name = state.scratch.bytes
        return FieldKey(start: name.baseAddress ?? ReaderState.noBytes, count: name.count)
    }

    /// Enters the array under the cursor.
    ///
    /// - Throws: ``ModelDecodingError`` when there is no array or it is nested too deep.
    @inlinable
    public mutating func beginArray() throws -> ArrayScope {
        if source != .json, try enterOtherArray() { return ArrayScope(start: cursor) }
        guard byte == 0x5B else { throw mismatch("array") }
        try descend()
        cursor += 1
        return ArrayScope(start: cursor)
    }

    /// Moves to the next element; false behind the last one.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no JSON array.
    @inlinable
    public mutating func nextElement(in array: inout ArrayScope) throws -> Bool {
        if source != .json { return try nextOtherElement(in: &array) }
        skipWhitespace()
        if array.isFirst {
            array.isFirst = false
            if byte == 0x5D {
                leave()
                return false
            }
            return true
        }
        if byte == 0x2C {
            cursor += 1
            skipWhitespace()
            return true
        }
        guard byte == 0x5D else { throw syntaxError(expected: "\",\" or \"]\"", at: cursor) }
        leave()
        return false
    }

    /// The capacity for an array whose storage is full, by the size that its elements had so far;
    /// 0 for arrays inside of something, about whose size nothing is known.
    ///
    /// An array that doubles touches twice the memory in the end, and what is touched first costs
    /// more than reading it: a tenth of the time of decoding.
    @usableFromInline
    @inline(never)
    mutating func capacity(behind count: Int, of array: ArrayScope) -> Int {
        if source == .binaryPropertyList { return binaryElementCount }
        if source == .tree { return treeElementCount }
        let bytes = cursor - array.start
        guard source == .json, remainingDepth == ModelReader.maximumDepth - 1, bytes > 0 else {
            return 0
        }
        // What is left holds no more elements than it has bytes.
        let rest = end - cursor
        let expected = Int(Double(rest) * (Double(count) / Double(bytes)))
        return count + max(min(expected + expected / 64, rest), count / 2)
    }

    @inlinable
    @inline(__always)
    package mutating func descend() throws {
        remainingDepth -= 1
        if remainingDepth < 0 { throw tooDeep() }
    }

    /// Moves behind the closing bracket under the cursor.
    @inlinable
    @inline(__always)
    package mutating func leave() {
        cursor += 1
        remainingDepth += 1
    }

    /// Moves over the null under the cursor, if there is one.
    ///
    /// - Throws: ``ModelDecodingError`` for a word that only starts like one.
    @inlinable
    public mutating func readNull() throws -> Bool {
        if source != .json { return try readOtherNull() }
        guard byte == 0x6E else { return false }
        try expectWord(0x6C6C_756E, count: 4)
        return true
    }

    /// Reads a truth value.
    ///
    /// - Throws: ``ModelDecodingError`` when there is none.
    @inlinable
    public mutating func readBool() throws -> Bool {
        if source != .json { return try readOtherBool() }
        switch byte {
        case 0x74:
            try expectWord(0x6575_7274, count: 4)
            return true
        case 0x66:
            try expectWord(0x65_736C_6166, count: 5)
            return false
        default:
            throw mismatch("Bool")
        }
    }

    /// Moves over `true`, `false` or `null`, given as little-endian bytes.
    @inlinable
    @inline(__always)
    mutating func expectWord(_ letters: UInt64, count: UInt64) throws {
        let found = word(at: cursor) & ((1 &<< (count &* 8)) &- 1)
        guard found == letters else { throw mismatch("a value") }
        cursor += Int(truncatingIfNeeded: count)
    }
}
