// Errors are made while the document is still there. Path, line and column are found by a walk over
// the document from its start (DocumentPosition.swift), so that reading itself keeps no path and
// pays nothing.
//
// All of it is out of line: an error is made once, and the code of the fast paths stays small.

extension ModelReader {
    /// Makes the errors that follow count lines and columns from the cursor, and quote nothing before
    /// it: for a value of a document whose start is not in memory.
    @inlinable
    package func placeErrorsFromHere() {
        state.start = cursor
    }

    /// The error that the value under the cursor is not what the declaration asks for. An input
    /// that ends or breaks here is reported as that instead.
    @usableFromInline
    @inline(never)
    package mutating func mismatch(_ expected: String) -> ModelDecodingError {
        if isRow { return rowError(.typeMismatch, expected: expected) }
        forgetTaggedObject()
        if source != .json { return nonJSONMismatch(expected) }
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

    /// The same for a value that starts like `true`, `false` or `null`, which may be cut off or
    /// another word.
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

    /// The same where there is no JSON: invalid syntax where no value of the format is.
    private mutating func nonJSONMismatch(_ expected: String) -> ModelDecodingError {
        if source == .xmlPropertyList, cursor >= end {
            return error(.unexpectedEnd, expected: expected, at: cursor)
        }
        let kind: ModelDecodingError.Kind = valueKind == .none ? .invalidSyntax : .typeMismatch
        return error(kind, expected: expected, at: cursor)
    }

    /// The error that the format is broken at `position`, or that the input ends there.
    @usableFromInline
    @inline(never)
    package mutating func syntaxError(
        expected: String,
        at position: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        error(position < end ? .invalidSyntax : .unexpectedEnd, expected: expected, at: position)
    }

    /// The error at the container that is one level too deep. The limit keeps a document from
    /// exhausting the stack.
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
    ///
    /// - Parameters:
    ///   - name: the field's name; a name with dots is quoted in the path.
    ///   - object: the scope of the object, whose start is the place of the error.
    @inline(never)
    public mutating func missingField(
        _ name: StaticString,
        in object: ObjectScope
    ) -> ModelDecodingError {
        missing(DocumentPath.component(of: name.description), in: object)
    }

    /// The error that a required field of a nested object is absent. Called by generated code.
    ///
    /// - Parameters:
    ///   - path: the path from `object`, as errors print it.
    ///   - object: the scope of the model's own object.
    @inline(never)
    public mutating func missingField(
        path: StaticString,
        in object: ObjectScope
    ) -> ModelDecodingError {
        missing(path.description, in: object)
    }

    /// The error at the start of the object, whose path is extended by that of the field.
    mutating func missing(_ field: String, in object: ObjectScope) -> ModelDecodingError {
        if object.isRow {
            var missing = ModelDecodingError(
                kind: .missingField,
                path: field,
                expected: "a column",
                found: "none"
            )
            missing.table = fields?.table
            return missing
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

    /// The error that a declared field appears twice in one object. Called by generated code. RFC
    /// 8259, section 4, leaves open what a repeated name means, so no guess is made.
    @inline(never)
    public mutating func repeatedField(_ name: StaticString) -> ModelDecodingError {
        error(
            .repeatedField,
            expected: "each field once",
            found: "\"\(name)\" again",
            at: cursor
        )
    }

    /// The error that the value under the cursor was understood but is refused, with its path, line
    /// and column.
    ///
    /// ```swift
    /// switch try reader.peekKind() {
    /// case .string: self = .id(try String(modelValue: &reader))
    /// default: throw reader.rejected(expected: "an id")
    /// }
    /// ```
    ///
    /// For initializers and adapters of your own. Make it before the value is read: afterwards the
    /// cursor is positioned after the value.
    ///
    /// - Parameter expected: what the type takes, as a noun.
    public mutating func rejected(expected: String) -> ModelDecodingError {
        error(.rejected, expected: expected, at: cursor)
    }

    /// Makes an error about `position`.
    ///
    /// - Parameter found: nil to describe the value at `position`.
    /// - Complexity: linear in the distance from the start of the document.
    mutating func error(
        _ kind: ModelDecodingError.Kind,
        expected: String,
        found: String? = nil,
        at position: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        if isRow { return rowError(kind, expected: expected, found: found) }
        forgetTaggedObject()
        let inner = ownError(kind, expected: expected, found: found, at: position)
        return state.isStored ? inner.withoutValue : inner
    }

    /// The same for a document; `error(_:expected:found:at:)` has handled rows.
    private mutating func ownError(
        _ kind: ModelDecodingError.Kind,
        expected: String,
        found: String?,
        at position: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        if source == .tree {
            return treeError(kind, expected: expected, found: found, at: position)
        }
        // A position may belong to another document than the current one, when an error inside of
        // an element was caught. It must not be turned into an offset then.
        let position = position < state.start || position > end ? cursor : position
        if source != .json {
            return propertyListError(kind, expected: expected, found: found, at: position)
        }
        let document = bytes(from: state.start, to: end)
        let place = DocumentPosition(offset: position - state.start, in: document)
        let inner = ModelDecodingError(
            kind: kind,
            path: place.path,
            expected: expected,
            found: found ?? DocumentExcerpt.describe(document, at: position - state.start),
            line: place.line,
            column: place.column
        )
        return column < 0 ? inner : inColumn(inner)
    }
}
