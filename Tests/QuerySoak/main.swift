import DovetailTesting
import Foundation

// What `Scripts/soak queries` builds for speed and runs: random queries to the memory store and to
// SQLite, on as many threads as there are processors.

let number = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 1000 : 1000
let seed = SeededRandom.namedSeed ?? UInt64.random(in: 0...UInt64(UInt32.max))
do {
    let comparison = try QueryComparison(seed: seed)
    let start = ContinuousClock.now
    print("DOVETAIL_SEED=\(seed)")
    do {
        if CommandLine.arguments.contains("selections") {
            try comparison.compareSelections(number)
        } else {
            try comparison.compareQueries(number)
        }
    } catch { print("\(error)") }
    print(comparison.summary)
    print(ContinuousClock.now - start)
}
