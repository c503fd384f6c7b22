// Objects, arrays and the three words of JSON: what generated code calls for every model.
//
// The fast path of each verb is inlined into the initializer that calls it, as far as that pays;
// the rest is one call. Depth is counted down at each container and up again when it is left, so an
// error in between leaves it wrong, which nobody sees: the reader is then given up, or restored
// from an `ElementScope`.

/// The place of a reader inside one object: what ``ModelReader/beginObject()`` gives and
/// ``ModelReader/nextKey(in:)`` takes, until that gives nil. A local variable of the initializer
/// that reads the object.
@frozen
public struct ObjectScope {
    /// Whether no field was entered yet, so that no comma is expected.
    @usableFromInline var isFirst: Bool
    /// Whether the fields are the columns of a row.
    @inlinable public var isRow: Bool { kind == .row }
    /// Which function gives the next field.
    @usableFromInline var kind: Kind
    /// The place of the object, for errors about it and to read it again.
    @usableFromInline var start: UnsafePointer<UInt8>
    /// The type key, if one was looked for in this object.
    @usableFromInline var tag: ObjectTag?

    /// How the fields are found.
    @usableFromInline enum Kind {
        /// An object of JSON, read from its bytes: the fast path.
        case plain
        /// The columns of a row.
        case row
        /// An object of a non-JSON source.
        case nonJSON
        /// An object of an older version, whose members a migration has changed.
        case migrated
    }

    @inlinable
    init(start: UnsafePointer<UInt8>, isFirst: Bool = true, kind: Kind = .plain) {
        self.isFirst = isFirst
        self.kind = kind
        self.start = start
    }
}

/// The place of a reader inside one array: what ``ModelReader/beginArray()`` gives and
/// ``ModelReader/nextElement(in:)`` takes, until that gives false.
@frozen
public struct ArrayScope {
    @usableFromInline var isFirst = true
    /// The first element, or white space before it; in an XML property list the one that is read.
    @usableFromInline var start: UnsafePointer<UInt8>

    @inlinable
    init(start: UnsafePointer<UInt8>) {
        self.start = start
    }
}

extension ModelReader {
    /// Enters the object under the cursor.
    ///
    /// ```swift
    /// var object = try reader.beginObject()
    /// while let key = try reader.nextKey(in: &object) {
    ///     if key.matches("width") {
    ///         width = try reader.readDouble()
    ///     } else {
    ///         try reader.skipField(key, in: object)
    ///     }
    /// }
    /// ```
    ///
    /// Read it to the end: the object is left when ``nextKey(in:)`` gives nil. In a row this enters
    /// the row itself, or the JSON document in the current column.
    ///
    /// - Complexity: O(1).
    /// - Throws: ``ModelDecodingError`` when there is no object (`typeMismatch`) or it is nested
    ///   deeper than ``maximumDepth`` (`tooDeep`).
    @inlinable
    @inline(__always)
    public mutating func beginObject() throws -> ObjectScope {
        // One variable for all paths: a scope that is merged from several is copied through memory.
        var object = ObjectScope(start: cursor)
        if case .json = source, byte == 0x7B, remainingDepth > 0 {
            cursor += 1
            remainingDepth &-= 1
        } else if case .row = source, column < 0 {
            object.kind = .row
        } else {
            try enterObjectOnSlowPath(&object)
        }
        return object
    }

    /// The slow path of ``beginObject()``: non-JSON sources, objects whose type key was looked for,
    /// and the errors.
    @usableFromInline
    @inline(never)
    mutating func enterObjectOnSlowPath(_ object: inout ObjectScope) throws {
        if case .tagged = source { return try resumeTaggedObject(&object) }
        if source != .json, try enterNonJSONObject(&object) { return }
        guard byte == 0x7B else { throw mismatch("object") }
        try descend()
        cursor += 1
    }

