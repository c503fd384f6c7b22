/// A law that a model breaks, with the document that shows it.
///
/// ```swift
/// for violation in lawViolations(of: Invoice.sample) { print(violation.law, violation.document) }
/// ```
public struct LawViolation: Error, Hashable, Sendable {
    /// The laws of models.
    public enum Law: Hashable, Sendable, CaseIterable {
        /// What is written is read as the same value, in every built-in format.
        case roundTrip
        /// The order of an object's members does not matter.
        case orderOfFields
        /// Fields that are not declared are ignored, refused or kept, as the model says.
        case unknownFields
        /// White space and sorted keys do not change the value.
        case layout
        /// A document that was cut off gives a value or a `ModelDecodingError`.
        case everyPrefix
        /// A document in which one byte was changed gives a value or a `ModelDecodingError`.
        case everyByte
        /// Documents of every version are read as the current model.
        case migration
        /// An entity is found, created and kept in the same way wherever it is.
        case entities
        /// Two models have the same documents.
        case twins
        /// A model is kept in step with a backend.
        case synchronize
    }

    /// The law that is broken.
    public let law: Law
    /// The model's name, with its place when a list was checked, or with the name of the kept
    /// document.
    public let model: String
    /// What happened instead, in one sentence.
    public let explanation: String
    /// The document that shows it, as text. Bytes that are no UTF-8 are replaced by U+FFFD. Empty
    /// when there is no document.
    public let document: String
    /// Repeats the random choices, as the argument `seed` or as `DOVETAIL_SEED` in the environment;
    /// 0 for ``Law/migration``, ``Law/entities`` and ``Law/twins``, which choose nothing.
    public let seed: UInt64
}

extension LawViolation: CustomStringConvertible {
    /// The violation with its seed and the first 400 characters of the document.
    public var description: String {
        let shown = document.count > 400 ? document.prefix(400) + "…" : document
        let place = shown.isEmpty ? "" : " in \(shown)"
        let chance = seed == 0 ? "" : " (seed \(seed))"
        return "\(model) breaks the law of \(law.name): \(explanation)\(chance)\(place)"
    }
}

extension LawViolation.Law {
    /// The law in a sentence: "breaks the law of …".
    fileprivate var name: String {
        switch self {
        case .roundTrip: "round trips"
        case .orderOfFields: "the order of fields"
        case .unknownFields: "unknown fields"
        case .layout: "layout"
        case .everyPrefix: "every prefix"
        case .everyByte: "every byte"
        case .migration: "migrations"
        case .entities: "entities"
        case .twins: "twins"
        case .synchronize: "synchronizing"
        }
    }
}

/// The error of the checks: all violations that one of them found.
public struct LawViolations: Error, Hashable, Sendable {
    /// The violations: at most five of each law for each value that was checked, and all those of
    /// ``LawViolation/Law/migration``.
    public let violations: [LawViolation]
    /// The file and line of the check, as in `ShopTests/InvoiceTests.swift:12`.
    public let place: String
}

extension LawViolations: CustomStringConvertible {
    /// A line for the check, and one for each violation.
    public var description: String {
        let list = violations.map { "\n- \($0)" }.joined()
        return "\(place): \(violations.count) violations of the laws of models" + list
    }
}
