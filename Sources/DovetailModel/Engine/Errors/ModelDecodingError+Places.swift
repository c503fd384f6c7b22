// Errors are made about a part of a document, such as the document in a column or an element that
// is read on its own, and handed on as errors about the whole. An error is a value: each of these
// is a copy with other coordinates. What else the error knows, such as its file, stays.

extension ModelDecodingError {
    /// The error without the value it found, where it has found one. Errors about stores print no stored data.
    var withoutValue: ModelDecodingError {
        if kind == .missingField { return self }
        var copy = self
        copy.found = "another value"
        return copy
    }

    /// The error without line, column and offset: those of a text that nobody has seen.
    var withoutPosition: ModelDecodingError {
        var copy = self
        (copy.line, copy.column, copy.offset) = (0, 0, nil)
        return copy
    }

    /// The error with a path that starts at what is at another one.
    package func inside(_ outer: String) -> ModelDecodingError {
        var copy = self
        copy.path = DocumentPath.joined(outer, path)
        return copy
    }

    /// The error of a value that was read on its own and lies at `place`: its path continues the
    /// path of `place`, and table, line, column and offset are those of `place`.
    func placed(at place: ModelDecodingError) -> ModelDecodingError {
        moved(to: place, path: DocumentPath.joined(place.path, path))
    }

    /// The error with another path, and the place of another error.
    func moved(to place: ModelDecodingError, path: String) -> ModelDecodingError {
        var copy = self
        (copy.path, copy.line, copy.column) = (path, place.line, place.column)
        (copy.offset, copy.table) = (place.offset, place.table ?? table)
        return copy
    }

    /// The error about a part of a document that starts at a place of the whole: its lines and
    /// columns count from there.
    package func moved(to place: DocumentPosition) -> ModelDecodingError {
        var copy = inside(place.path)
        copy.line = line + place.line - 1
        copy.column = line == 1 ? column + place.column - 1 : column
        return copy
    }
}