    /// Moves to the value of the next field and gives its name; nil after the last field.
    ///
    /// Read the value or hand the key to ``skipField(_:in:)`` before the next call. The type key of
    /// `any P` may be among the names; ``skipField(_:in:)`` knows it.
    ///
    /// - Complexity: linear in the length of the name.
    /// - Throws: ``ModelDecodingError`` when the object breaks the rules of its format, and for a row:
    ///   its columns have no names (`readColumn(_:)`).
    @inlinable
    @inline(__always)
    public mutating func nextKey(in object: inout ObjectScope) throws -> FieldKey? {
        if case .plain = object.kind { return try nextField(in: &object) }
        return try nextKeyOnSlowPath(in: &object)
    }

    /// The same, faster where the name is the next one of `names`. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` when the object breaks the rules of its format.
    @inlinable
    @inline(__always)
    public mutating func nextKey(
        in object: inout ObjectScope,
        expecting names: inout ExpectedNames
    ) throws -> FieldKey? {
        if case .plain = object.kind { return try nextField(in: &object, expecting: &names) }
        return try nextKeyOnSlowPath(in: &object)
    }

    /// Moves over the value of a field that is not declared. `key` is what ``nextKey(in:)`` gave
    /// last.
    ///
    /// - Complexity: linear in the length of the value.
    /// - Throws: ``ModelDecodingError`` when the value breaks the rules of its format, and for a
    ///   second type key.
    @inlinable
    @inline(__always)
    public mutating func skipField(_ key: FieldKey, in object: ObjectScope) throws {
        if let tag = object.tag, cursor != tag.value { try expectNoTypeKey(key, beside: tag) }
        try skipValue()
    }

    /// The next field of an object of any format, the type key included. Not for rows.
    @inline(__always)
    mutating func nextDocumentField(in object: inout ObjectScope) throws -> FieldKey? {
        if source == .json { return try nextField(in: &object) }
        return try nextNonJSONField(in: &object)
    }

    /// The next field of an object of JSON.
    @usableFromInline
    mutating func nextField(in object: inout ObjectScope) throws -> FieldKey? {
        guard try enterField(of: &object) else { return nil }
        let key = try scanKey()
        cursor = try valueAfterColon(at: cursor)
        return key
    }

    /// The same, without a search for the end of the name where it is the expected one.
    @usableFromInline
    mutating func nextField(
        in object: inout ObjectScope,
        expecting names: inout ExpectedNames
    ) throws -> FieldKey? {
        guard try enterField(of: &object) else { return nil }
        if let key = names.key(at: cursor, end: end) {
            cursor = try valueAfterColon(at: key.start + key.count + 1)
            return key
        }
        // The type key was found by a search before; it is no field of the model.
        if let tag = object.tag, tag.name == cursor, let tagEnd = tag.end {
            cursor = tagEnd
            guard try enterField(of: &object) else { return nil }
        }
        let key = try scanKey()
        names.skip(to: key)
        cursor = try valueAfterColon(at: cursor)
        return key
    }

    /// Moves to the name of the next field; false after the last field, when the object is left.
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

    /// Reads the name under the cursor, which is at its opening quote, and moves after its closing
    /// quote. The key points into the document, unless the name has escapes.
    @usableFromInline
    @inline(__always)
    mutating func scanKey() throws -> FieldKey {
        let start = cursor + 1
        var high: UInt64 = 0
        let position = endOfPlainRun(from: start, high: &high)
        guard byte(at: position) == 0x22, high == 0 else { return try scanEscapedKey() }
        cursor = position + 1
        return plainKey(from: start, to: position)
    }

    /// The key of a name between its quotes, which is plain ASCII.
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

    /// The slow path: a name with escapes or non-ASCII bytes.
    @usableFromInline
    @inline(never)
    mutating func scanEscapedKey() throws -> FieldKey {
        try unescapeString()
        // Invariant of ``FieldKey``: the scratch buffer keeps these bytes until the next name or
        // string is unescaped, and a key is only used before its value is read.
        let name = state.scratch.elements
        return FieldKey(start: name.baseAddress ?? ReaderState.noBytes, count: name.count)
    }

