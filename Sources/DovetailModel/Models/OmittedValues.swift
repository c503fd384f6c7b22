/// Which values the attributes of a model leave out of documents: `@Model(omits:)`.
///
/// ```swift
/// @Model(omits: .empty) struct Filter { var tags: [String]; var owner: String? }
/// try Filter(tags: [], owner: nil).encoded(as: .json)         // {}
/// ```
public enum OmittedValues: Sendable {
    /// Nil is left out.
    case nils
    /// Nil is left out, and so are empty arrays, sets and dictionaries, which absent fields are then:
    /// each property that is written as one of these has `.omittedWhenEmpty`.
    case empty
    /// Nil is written as null: each property that is written as an optional has `.nullWhenNil`.
    case nothing
}
