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
        /// A plain `Codable` value failed to encode itself.
        case rejected
    }

    /// The kind of failure.
    public let reason: Reason
    /// What could not be written and why, without the value itself.
    public let explanation: String

    /// Makes an error of its parts.
    public init(reason: Reason, explanation: String) {
        self.reason = reason
        self.explanation = explanation
    }
}

extension ModelEncodingError: CustomStringConvertible {
    /// The failure in one line.
    public var description: String { explanation }
}
