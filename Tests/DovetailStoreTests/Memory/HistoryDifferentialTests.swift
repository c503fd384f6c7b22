import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// The same histories of several contexts on a SQLite file and in memory. They fetch while changes
/// wait, nest transactions that fail, and meet unique groups, foreign keys and generated keys.
@Suite struct HistoryDifferentialTests {
    @Test(arguments: SeededRandom.seeds)
    func `several contexts see what they see on SQLite`(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        var count = 0
        var lines: [String: Int] = [:]
        for history in 0..<20 {
            // Other tests wait for the thread.
            await Task.yield()
            let folder = try TemporaryFolder()
            let containers = [
                try ModelContainer(
                    for: LeagueRow.models,
                    configuration: ModelConfiguration(url: folder.file())
                ),
                try StoreKind.memory.container(LeagueRow.models),
            ]
            let contexts = containers.map { container in
                (0..<3).map { _ in ModelContext(container) }
            }
            for number in 0..<400 {
                let step = ContextStep(depth: 3, using: &random)
                let index = Int.random(in: 0..<3, using: &random)
                // What cannot be saved would wait for ever.
                let forgets = random.isOne(in: 12)
                count += step.size
                let logs = try contexts.map { contexts in
                    var log: [String] = []
                    try step.apply(to: contexts, index, &log)
                    if forgets { contexts[index].rollback() }
                    return log
                }
                try #require(
                    logs[0] == logs[1],
                    "seed \(seed), history \(history), step \(number): \(step)"
                )
                for line in logs[0] { lines[String(line.prefix(15)), default: 0] += 1 }
                guard number.isMultiple(of: 40) else { continue }
                let content = try containers.map { container in
                    try container.store.withReadConnection { try $0.leagueTexts() }
                }
                try #require(content[0] == content[1], "seed \(seed), step \(number)")
            }
        }
        #expect(count > 10_000)
        let met = ["uniqueViolation", "foreignKeyViol", "notFound Player", "wouldDeadlock"]
        for beginning in met {
            #expect(lines.keys.contains { $0.hasPrefix(beginning) }, "seed \(seed): \(beginning)")
        }
    }
}
