// Errors are made where the document is still at hand: the path, the line and the column are found
// by going over the document once more from its start, so that reading itself keeps no path.

extension ModelReader {
    /// Makes the errors that follow count lines and columns from the cursor, and quote nothing before
    /// it: for a value of a document whose start is not in memory.
    package func placeErrorsFromHere() {
        state.start = cursor
    }

    /// The error that the value under the cursor is not what the declaration asks for. An input
    /// that ends or breaks here is reported as that.
    @usableFromInline
    @inline(never)
    package mutating func mismatch(_ expected: String) -> ModelDecodingError {
        if isRow { return rowError(.typeMismatch, expected: expected) }
        forgetTaggedObject()
        if source != .json { return propertyListMismatch(expected) }
        if cursor >= end { return error(.unexpectedEnd, expected: expected, at: cursor) }
        switch byte {
        case 0x22, 0x7B, 0x5B, 0x2D, 0x30...0x39:
            return error(.typeMismatch, expected: expected, at: cursor)
        case 0x74: return mismatch(expected, with: "true")
        case 0x66: return mismatch(expected, with: "false")
        case 0x6E: return mismatch(expected, with: "null")
        default:
            return error(.invalidSyntax, expected: expected, at: cursor)
        }
    }

    /// The same about something that starts like a word of JSON but may be cut off or another one.
    private mutating func mismatch(
        _ expected: String,
        with word: StaticString
    ) -> ModelDecodingError {
        for offset in 0..<word.utf8CodeUnitCount {
            if cursor + offset >= end { return error(.unexpectedEnd, expected: expected, at: end) }
            if byte(at: cursor + offset) != word.utf8Start[offset] {
                return error(.invalidSyntax, expected: expected, at: cursor)
            }
        }
        return error(.typeMismatch, expected: expected, at: cursor)
    }

    @usableFromInline
    @inline(never)
    package mutating func syntaxError(
        expected: String,
        at position: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        error(position < end ? .invalidSyntax : .unexpectedEnd, expected: expected, at: position)
    }

    @usableFromInline
    @inline(never)
    mutating func tooDeep() -> ModelDecodingError {
        error(
            .tooDeep,
            expected: "at most \(ModelReader.maximumDepth) levels",
            found: "a deeper one",
            at: cursor
        )
    }

    /// The error that a required field is absent. Called by generated code.
    @inline(never)
    public mutating func missingField(
        _ name: StaticString,
        in object: ObjectScope
    ) -> ModelDecodingError {
        missing(DocumentPath.component(of: name.description), in: object)
    }

    /// The error that a required field of a nested object is absent. Called by generated code.
    ///
    /// - Parameter path: the path from `object`, as errors print it.
    @inline(never)
    public mutating func missingField(
        path: StaticString,
        in object: ObjectScope
    ) -> ModelDecodingError {
        missing(path.description, in: object)
    }

    private mutating func missing(_ field: String, in object: ObjectScope) -> ModelDecodingError {
        if object.isRow {
            return ModelDecodingError(
                reason: .missingField,
                path: field,
                expected: "a column",
                found: "none"
            )
        }
        var missing = error(
            .missingField,
            expected: "a value",
            found: "no such field",
            at: object.start
        )
        missing.path = DocumentPath.joined(missing.path, field)
        return missing
    }

    /// The error that a declared field stands twice in one object. Called by generated code.
    @inline(never)
    public mutating func repeatedField(_ name: StaticString) -> ModelDecodingError {
        error(
            .repeatedField,
            expected: "each field once",
            found: "\"\(name)\" again",
            at: cursor
        )
    }

    /// The error that the value under the cursor was understood but is refused.
    ///
    /// For initializers and adapters of your own.
    public mutating func rejected(expected: String) -> ModelDecodingError {
        error(.rejected, expected: expected, at: cursor)
    }

    /// Makes an error about `position`.
    mutating func error(
        _ reason: ModelDecodingError.Reason,
        expected: String,
        found: String? = nil,
        at position: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        if isRow { return rowError(reason, expected: expected, found: found) }
        forgetTaggedObject()
        let inner = ownError(reason, expected: expected, found: found, at: position)
        return state.isStored ? inner.withoutValue : inner
    }

    /// The same, as an error about the reader's own document.
    private mutating func ownError(
        _ reason: ModelDecodingError.Reason,
        expected: String,
        found: String?,
        at position: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        if source == .tree {
            return treeError(reason, expected: expected, found: found, at: position)
        }
        // Whoever caught an error inside of an object may ask about another document than this.
        let position = position < state.start || position > end ? cursor : position
        if source != .json {
            return propertyListError(reason, expected: expected, found: found, at: position)
        }
        let document = bytes(from: state.start, to: end)
        let place = DocumentPosition(offset: position - state.start, in: document)
        let inner = ModelDecodingError(
            reason: reason,
            path: place.path,
            expected: expected,
            found: found ?? DocumentExcerpt.describe(document, at: position - state.start),
            line: place.line,
            column: place.column
        )
        return column < 0 ? inner : inColumn(inner)
    }
}
