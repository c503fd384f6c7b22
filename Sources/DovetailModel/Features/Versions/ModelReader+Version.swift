// The version of an object, which generated code of models above version 1 asks for when it enters
// the object. Written documents have it first, where JSON needs two loads of eight bytes to see
// that it is the model's. Elsewhere the object's members are gone over and noted, in case they have
// to be migrated. The fast path knows versions of one digit; larger ones are found as the first
// member.

/// The field that holds an object's version.
enum VersionField {
    static var name: StaticString { "$version" }
    /// That of the name's ``FieldKey``: its first seven bytes and its length.
    static var code: UInt64 { start >> 8 | 8 << 56 }
    /// `"$versio` and `n":`, little-endian, as compact JSON has them.
    static var start: UInt64 { 0x6F69_7372_6576_2422 }
    static var rest: UInt64 { 0x3A_226E }
}

extension ModelReader {
    /// Enters the object under the cursor: as it is when it is of the model's version, migrated
    /// when it is older. Called by generated code.
    ///
    /// - Complexity: O(1) when the version comes first and is the model's. Otherwise the object is
    ///   gone over once more, and an older one takes the model's own steps.
    /// - Throws: ``ModelDecodingError`` when there is no object, for a newer version unless
    ///   `readsNewer`, for what is no version, when a step throws, when the type key or the version
    ///   of an older object is repeated, and for more than ``maximumMigrations`` objects in each
    ///   other.
    @inline(never)
    public mutating func beginObject(
        version: Int,
        readsNewer: Bool,
        of type: any Model.Type
    ) throws -> ObjectScope {
        guard source == .json, byte == 0x7B, remainingDepth > 0 else {
            return try beginObjectOnSlowPath(version: version, readsNewer, of: type)
        }
        // The scope is made where it is returned: a copy of it would be waited for.
        let start = cursor
        cursor += 1
        remainingDepth &-= 1
        if passVersion(version, at: endOfWhitespace(from: cursor)) {
            return ObjectScope(start: start, isFirst: false)
        }
        let depth = remainingDepth
        let next = state.nextMigrated()
        let noted = try next._withUnsafeGuaranteedRef { migrated in
            migrated.prepare(at: start, base: start)
            return try noteExpectedObject(at: start, in: migrated)
        }
        if noted.isWhole { return try enterMigrated(at: start, next, type, from: 1) }
        var object = ObjectScope(start: start)
        let found = try next._withUnsafeGuaranteedRef { migrated in
            try note(&object, version, readsNewer, of: type, in: migrated, after: noted.count)
        }
        guard let found else {
            remainingDepth = depth
            return object
        }
        return try enterMigrated(at: start, next, type, from: found)
    }

    /// Moves after the version of an object when it is at `position`, the model's, and of one digit.
    @inline(__always)
    private mutating func passVersion(
        _ version: Int,
        at position: UnsafePointer<UInt8>
    ) -> Bool {
        guard word(at: position) == VersionField.start,
            word(at: position + 8) & 0xFF_FFFF == VersionField.rest,
            Int(byte(at: position + 11)) - 0x30 == version,
            byte(at: position + 12) == 0x2C || byte(at: position + 12) == 0x7D
        else { return false }
        cursor = position + 12
        return true
    }

    /// The same for objects whose type key was looked for, in non-JSON sources, and the errors.
    @inline(never)
    private mutating func beginObjectOnSlowPath(
        version: Int,
        _ readsNewer: Bool,
        of type: any Model.Type
    ) throws -> ObjectScope {
        guard source == .json || source == .tagged && state.tagged?.source == .json else {
            return try beginNonJSONObject(version: version, readsNewer, of: type)
        }
        var object = try beginObject()
        var position = cursor
        if !object.isFirst, byte == 0x2C { position += 1 }
        if passVersion(version, at: endOfWhitespace(from: position)) {
            object.isFirst = false
            return object
        }
        let depth = remainingDepth
        guard let older = try olderObject(than: version, readsNewer, of: type, &object) else {
            remainingDepth = depth
            return object
        }
        return try enterMigrated(at: object.start, older.members, type, from: older.version)
    }

    /// The same in non-JSON sources. An object that is not migrated is entered a second time, as
    /// the search for the version has handed out its members.
    private mutating func beginNonJSONObject(
        version: Int,
        _ readsNewer: Bool,
        of type: any Model.Type
    ) throws -> ObjectScope {
        if isRow {
            // A row is the whole model and has no version; one in a column's document has.
            if try column < 0 || rowIsNull() { return try beginObject() }
            try enterColumnDocument()
            return try beginObject(version: version, readsNewer: readsNewer, of: type)
        }
        guard valueKind == .object else { return try beginObject() }
        let (place, depth, before) = (cursor, remainingDepth, source)
        var object = try beginObject()
        guard let older = try olderObject(than: version, readsNewer, of: type, &object) else {
            (cursor, remainingDepth, source) = (place, depth, before)
            return try beginObject()
        }
        return try enterMigrated(at: object.start, older.members, type, from: older.version)
    }

    /// Reads the version under the cursor and compares it with the model's.
    ///
    /// - Returns: the version when it is older; nil when the model reads the object as it is.
    /// - Throws: ``ModelDecodingError`` for what is no whole number from 1, and for a newer version
    ///   unless `readsNewer`.
    mutating func olderVersionHere(
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

    /// Skips `$version`, which is no declared field. Called by generated code, also of models of
    /// version 1, which have not looked for it.
    ///
    /// - Throws: ``ModelDecodingError`` with the kind `futureVersion` when the document is newer
    ///   than the model, and `repeatedField` when a model above version 1 meets another version
    ///   than its own, which was found before.
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

    /// The error that a document is newer than the model.
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
            guard valueKind == .number else { return nil }
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
            // What is written with a fraction, or an exponent, may be a whole number, as everywhere.
            return valueKind == .number ? try? readInteger(Int.self) : nil
        }
        return value
    }
}
