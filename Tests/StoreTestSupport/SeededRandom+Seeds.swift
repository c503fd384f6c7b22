package import DovetailTesting

extension SeededRandom {
    /// The seeds that random tests always run with. What a test says of how often something happened holds for
    /// these: another seed may be one where it never does.
    private static let known: [UInt64] = [1, 2]

    /// The seeds to run a random test with: two known ones, and that of `DOVETAIL_SEED` or a new one.
    /// The third one is printed, so that a failure can be repeated.
    package static let seeds: [UInt64] =
        known + [Soak.seed(for: "random tests, beside seeds 1 and 2")]

    /// Whether what a test is there for happened: at least once, of the known seeds.
    package static func isMet(_ count: Int, seed: UInt64) -> Bool {
        count > 0 || !known.contains(seed)
    }
}
