/// What a store did against the contract: the error of ``StoreContract/Case``.
///
/// ```
/// StoreTests/MyStoreTests.swift:9: the store breaks its contract: nil is first in ascending order
/// done: insert 4 rows; sort by optCount
/// expected: rows: [2, 4, 1, 3]
/// found: [1, 3, 2, 4] (seed 7)
/// ```
public struct ContractViolation: Error, Hashable, Sendable {
    /// The name of the case.
    public let name: String
    /// What the case has done, one step after the other.
    public let steps: [String]
    /// What should have come of it.
    public let expected: String
    /// What came instead. The values are those of the case.
    public let found: String
    /// Repeats the random choices, as the argument `seed` or as `DOVETAIL_SEED` in the environment.
    public let seed: UInt64
    /// The file and line of the check, as in `ShopTests/StoreTests.swift:12`.
    public let place: String
}

extension ContractViolation: CustomStringConvertible {
    /// The case, what was done (the last six steps), what was expected, and what was found.
    public var description: String {
        let left = steps.count > 6 ? "… " : ""
        return """
            \(place): the store breaks its contract: \(name)
            done: \(left)\(steps.suffix(6).joined(separator: "; "))
            expected: \(expected)
            found: \(found) (seed \(seed))
            """
    }
}
