import Dovetail
import DovetailTesting
import Testing

/// The contract finds what is wrong with a store.
@Suite struct BrokenStoreTests {
    /// What a case finds in a memory store with a fault.
    private func violation(_ fault: StoreFault, in name: String) async throws -> ContractViolation {
        let part = try #require(StoreContract.cases.first { $0.name == name })
        let error = await #expect(throws: ContractViolation.self, "\(fault)") {
            try await part.check(seed: 1) { _ in BrokenConfiguration(fault: fault) }
        }
        return try #require(error)
    }

    /// For each fault a case that finds it.
    private static let finders: [StoreFault: String] = [
        .forgetsRollback: "a transaction stores all or nothing",
        .forgetsSavepoints: "an inner transaction can fail alone",
        .ignoresLimit:
            "random predicates, orders and pages mean what Swift and the rules say",
        .ignoresOffset: "without an order limit and offset give that many rows, each once",
        .sortsNilLast: "nil comes first in ascending order, and last in descending",
        .updatesWhatIsMissing: "an update needs its row",
        .replacesOnInsert: "an insert needs a new key",
        .doesNotPark: "rows of one save swap their unique values",
        .deletesAllRows: "a deletion by a predicate leaves the rows that it does not take",
        .readsInsideTransactions: "another context sees nothing of a transaction that is open",
        .movesSnapshots: "all that one read sees is of one state",
        .promisesPersistence: "what was saved is there when the store is opened again",
        .inventsHistory: "the history tells each change by commit, with its author",
        .losesGeneratedKeys: "generated keys are told in the order of the values",
        .takesNullAsFalse:
            "a condition that is missing takes no row, and neither does its negation",
    ]

    @Test(arguments: StoreFault.allCases)
    func `each fault of a store is found by its case`(_ fault: StoreFault) async throws {
        let name = try #require(Self.finders[fault])
        let violation = try await violation(fault, in: name)
        #expect(violation.name == name)
        #expect(!violation.expected.isEmpty && !violation.found.isEmpty)
        #expect(!violation.steps.isEmpty && violation.seed == 1)
    }

    @Test func `a violation says what was done, expected and found`() async throws {
        let violation = try await violation(.updatesWhatIsMissing, in: "an update needs its row")
        let lines = "\(violation)".split(separator: "\n").map(String.init)
        #expect(lines[0].contains("BrokenStoreTests.swift:"))
        #expect(lines[0].hasSuffix(": the store breaks its contract: an update needs its row"))
        #expect(
            lines.dropFirst() == [
                "done: insert the keys a, b and c; update b; update a, and x, which is not there",
                "expected: StoreError notFound of Word",
                "found: no error (seed 1)",
            ]
        )
    }
}
