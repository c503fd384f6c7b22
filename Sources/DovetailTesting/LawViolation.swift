/// A law that a model breaks.
public struct LawViolation: Error, Hashable, Sendable {
    /// The laws of models.
    public enum Law: Hashable, Sendable, CaseIterable {
        /// What was written can be read, and is the same value.
        case roundTrip
        /// The order of an object's members does not matter.
        case orderOfFields
        /// Fields that are not declared are ignored, refused or kept, as the model says.
        case unknownFields
        /// The layout of a document does not matter.
        case layout
        /// A document that was cut off gives a value or a `ModelDecodingError`.
        case everyPrefix
        /// A document in which one byte was changed gives a value or a `ModelDecodingError`.
        case everyByte
        /// Documents of every version are read as the current model.
        case migration
    }

    /// The law.
    public let law: Law
    /// The model's name, and its place in the list that was checked.
    public let model: String
    /// What happened.
    public let explanation: String
    /// The document that shows it, as text, in which bytes that are no UTF-8 are repaired; empty
    /// when there is none.
    public let document: String
    /// Brings the same random choices again, as the argument `seed` or as `DOVETAIL_SEED`; 0 where
    /// nothing was chosen.
    public let seed: UInt64
}

extension LawViolation: CustomStringConvertible {
    /// The violation in one line, with as much of the document as is readable.
    public var description: String {
        let shown = document.count > 400 ? document.prefix(400) + "…" : document
        let place = shown.isEmpty ? "" : " in \(shown)"
        let chance = law == .migration ? "" : " (seed \(seed))"
        return "\(model) breaks the law of \(law.name): \(explanation)\(chance)\(place)"
    }
}

extension LawViolation.Law {
    fileprivate var name: String {
        switch self {
        case .roundTrip: "round trips"
        case .orderOfFields: "the order of fields"
        case .unknownFields: "unknown fields"
        case .layout: "layout"
        case .everyPrefix: "every prefix"
        case .everyByte: "every byte"
        case .migration: "migrations"
        }
    }
}

/// All laws that were found broken by one check.
public struct LawViolations: Error, Hashable, Sendable {
    /// The violations, at most five of a law.
    public let violations: [LawViolation]
    /// The file and line of the check.
    public let place: String
}

extension LawViolations: CustomStringConvertible {
    /// A line for the check and one for each violation.
    public var description: String {
        let list = violations.map { "\n- \($0)" }.joined()
        return "\(place): \(violations.count) violations of the laws of models" + list
    }
}
