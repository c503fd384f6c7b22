// Errors are made about a part of a document, and handed on as errors about the whole. Each of these
// is a copy with another place: what else the error knows, such as its file, stays.

extension ModelDecodingError {
    /// The error without a word of what is in the document.
    var withoutValue: ModelDecodingError {
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
    func inside(_ outer: String) -> ModelDecodingError {
        var copy = self
        copy.path = DocumentPath.joined(outer, path)
        return copy
    }

    /// The error as one inside of what another one is about, whose place it gets.
    func placed(at place: ModelDecodingError) -> ModelDecodingError {
        moved(to: place, path: DocumentPath.joined(place.path, path))
    }

    /// The error with another path, and the place of another error.
    func moved(to place: ModelDecodingError, path: String) -> ModelDecodingError {
        var copy = self
        (copy.path, copy.line, copy.column) = (path, place.line, place.column)
        copy.offset = place.offset
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
