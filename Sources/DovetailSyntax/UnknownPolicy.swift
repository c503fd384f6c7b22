/// What becomes of what is unknown: the twin of `UnknownPolicy` in DovetailModel.
public enum UnknownPolicy: String, Sendable {
    /// It is an error.
    case `throw`
    /// It is left out.
    case skip
    /// It is kept and written back.
    case preserve
}
