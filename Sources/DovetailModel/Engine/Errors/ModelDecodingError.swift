/// Why and where a document could not be read as a model.
///
/// ```swift
/// do {
///     library = try AssetLibrary(decoding: data, as: .json)
/// } catch let error as ModelDecodingError {
///     print(error)  // assets[3].red: expected Int, found "x" (line 12, column 20)
///     if error.kind == .futureVersion { askForUpdate() }
/// }
/// ```
///
/// Reading keeps no path. The first error walks over the document once more to find its place, so
/// making it costs O(position). An error about a row of a store names the column and its kind,
/// never the content.
public struct ModelDecodingError: Error, Hashable, Sendable {
    /// What a caller can tell apart. Everything else about a failure is in `path`, `expected` and
    /// `found`, which are for people.
    public enum Kind: Hashable, Sendable {
        /// The value is of another kind than the declaration asks for.
        case typeMismatch
        /// A number does not fit into the declared type.
        case numberOutOfRange
        /// A required field is absent.
        case missingField
        /// A field is not declared, in a model with `unknownFields: .throw`.
        case unknownField
        /// A declared field, or a key of a dictionary, appears twice in one object.
        case repeatedField
        /// An enum has no case for the value, or several are named.
        case unknownCase
        /// No conformer of the protocol has the name, or the element carries none.
        case unknownType
        /// Two conformers of the protocol claim the same name.
        case ambiguousType
        /// The input is not a document of the format.
        case invalidSyntax
        /// The input is not UTF-8, or a string has a lone surrogate (RFC 8259, section 8).
        case invalidEncoding
        /// The input ends in the middle of a value.
        case unexpectedEnd
        /// Objects and arrays are nested deeper than ``ModelReader/maximumDepth``.
        case tooDeep
        /// An element of a stream is larger than its limit, or a small document describes more
        /// values than its size accounts for, by sharing containers.
        case tooLarge
        /// Something follows the end of the document.
        case trailingContent
        /// A value's own initializer, a hook or a migration refused it.
        case rejected
        /// The document is of a newer version than the model.
        case futureVersion
        /// A document names an object by its key that is neither in it nor in the context.
        case unknownObject
    }

    /// The kind of failure.
    public let kind: Kind
    /// Where in the document: field names joined by dots, indices in brackets; empty at the root. A
    /// subscript of ``ModelDocument`` takes it.
    public internal(set) var path: String
    /// What the declaration asks for.
    public internal(set) var expected: String
    /// What the document has instead; scalars are quoted up to 40 characters. It may be data of a
    /// user: do not log it where that matters. Errors about stores have none of it.
    public internal(set) var found: String
    /// The line of the input, counted from 1 by line feeds; 0 when the input has no lines, such as
    /// a row of a store.
    public internal(set) var line: Int
    /// The column of the input in Unicode scalars, from 1; 0 when the input has no lines.
    public internal(set) var column: Int
    /// The path of the file that was read; nil when the document came from elsewhere.
    public internal(set) var file: String?
    /// The table of the row that was read; nil for a document.
    public internal(set) var table: String?

    /// The offset in bytes of what the error is about, in a binary property list; nil in formats
    /// with lines and in rows.
    public internal(set) var offset: Int?

    /// Makes an error of its parts, for formats and hooks of your own. Inside of a ``ModelValue``
    /// call ``ModelReader/rejected(expected:)``, which fills in the place.
    ///
    /// ```swift
    /// throw ModelDecodingError(
    ///     kind: .invalidSyntax, path: "", expected: "a line", found: "end of input", line: 12
    /// )
    /// ```
    public init(
        kind: Kind,
        path: String,
        expected: String,
        found: String,
        line: Int = 0,
        column: Int = 0,
        offset: Int? = nil
    ) {
        self.kind = kind
        self.path = path
        self.expected = expected
        self.found = found
        self.line = line
        self.column = column
        self.offset = offset
    }
}

extension ModelDecodingError {
    /// The same error, about the content of the file at `path`.
    @usableFromInline
    package func inFile(_ path: String) -> ModelDecodingError {
        var error = self
        error.file = path
        return error
    }
}

extension ModelDecodingError: CustomStringConvertible {
    /// The failure in one line: file or table, path, expected, found, and line and column or the byte's
    /// offset. Control characters of the document are shown as `\u{1}`, so that it stays one line.
    public var description: String {
        let inside = DocumentPath.joined(table ?? "", path)
        let place = [file ?? "", inside].filter { !$0.isEmpty }.map { $0 + ": " }.joined()
        let byte = offset.map { " (byte \($0))" } ?? ""
        let position = line > 0 ? " (line \(line), column \(column))" : byte
        return PrintableText.of("\(place)expected \(expected), found \(found)\(position)")
    }
}
