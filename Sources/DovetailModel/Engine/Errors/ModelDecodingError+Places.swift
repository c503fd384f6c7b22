// Errors are made about a part of a document, such as the document in a column or an element that
// is read on its own, and handed on as errors about the whole. An error is a value: each of these
// functions makes another one with other coordinates. None of them keeps `file`, which only the
// outermost caller sets.

extension ModelDecodingError {
    /// The error without the value it found. Errors about stores print no stored data.
    var withoutValue: ModelDecodingError {
        ModelDecodingError(
            reason: reason,
            path: path,
            expected: expected,
            found: "another value",
            line: line,
            column: column,
            offset: offset
        )
    }

    /// The error with `outer` before its path: about a document that lies at `outer` in another
    /// one.
    func inside(_ outer: String) -> ModelDecodingError {
        ModelDecodingError(
            reason: reason,
            path: DocumentPath.joined(outer, path),
            expected: expected,
            found: found,
            line: line,
            column: column,
            offset: offset
        )
    }

    /// The error with another path, and the coordinates of `place`.
    func moved(to place: ModelDecodingError, path: String) -> ModelDecodingError {
        ModelDecodingError(
            reason: reason,
            path: path,
            expected: expected,
            found: found,
            line: place.line,
            column: place.column,
            offset: place.offset
        )
    }

    /// The error of a value that was read on its own and lies at `place`: its path continues the
    /// path of `place`, and line, column and offset are those of `place`.
    func placed(at place: ModelDecodingError) -> ModelDecodingError {
        ModelDecodingError(
            reason: reason,
            path: DocumentPath.joined(place.path, path),
            expected: expected,
            found: found,
            line: place.line,
            column: place.column,
            offset: place.offset
        )
    }
}
