/// How an enum without a raw type writes a case that holds one value without a label.
///
/// ```swift
/// @Model(naming: .snakeCase, payload: .bare) enum Parent { case pageID(String), workspace(Bool) }
/// try Parent.pageID("x").encoded(as: .json)       // {"page_id":"x"}
/// ```
///
/// Cases with labels, with several values or with none are objects in either form.
public enum CasePayload: Sendable {
    /// As an object of its values, which is the form that the compiler synthesizes for `Codable`:
    /// `{"page":{"_0":"x"}}`.
    case fields
    /// As the value itself: `{"page":"x"}`. A nil is null.
    case bare
}
