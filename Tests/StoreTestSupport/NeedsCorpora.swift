package import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a test where the corpora are absent. `Scripts/test` counts the tests by this reason.
    package static var needsCorpora: Self {
        .enabled(if: SharedCorpora.folder != nil, "no corpora")
    }
}
