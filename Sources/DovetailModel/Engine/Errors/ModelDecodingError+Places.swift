// Errors are made about a part of a document, and handed on as errors about the whole.

extension ModelDecodingError {
    /// The error without a word of what stands in the document.
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

    /// The error with a path that starts at what stands at another one.
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

    /// The error with another path, and the place of another error.
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

    /// The error as one inside of what another one is about, whose place it gets.
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
