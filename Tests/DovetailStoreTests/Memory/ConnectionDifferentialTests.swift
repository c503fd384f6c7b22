import Dovetail
import DovetailStore
import DovetailTesting
import StoreTestSupport
import Testing

/// The same operations on SQLite and in memory: rows, numbers and errors have to be the same.
@Suite struct ConnectionDifferentialTests {
    @Test(arguments: SeededRandom.seeds)
    func `every operation gives what SQLite gives`(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        var count = 0
        var errors: [String: Int] = [:]
        // Several short histories, since tables fill up.
        for history in 0..<24 {
            // Other tests wait for the thread.
            await Task.yield()
            let containers = try StoreKind.embedded.map { try $0.container(LeagueRow.models) }
            let stores = containers.map(\.store)
            for step in 0..<300 {
                let operation = StoreOperation(depth: 3, using: &random)
                count += operation.size
                let logs = try stores.map { store in
                    try store.withConnection { connection in
                        var log: [String] = []
                        try operation.apply(to: connection, &log)
                        // The whole content from time to time, since it takes long.
                        if step.isMultiple(of: 20) { log += try connection.leagueTexts() }
                        return log
                    }
                }
                try #require(
                    logs[0] == logs[1],
                    "seed \(seed), history \(history), step \(step): \(operation)"
                )
                for line in logs[0] where line.contains("Violation") || line.contains("notFound") {
                    errors[line, default: 0] += 1
                }
            }
        }
        // How many depends on the seed: an operation has others in it.
        #expect(count >= 24 * 300)
        // Each kind of refusal was met.
        for expected in [
            "uniqueViolation Club id", "uniqueViolation Club name",
            "uniqueViolation Club league, rank", "uniqueViolation Player email",
            "uniqueViolation Pass row, number", "uniqueViolation Pass code",
            "foreignKeyViolation Player team", "foreignKeyViolation Player captain",
            "foreignKeyViolation Game home", "foreignKeyViolation Game best",
            "foreignKeyViolation Pass game", "notFound Player -",
        ] {
            #expect(errors[expected, default: 0] > 0, "seed \(seed): \(expected)")
        }
    }
}
