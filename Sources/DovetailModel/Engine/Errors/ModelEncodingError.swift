/// Why a model could not be written.
public struct ModelEncodingError: Error, Hashable, Sendable {
    /// What a caller can tell apart.
    public enum Reason: Hashable, Sendable {
        /// The format or the store has no form for the value.
        case notRepresentable
        /// Values are nested deeper than the writer allows.
        case tooDeep
        /// The conformer of a protocol is written as something that cannot carry a type key.
        case noObject
        /// The type is not among the conformers that its protocol lists.
        case unknownType
        /// A field that is named like the type key holds something else than the type's name.
        case typeKeyConflict
        /// A plain `Codable` value failed to encode itself, or a hook refused.
        case rejected
        /// The model gives no way down to the version that was asked for.
        case noOlderVersion
    }

    /// The kind of failure.
    public let reason: Reason
    /// What could not be written and why, without the value itself.
    public let explanation: String
    /// Where in the document the model would stand that a hook refused, as in a
    /// ``ModelDecodingError``; empty for the root and for all other reasons.
    public let path: String

    /// Makes an error of its parts.
    public init(reason: Reason, explanation: String, path: String = "") {
        self.reason = reason
        self.explanation = explanation
        self.path = path
    }
}

extension ModelEncodingError {
    /// Whether a hook refused something of which the place is not known.
    @usableFromInline var isWithoutPath: Bool { reason == .rejected && path.isEmpty }

    /// The same error about something inside of what stands at `outer`.
    @usableFromInline
    func inside(_ outer: String) -> ModelEncodingError {
        ModelEncodingError(
            reason: reason,
            explanation: explanation,
            path: DocumentPath.joined(outer, path)
        )
    }
}

extension ModelEncodingError: CustomStringConvertible {
    /// The failure in one line: path, if there is one, and explanation.
    public var description: String {
        PrintableText.of(path.isEmpty ? explanation : "\(path): \(explanation)")
    }
}
