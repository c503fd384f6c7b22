// The version of an object, which generated code of models above version 1 asks for before it
// reads. Written documents have it first, where looking at it costs two comparisons; elsewhere the
// object's names are gone over once.

/// The field that holds an object's version.
enum VersionField {
    static var name: StaticString { "$version" }
    static let code = FieldKey(name).code
    /// `"$versio` and `n":`, little-endian.
    static var start: UInt64 { 0x6F69_7372_6576_2422 }
    static var rest: UInt64 { 0x3A_226E }
}

extension ModelReader {
    /// The version of the object under the cursor, when it is older than the model's; nil when the
    /// model can read it as it is. Called by generated code.
    ///
    /// The reader does not move. What is no object is left to whoever reads it.
    ///
    /// - Complexity: O(1) when the version comes first, otherwise linear in the object.
    /// - Throws: ``ModelDecodingError`` for a newer version, unless `readsNewer`, and for what is
    ///   no version.
    @inline(never)
    public mutating func olderVersion(
        than version: Int,
        readsNewer: Bool,
        of type: Any.Type
    ) throws -> Int? {
        guard source == .json else {
            return try otherOlderVersion(than: version, readsNewer, of: type)
        }
        var position = cursor
        if byte == 0x7B {
            position = endOfWhitespace(from: cursor + 1)
        } else {
            // Behind the type key of `any P`.
            guard position == state.enteredAt, let entered = state.entered else { return nil }
            if !entered.isFirst, byte == 0x2C { position += 1 }
            position = endOfWhitespace(from: position)
        }
        if word(at: position) == VersionField.start,
            word(at: position + 8) & 0xFF_FFFF == VersionField.rest,
            Int(byte(at: position + 11)) - 0x30 == version,
            byte(at: position + 12) == 0x2C || byte(at: position + 12) == 0x7D
        {
            return nil
        }
        return try searchVersion(below: version, readsNewer, of: type)
    }

    /// Goes over the object's names.
    private mutating func searchVersion(
        below version: Int,
        _ readsNewer: Bool,
        of type: Any.Type
    ) throws -> Int? {
        let (place, depth) = (cursor, remainingDepth)
        defer { (cursor, remainingDepth) = (place, depth) }
        if byte != 0x7B, let entered = state.entered { cursor = entered.start }
        var object = ObjectScope(start: cursor)
        cursor += 1
        try descend()
        guard let first = try nextField(in: &object) else { return 1 }
        if !first.matches(VersionField.name) {
            let isFound = try skipFields(to: VersionField.name, code: VersionField.code)
            guard isFound else { return 1 }
        }
        return try olderVersionHere(than: version, readsNewer, of: type)
    }

    private mutating func otherOlderVersion(
        than version: Int,
        _ readsNewer: Bool,
        of type: Any.Type
    ) throws -> Int? {
        if isRow {
            // A row is the whole model and has no version; one in a column's document has.
            if column < 0 { return nil }
            if try rowIsNull() { return nil }
            try enterColumnDocument()
            defer { source = .row }
            guard byte == 0x7B else { return nil }
            return try olderVersion(than: version, readsNewer: readsNewer, of: type)
        }
        guard propertyListKind == .object else { return nil }
        let (place, depth, enteredAt) = (cursor, remainingDepth, state.enteredAt)
        defer {
            (cursor, remainingDepth) = (place, depth)
            state.enteredAt = enteredAt
        }
        var object = try beginObject()
        while let key = try nextOtherField(in: &object) {
            if key.matches(VersionField.name) {
                return try olderVersionHere(than: version, readsNewer, of: type)
            }
            try skipValue()
        }
        return 1
    }

    /// Compares the version under the cursor.
    private mutating func olderVersionHere(
        than version: Int,
        _ readsNewer: Bool,
        of type: Any.Type
    ) throws -> Int? {
        let start = cursor
        guard let found = wholeNumber() else { throw mismatch("a version of \(type)") }
        if found > version, !readsNewer {
            throw futureVersion(found, above: version, of: type, at: start)
        }
        guard found >= 1 else {
            throw error(.rejected, expected: "a version of \(type), from 1", at: start)
        }
        return found < version ? found : nil
    }

    /// Moves over `$version`, which is no field that anybody declared. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` when the document is newer than the model, or has another
    ///   version than the one it was read by.
    public mutating func skipVersion(_ version: Int, of type: Any.Type) throws {
        let start = cursor
        let found = wholeNumber()
        cursor = start
        if let found, found > version {
            throw futureVersion(found, above: version, of: type, at: start)
        }
        if found != version, version > 1 { throw repeatedField(VersionField.name) }
        try skipValue()
    }

    private mutating func futureVersion(
        _ found: Int,
        above version: Int,
        of type: Any.Type,
        at start: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        error(
            .futureVersion,
            expected: "at most version \(version) of \(type)",
            found: "version \(found)",
            at: start
        )
    }

    /// The whole number under the cursor; nil for anything else, without making an error of it.
    private mutating func wholeNumber() -> Int? {
        guard source == .json else {
            guard propertyListKind == .number else { return nil }
            return try? readInteger(Int.self)
        }
        var position = cursor
        var value = 0
        while position - cursor < 18, 0x30...0x39 ~= byte(at: position) {
            value = value * 10 + Int(byte(at: position) - 0x30)
            position += 1
        }
        let next = byte(at: position)
        guard position > cursor, !(0x30...0x39 ~= next), next != 0x2E, next | 0x20 != 0x65 else {
            return nil
        }
        return value
    }
}