    /// Enters the array under the cursor.
    ///
    /// ```swift
    /// var array = try reader.beginArray()
    /// var sum = 0
    /// while try reader.nextElement(in: &array) { sum += try reader.readInteger(Int.self) }
    /// ```
    ///
    /// Read it to the end: the array is left when ``nextElement(in:)`` gives false.
    ///
    /// - Complexity: O(1).
    /// - Throws: ``ModelDecodingError`` when there is no array (`typeMismatch`) or it is nested
    ///   deeper than ``maximumDepth`` (`tooDeep`).
    @inlinable
    public mutating func beginArray() throws -> ArrayScope {
        if source != .json, try enterNonJSONArray() { return ArrayScope(start: cursor) }
        guard byte == 0x5B else { throw mismatch("array") }
        try descend()
        cursor += 1
        return ArrayScope(start: cursor)
    }

    /// Moves to the next element; false after the last one. Read the element, or skip it, before
    /// the next call.
    ///
    /// - Complexity: O(1) and the white space.
    /// - Throws: ``ModelDecodingError`` when the array breaks the rules of its format.
    @inlinable
    public mutating func nextElement(in array: inout ArrayScope) throws -> Bool {
        if source != .json { return try nextNonJSONElement(in: &array) }
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

    /// The capacity for an array whose storage is full after `count` elements. For an array at the
    /// root of a JSON document it is estimated from the bytes that the elements took so far, and
    /// from those that are left; 0 for an inner array, about whose size nothing is known.
    ///
    /// An array that doubles touches twice the memory in the end, and the first touch of a page
    /// costs more than reading its elements: a tenth of the time of decoding.
    @usableFromInline
    @inline(never)
    mutating func capacity(after count: Int, of array: ArrayScope) -> Int {
        if source == .binaryPropertyList { return binaryElementCount }
        if source == .tree { return treeElementCount }
        let bytes = cursor - array.start
        guard source == .json, remainingDepth == ModelReader.maximumDepth - 1, bytes > 0 else {
            return 0
        }
        // What is left holds no more elements than it has bytes.
        let rest = end - cursor
        // As many elements a byte as so far. A sixty-fourth more, or the last ones would double the
        // array.
        let expected = Int(Double(rest) * (Double(count) / Double(bytes)))
        return count + max(min(expected + expected / 64, rest), count / 2)
    }

    /// Counts one more level. Every container calls it, so recursion ends at ``maximumDepth``.
    @inlinable
    @inline(__always)
    package mutating func descend() throws {
        remainingDepth -= 1
        if remainingDepth < 0 { throw tooDeep() }
    }

    /// Moves over the closing bracket under the cursor, and counts one level less.
    @inlinable
    @inline(__always)
    package mutating func leave() {
        cursor += 1
        remainingDepth += 1
    }

    /// Reads a null, if there is one; otherwise false, and the reader does not move.
    ///
    /// ```swift
    /// let name: String? = try reader.readNull() ? nil : reader.readString()
    /// ```
    ///
    /// - Complexity: O(1).
    /// - Throws: ``ModelDecodingError`` for a word that only starts like `null`.
    @inlinable
    public mutating func readNull() throws -> Bool {
        if source != .json { return try readNonJSONNull() }
        guard byte == 0x6E else { return false }
        try expectWord(0x6C6C_756E, count: 4)
        return true
    }

    /// Reads a truth value. Numbers and strings are none, in any format; in a row it is a column of
    /// 0 or 1.
    ///
    /// - Complexity: O(1).
    /// - Throws: ``ModelDecodingError`` when there is none (`typeMismatch`).
    @inlinable
    public mutating func readBool() throws -> Bool {
        if source != .json { return try readNonJSONBool() }
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

    /// Moves over `true`, `false` or `null`.
    ///
    /// - Parameters:
    ///   - letters: its bytes, the first one lowest.
    ///   - count: how many there are.
    @inlinable
    @inline(__always)
    mutating func expectWord(_ letters: UInt64, count: UInt64) throws {
        let found = word(at: cursor) & ((1 &<< (count &* 8)) &- 1)
        guard found == letters else { throw mismatch("a value") }
        cursor += Int(truncatingIfNeeded: count)
    }
}
