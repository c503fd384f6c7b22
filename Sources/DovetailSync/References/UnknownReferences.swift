/// What becomes of a reference to a row that is not there, in a list that is synchronized.
///
/// ```swift
/// try context.synchronize(users, unknownReferences: .ignore)      // teamID of an unknown team is nil
/// ```
///
/// A row counts as there when it is stored, waits to be saved, or is in the same list. An attribute that
/// cannot be nil has no choice: it fails.
public enum UnknownReferences: Hashable, Sendable {
    /// The store refuses the save, as after every other change, unless the row is there by then.
    case fail
    /// The attribute is nil.
    case ignore
    /// The attribute is nil until the row is there: a `MissingReference` is stored, which has to be one of
    /// the container's models, and resolved by the `synchronize` that brings the row, or by
    /// ``ModelContext/resolveMissingReferences()``.
    case keep
}
