package import DovetailTesting

extension SeededRandom {
    /// The seeds to run a random test with: two known ones, and that of `DOVETAIL_SEED` or a new one.
    /// The third one is printed, so that a failure can be repeated.
    package static let seeds: [UInt64] = [
        1, 2, Soak.seed(for: "random tests, beside seeds 1 and 2"),
    ]
}
