/// What becomes of the row of a value or an object that is deleted: what `@Model(deletion:)` says. A class
/// says it for those that inherit from it.
///
/// ```swift
/// @Model(deletion: .mark) struct Note: Identifiable {
///     let id: Int
///     var text: String
/// }
/// ```
public enum ModelDeletion: Hashable, Sendable {
    /// The row is removed. This is what every model does that says nothing.
    case remove
    /// The row stays with the date of its deletion, in a column `$deleted` that the library adds. Nobody
    /// sees it who does not ask for it.
    case mark
}
