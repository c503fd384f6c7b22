/// The place of a reader inside one object.
@frozen
public struct ObjectScope {
    @usableFromInline var isFirst: Bool
    /// Whether the fields are the columns of a row.
    @inlinable public var isRow: Bool { kind == .row }
    @usableFromInline var kind: Kind
    @usableFromInline var start: UnsafePointer<UInt8>
    /// The type key, of an object that has one.
    @usableFromInline var tag: ObjectTag?

    @usableFromInline enum Kind {
        case plain, row, tagged
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

    @inlinable
    init() {}
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
        if source != .json, try enterOtherObject(&object) { return object }
        if byte == 0x7B {
            cursor += 1
        } else {
            try resumeObject(&object)
        }
        try descend()
        return object
    }

    /// Moves to the value of the next field and gives its name; nil behind the last field.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no JSON object.
    @inlinable
    @inline(__always)
    public mutating func nextKey(in object: inout ObjectScope) throws -> FieldKey? {
        if object.kind == .plain { return try nextField(in: &object) }
        return try object.isRow ? nextColumn() : nextFieldBesideTag(in: &object)
    }

    @usableFromInline
    mutating func nextField(in object: inout ObjectScope) throws -> FieldKey? {
        if object.isFirst {
            object.isFirst = false
            cursor = endOfWhitespace(from: cursor)
            if byte == 0x7D {
                leave()
                return nil
            }
        } else {
            skipWhitespace()
            if byte == 0x7D {
                leave()
                return nil
            }
            guard byte == 0x2C else {
                throw syntaxError(expected: "\",\" or \"}\"", at: cursor)
            }
            cursor = endOfWhitespace(from: cursor + 1)
        }
        guard byte == 0x22 else { throw syntaxError(expected: "a field name", at: cursor) }
        let key = try scanKey()
        cursor = try valueBehindColon(at: cursor)
        return key
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
        let count = position - start
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
        if source != .json, try enterOtherArray() { return ArrayScope() }
        guard byte == 0x5B else { throw mismatch("array") }
        try descend()
        cursor += 1
        return ArrayScope()
    }

    /// Moves to the next element; false behind the last one.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no JSON array.
    @inlinable
    public mutating func nextElement(in array: inout ArrayScope) throws -> Bool {
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

    @inlinable
    @inline(__always)
    mutating func descend() throws {
        remainingDepth -= 1
        if remainingDepth < 0 { throw tooDeep() }
    }

    /// Moves behind the closing bracket under the cursor.
    @inlinable
    @inline(__always)
    mutating func leave() {
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
