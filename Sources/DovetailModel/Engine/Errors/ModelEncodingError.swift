/// Why a model could not be written.
///
/// ```swift
/// do {
///     data = try reading.encoded(as: .json)
/// } catch let error as ModelEncodingError where error.kind == .notRepresentable {
///     print(error)  // JSON has no form for NaN
/// }
/// ```
///
/// A failed call gives no document, and a failed save leaves the file as it was.
public struct ModelEncodingError: Error, Hashable, Sendable {
    /// What a caller can tell apart; `explanation` says the rest in words.
    public enum Kind: Hashable, Sendable {
        /// The format or the store has no form for the value.
        case notRepresentable
        /// Values are nested deeper than ``ModelReader/maximumDepth``.
        case tooDeep
        /// The conformer of a protocol is written as something that cannot carry a type key.
        case noObject
        /// The type is not among the conformers that its protocol lists.
        case unknownType
        /// A field with the name of the type key holds something other than the type's name.
        case typeKeyConflict
        /// A plain `Codable` value failed to encode itself, or a hook refused.
        case rejected
        /// An object that a context keeps owns, itself or through others, one that is being written.
        case cycle
        /// A relationship leads to an object that documents have no name for: neither a declared key
        /// nor a unique attribute, or no value in it.
        case noKey
        /// The model cannot be demoted to the version that was asked for.
        case noOlderVersion
    }

    /// The kind of failure.
    public let kind: Kind
    /// What could not be written and why, without the value itself.
    public let explanation: String
    /// The path of the model that a hook refused, or of the object that a relationship cannot write,
    /// in the form of ``ModelDecodingError/path``; empty for the root and for all other reasons.
    public let path: String
    /// The table of the row that could not be written; nil for a document.
    public internal(set) var table: String?

    /// Makes an error of its parts, for formats, transforms and hooks of your own.
    ///
    /// ```swift
    /// guard celsius >= -273.15 else {
    ///     throw ModelEncodingError(kind: .notRepresentable, explanation: "below absolute zero")
    /// }
    /// ```
    public init(kind: Kind, explanation: String, path: String = "") {
        self.kind = kind
        self.explanation = explanation
        self.path = path
    }
}

extension ModelEncodingError {
    /// Whether a hook or a relationship refused something whose place is not known.
    /// `ModelWriter.encode(as:_:)` then writes once more as JSON, where the place shows.
    @usableFromInline var isWithoutPath: Bool {
        path.isEmpty && (kind == .rejected || kind == .cycle || kind == .noKey)
    }

    /// The same error, about something within the value at `outer`.
    @usableFromInline
    func inside(_ outer: String) -> ModelEncodingError {
        var error = ModelEncodingError(
            kind: kind,
            explanation: explanation,
            path: DocumentPath.joined(outer, path)
        )
        error.table = table
        return error
    }
}

extension ModelEncodingError: CustomStringConvertible {
    /// The failure in one line: table and path, if there are any, and explanation.
    public var description: String {
        let place = DocumentPath.joined(table ?? "", path)
        return PrintableText.of(place.isEmpty ? explanation : "\(place): \(explanation)")
    }
}
