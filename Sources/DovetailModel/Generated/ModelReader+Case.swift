// Enums without a raw type: an object with one field that is named after the case,
// `{"circle":{"radius":2}}`. That is the form which `Codable` synthesizes (SE-0295). Other fields
// beside the case are skipped.

extension ModelReader {
    /// Checks that no case was read before the one whose values are under the cursor. Called by
    /// generated code.
    ///
    /// - Throws: ``ModelDecodingError`` at the name of the second case.
    @inlinable
    public mutating func expectFirstCase<Value>(
        _ value: Value?,
        in object: ObjectScope
    ) throws {
        if case .some = value { throw secondCase(of: Value.self, in: object) }
    }

    /// Moves over null, which is no value of a case that is a field, unless it is one of its type. Called by
    /// generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for a word that only starts like `null`.
    @inlinable
    public mutating func skipsNull<Value: ModelValue>(besides type: Value.Type) throws -> Bool {
        Value.readsNull ? false : try readNull()
    }

    /// The same of a value that a coding reads. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for a word that only starts like `null`.
    @inlinable
    public mutating func skipsNull<Coding: ModelCoding>(besides coding: Coding.Type) throws -> Bool
    {
        Coding.readsNull ? false : try readNull()
    }

    /// The same of a plain `Codable` type, or an array of conformers. Called by generated code.
    ///
    /// - Throws: ``ModelDecodingError`` for a word that only starts like `null`.
    @_disfavoredOverload
    public mutating func skipsNull<Value>(besides type: Value.Type) throws -> Bool {
        type is any OptionalValue.Type ? false : try readNull()
    }

    /// Moves over an object, whatever its fields: the values of a case without any. Called by
    /// generated code.
    ///
    /// - Throws: ``ModelDecodingError`` when there is no object.
    public mutating func skipObject() throws {
        guard isAtObject else { throw mismatch("object") }
        try skipValue()
    }

    /// The error that an object names no case of an enum, at the field that looks most like one.
    /// Called by generated code.
    @inline(never)
    public mutating func missingCase(
        of type: Any.Type,
        in object: ObjectScope
    ) -> ModelDecodingError {
        if source != .json {
            let name =
                nameOfValue(in: object) { $0.isAtObject } ?? nameOfValue(in: object) { _ in true }
            return error(
                .unknownCase,
                expected: "a case of \(type)",
                found: name.map { "\"\($0)\"" } ?? "object without fields",
                at: object.start
            )
        }
        // A type key holds a string; the values of a case are an object.
        let candidate =
            positionOfName(in: object) { $0.isAtObject }
            ?? positionOfName(in: object) { _ in true }
        guard let candidate else {
            return error(
                .unknownCase,
                expected: "a case of \(type)",
                found: "object without fields",
                at: object.start
            )
        }
        return error(.unknownCase, expected: "a case of \(type)", at: candidate)
    }

    /// The error of a second case. The object is read once more, to find the name of the value
    /// under the cursor.
    @usableFromInline
    @inline(never)
    mutating func secondCase(of type: Any.Type, in object: ObjectScope) -> ModelDecodingError {
        let value = cursor
        if source != .json {
            let name = nameOfValue(in: object) { $0.cursor == value } ?? ""
            return error(
                .unknownCase,
                expected: "one case of \(type)",
                found: "\"\(name)\" as well",
                at: object.start
            )
        }
        let name = positionOfName(in: object) { $0.cursor == value } ?? value
        let found = error(.unknownCase, expected: "", at: name).found
        return error(
            .unknownCase,
            expected: "one case of \(type)",
            found: "\(found) as well",
            at: name
        )
    }

    /// Whether the value under the cursor is an object. Not for rows.
    private var isAtObject: Bool {
        valueKind == .object
    }

    /// The name of the first member of a non-JSON object whose value `fits`. The reader is left
    /// where it was.
    private mutating func nameOfValue(
        in object: ObjectScope,
        where fits: (borrowing ModelReader) -> Bool
    ) -> String? {
        let (place, depth) = (cursor, remainingDepth)
        defer { (cursor, remainingDepth) = (place, depth) }
        cursor = object.start
        guard !object.isRow, var again = try? beginObject() else { return nil }
        while let key = (try? nextNonJSONField(in: &again)) ?? nil {
            let name = String(key.text.prefix(DocumentExcerpt.limit))
            if fits(self) { return name }
            guard (try? skipValue()) != nil else { return nil }
        }
        return nil
    }

    /// The position of the first name in an object of JSON whose value `fits`. The reader is left
    /// where it was.
    ///
    /// The object was read without an error up to the last field that is looked at, so nothing here
    /// throws.
    private mutating func positionOfName(
        in object: ObjectScope,
        where fits: (borrowing ModelReader) -> Bool
    ) -> UnsafePointer<UInt8>? {
        guard !object.isRow else { return nil }
        let (place, depth) = (cursor, remainingDepth)
        defer { (cursor, remainingDepth) = (place, depth) }
        cursor = object.start
        while byte == 0x7B || byte == 0x2C {
            cursor += 1
            skipWhitespace()
            let name = cursor
            guard byte == 0x22, (try? scanKey()) != nil,
                let value = try? valueAfterColon(at: cursor)
            else { return nil }
            cursor = value
            if fits(self) { return name }
            guard (try? skipValue()) != nil else { return nil }
            skipWhitespace()
        }
        return nil
    }
}
