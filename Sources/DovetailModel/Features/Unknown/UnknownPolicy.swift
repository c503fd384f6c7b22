/// What becomes of an element of a model protocol whose type is unknown, or that cannot be read as
/// its type; and of fields that a model does not declare.
///
/// ```swift
/// @ModelProtocol(unknown: .preserve) protocol Asset { var name: String { get } }
///
/// @Model(unknownFields: .preserve) struct Library {
///     var assets: [any Asset] = []                                    // kept
///     @Attribute(unknown: .skip) var previews: [any Asset] = []       // left out
/// }
/// ```
///
/// A document that breaks the rules of its format is an error whatever the policy is. Where nothing
/// is unknown, `preserve` costs a few hundredths of the time of decoding (`Scripts/bench
/// preserve`).
public enum UnknownPolicy: Hashable, Sendable {
    /// Decoding fails with a ``ModelDecodingError`` that has the element's path; for a field its
    /// reason is `unknownField`.
    case `throw`
    /// Arrays, sets and dictionaries leave the element out; ``SkippedElement`` reports it. A single
    /// value fails to decode. A field is passed over.
    case skip
    /// The element becomes an ``UnknownModel``, a field goes to ``UnknownFields``. Both are written
    /// back equal.
    case preserve
}
