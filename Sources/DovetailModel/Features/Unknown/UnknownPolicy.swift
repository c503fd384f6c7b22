/// What becomes of an element of a model protocol whose type nobody knows, or that cannot be read
/// as its type: `@ModelProtocol(unknown: .preserve)`, `@Attribute(unknown: .skip)`.
///
/// A document that breaks the rules of its format is an error whatever the policy is.
public enum UnknownPolicy: Hashable, Sendable {
    /// Decoding fails with the element's path.
    case `throw`
    /// Arrays, sets and dictionaries leave the element out; ``SkippedElement`` reports it. A
    /// single value fails to decode.
    case skip
    /// An ``UnknownModel`` stands for the element and is written back equal.
    case preserve
}
