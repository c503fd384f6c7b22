import DovetailTesting
import Foundation
import StoreTestSupport

// `QuerySoak QUERIES SELECTIONS`: what `Scripts/soak queries` builds for speed and runs. It asks the
// memory store, SQLite and, where `DOVETAIL_POSTGRES` names one, a PostgreSQL server so many random
// questions, 20,000 for each seed, prints the seeds, and ends with 1 and the smallest case where one is
// answered wrongly.

let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard numbers.count == 2 else {
    print("QuerySoak QUERIES SELECTIONS")
    exit(2)
}

/// Prints a line at once.
func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

/// Asks a number of questions with one seed after the other: a named one and those that follow it, or
/// new ones.
func ask(
    _ number: Int,
    _ name: String,
    _ compare: (StoreComparison, Int) throws -> Void
) throws {
    var left = number
    var seed = SeededRandom.namedSeed
    while left > 0 {
        let part = min(left, 20_000)
        let used = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
        let comparison = try StoreComparison(seed: used, StoreKind.allCases)
        let start = ContinuousClock.now
        try compare(comparison, part)
        let time = ContinuousClock.now - start
        say("\(name): DOVETAIL_SEED=\(used)")
        say("\(name): \(comparison.summary), \(time / part) for each")
        left -= part
        seed = seed.map { $0 &+ 1 }
    }
}

do {
    try ask(numbers[0], "queries") { try $0.compareQueries($1) }
    try ask(numbers[1], "selections") { try $0.compareSelections($1) }
} catch {
    print("\(error)")
    exit(1)
}
