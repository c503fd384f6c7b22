/// What becomes of unknown fields and elements: the twin of `UnknownPolicy` in DovetailModel, which
/// the compiler's side cannot import. The cases have the same names, which generated code writes.
public enum UnknownPolicy: String, Sendable {
    /// Reading fails.
    case `throw`
    /// The field or element is left out.
    case skip
    /// The field or element is kept and written back.
    case preserve
}
